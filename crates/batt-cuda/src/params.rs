//! What kernels are told, as bytes.

#![allow(unsafe_code)]

use batt_core::Val;
use batt_core::columns::{
    Above, Answer, Calls, Close, Open, Operand, Pieces, Power, Rowwise, Scores,
};

/// Something that lies in memory as a kernel reads it.
///
/// # Safety
///
/// No bytes between its fields, and any bytes are a value.
pub unsafe trait Params: Copy {}

// SAFETY: these are `repr(C)`, made of whole numbers, and padded by hand.
unsafe impl Params for Above {}
// SAFETY: as above.
unsafe impl Params for Answer {}
// SAFETY: as above.
unsafe impl Params for Calls {}
// SAFETY: as above.
unsafe impl Params for Close {}
// SAFETY: as above.
unsafe impl Params for Open {}
// SAFETY: as above.
unsafe impl Params for Operand {}
// SAFETY: as above.
unsafe impl Params for Pieces {}
// SAFETY: as above.
unsafe impl Params for Power {}
// SAFETY: as above.
unsafe impl Params for Rowwise {}
// SAFETY: as above.
unsafe impl Params for Scores {}
// SAFETY: two words.
unsafe impl Params for Val {}
// SAFETY: a word.
unsafe impl Params for u32 {}
// SAFETY: a word.
unsafe impl Params for u64 {}
// SAFETY: two words.
unsafe impl Params for [u32; 2] {}

/// The bytes of some values.
pub fn bytes<T: Params>(values: &[T]) -> &[u8] {
    // SAFETY: `Params` have no bytes between their fields.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// The bytes of some values, to be overwritten.
pub fn bytes_mut<T: Params>(values: &mut [T]) -> &mut [u8] {
    // SAFETY: `Params` have no bytes between their fields, and any bytes are a value.
    unsafe { std::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), size_of_val(values)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_agree_on_the_sizes() {
        let mut found = 0;
        for line in crate::PTX.lines().filter(|line| line.contains(".param .align 8 .b8")) {
            let Some((name, size)) = line.split_once("_param_0[") else { continue };
            let size: usize = size.trim_end_matches([']', ',']).parse().unwrap();
            let wants = match name.rsplit(' ').next().unwrap() {
                "above" => size_of::<Above>(),
                "answer" => size_of::<Answer>(),
                "scores" => size_of::<Scores>(),
                "open_count" | "open_fill" => size_of::<Open>(),
                "choose" | "or_else" | "fill" | "copy" | "collect" => size_of::<Rowwise>(),
                "cut" | "unite" => size_of::<Pieces>(),
                name if name.ends_with("_pieces") => size_of::<Pieces>(),
                name if name.starts_with("power") => size_of::<Power>(),
                name if name.starts_with("close") => size_of::<Close>(),
                _ => size_of::<Calls>(),
            };
            assert_eq!(size, wants, "{line}");
            found += 1;
        }
        assert!(found > 150, "{found}");
    }
}
