//! The checked-in PTX can be read.

use batt_ptx::{Memory, Module};

#[test]
fn the_kernels_are_read_whole() {
    let ptx = include_str!("../../../kernel/batt.ptx");
    let mut memory = Memory::default();
    let module = Module::read(ptx, &mut memory).unwrap();
    assert_eq!(module.kernels().count(), ptx.matches(".visible .entry").count());
    assert!(module.kernel("Objects").is_some_and(|kernel| kernel.parameters == 144));
    assert!(module.kernel("objects").is_none());
}

#[test]
fn every_part_stands_alone() {
    let mut found = 0;
    for part in batt_cuda::parts::split(batt_cuda::PTX, 16) {
        // Reading fails where something that is called is missing.
        let module = Module::read(&part, &mut Memory::default()).unwrap();
        found += module.kernels().count();
    }
    assert_eq!(found, batt_cuda::PTX.matches(".visible .entry").count());
}
