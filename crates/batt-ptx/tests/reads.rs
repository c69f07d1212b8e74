//! The checked-in PTX can be read.

use batt_ptx::{Grid, Memory, Module};

#[test]
fn the_kernels_are_read_whole() {
    let ptx = include_str!("../../../kernel/batt.ptx");
    let mut memory = Memory::default();
    let module = Module::read(ptx, &mut memory).unwrap();
    assert_eq!(module.kernels().count(), ptx.matches(".visible .entry").count());
    assert!(module.kernel("Objects").is_some_and(|kernel| kernel.parameters == 3_888));
    assert!(module.kernel("objects").is_none());
}

/// A driver takes about 0.6 s for a megabyte, on 16 cores, and must be done in 10 s. A function that is not
/// compiled inside its caller, where most of it would be left out, makes the text half as long again.
#[test]
fn the_kernels_are_no_larger_than_a_driver_has_time_for() {
    let size = batt_cuda::PTX.len();
    assert!(size < 15_500_000, "{size} bytes of PTX");
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

/// A function that is given two words as one, returns them the other way round as one, and a caller
/// that takes them apart.
const SWAPPED: &str = "
.visible .func (.param .b64 func_retval0) swapped(.param .b64 swapped_param_0)
{
    .reg .b64 %rd<5>;
    ld.param.b32 %rd1, [swapped_param_0];
    ld.param.b32 %rd2, [swapped_param_0+4];
    shl.b64 %rd3, %rd1, 32;
    or.b64 %rd4, %rd3, %rd2;
    st.param.b64 [func_retval0], %rd4;
    ret;
}
.visible .entry swap(.param .align 8 .b8 swap_param_0[16])
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<3>;
    ld.param.b64 %rd1, [swap_param_0];
    ld.param.b64 %rd2, [swap_param_0+8];
    {
    .param .b64 param0;
    .param .b64 retval0;
    st.param.b64 [param0], %rd2;
    call.uni (retval0), swapped, (param0);
    ld.param.b32 %r1, [retval0];
    ld.param.b32 %r2, [retval0+4];
    }
    st.b32 [%rd1], %r1;
    st.b32 [%rd1+4], %r2;
    ret;
}";

/// A function that returns what it is given the other way round, two registers at a time.
const TURNED: &str = "
.func (.param .align 16 .b8 func_retval0[16]) turned(.param .align 16 .b8 turned_param_0[16])
{
    .reg .b64 %rd<3>;
    ld.param.v2.b64 {%rd1, %rd2}, [turned_param_0];
    st.param.v2.b64 [func_retval0], {%rd2, %rd1};
    ret;
}
.visible .entry turn(.param .align 8 .b8 turn_param_0[24])
{
    .reg .b64 %rd<6>;
    ld.param.b64 %rd1, [turn_param_0];
    ld.param.b64 %rd2, [turn_param_0+8];
    ld.param.b64 %rd3, [turn_param_0+16];
    {
    .param .align 16 .b8 param0[16];
    .param .align 16 .b8 retval0[16];
    st.param.v2.b64 [param0], {%rd2, %rd3};
    call.uni (retval0), turned, (param0);
    ld.param.v2.b64 {%rd4, %rd5}, [retval0];
    }
    st.b64 [%rd1], %rd4;
    st.b64 [%rd1+8], %rd5;
    ret;
}";

#[test]
fn several_registers_of_what_is_given_and_returned_are_read() {
    let mut memory = Memory::default();
    let module = Module::read(TURNED, &mut memory).unwrap();
    let out = memory.alloc(16);
    let given = [out, 7, 9].map(u64::to_le_bytes).concat();
    module.launch("turn", Grid { blocks: 1, threads: 32 }, &given, &mut memory).unwrap();
    assert_eq!(memory.read(out, 16).unwrap(), [9_u64, 7].map(u64::to_le_bytes).concat());
}

#[test]
fn parts_of_what_is_given_and_returned_are_read() {
    let mut memory = Memory::default();
    let module = Module::read(SWAPPED, &mut memory).unwrap();
    let out = memory.alloc(8);
    let given = [out.to_le_bytes(), 0x0000_0007_0000_0009_u64.to_le_bytes()].concat();
    module.launch("swap", Grid { blocks: 1, threads: 32 }, &given, &mut memory).unwrap();
    assert_eq!(memory.read(out, 8).unwrap(), [7_u32.to_le_bytes(), 9_u32.to_le_bytes()].concat());
}
