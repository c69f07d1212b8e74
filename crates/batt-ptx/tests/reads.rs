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
