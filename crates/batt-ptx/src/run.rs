//! What instructions do to 32 lanes.

use crate::operation::{Compare, One, Together, Two, Type};

/// A value for each lane.
pub type Lanes = [u64; 32];

#[inline]
fn map(a: &Lanes, f: impl Fn(u64) -> u64) -> Lanes {
    std::array::from_fn(|i| f(a[i]))
}

#[inline]
fn zip(a: &Lanes, b: &Lanes, f: impl Fn(u64, u64) -> u64) -> Lanes {
    std::array::from_fn(|i| f(a[i], b[i]))
}

/// One number to one.
pub fn one(op: One, ty: Type, a: &Lanes) -> Lanes {
    match op {
        One::Move => map(a, |x| ty.cut(x)),
        One::Not => map(a, |x| ty.cut(!x)),
        One::Negate => map(a, |x| ty.cut(x.wrapping_neg())),
        One::Absolute => map(a, |x| ty.cut(ty.wide(x).wrapping_abs() as u64)),
        One::CountOnes => map(a, |x| u64::from(ty.cut(x).count_ones())),
        One::LeadingZeros => map(a, |x| u64::from(ty.cut(x).leading_zeros() + ty.bits - 64)),
        One::Reverse => map(a, |x| x.reverse_bits() >> (64 - ty.bits)),
    }
}

/// Two numbers to one. What a GPU leaves undefined (division by zero) gives all ones, as it does.
pub fn two(op: Two, ty: Type, a: &Lanes, b: &Lanes) -> Lanes {
    let signed =
        |f: fn(i64, i64) -> i64| zip(a, b, |x, y| ty.cut(f(ty.wide(x), ty.wide(y)) as u64));
    let unsigned = |f: fn(u64, u64) -> u64| zip(a, b, |x, y| ty.cut(f(ty.cut(x), ty.cut(y))));
    match op {
        Two::Add => zip(a, b, |x, y| ty.cut(x.wrapping_add(y))),
        Two::Sub => zip(a, b, |x, y| ty.cut(x.wrapping_sub(y))),
        Two::Mul => zip(a, b, |x, y| ty.cut(x.wrapping_mul(y))),
        Two::MulWide => {
            let wide = Type { bits: ty.bits * 2, signed: ty.signed };
            zip(a, b, |x, y| wide.cut(ty.wide(x).wrapping_mul(ty.wide(y)) as u64))
        }
        Two::MulHigh if ty.signed => zip(a, b, |x, y| {
            ty.cut(((i128::from(ty.wide(x)) * i128::from(ty.wide(y))) >> ty.bits) as u64)
        }),
        Two::MulHigh => {
            zip(a, b, |x, y| ((u128::from(ty.cut(x)) * u128::from(ty.cut(y))) >> ty.bits) as u64)
        }
        Two::Div if ty.signed => signed(|x, y| if y == 0 { -1 } else { x.wrapping_div(y) }),
        Two::Div => unsigned(|x, y| x.checked_div(y).unwrap_or(u64::MAX)),
        Two::Rem if ty.signed => signed(|x, y| if y == 0 { x } else { x.wrapping_rem(y) }),
        Two::Rem => unsigned(|x, y| x.checked_rem(y).unwrap_or(x)),
        Two::Min if ty.signed => signed(i64::min),
        Two::Min => unsigned(u64::min),
        Two::Max if ty.signed => signed(i64::max),
        Two::Max => unsigned(u64::max),
        Two::And => zip(a, b, |x, y| x & ty.cut(y)),
        Two::Or => zip(a, b, |x, y| x | ty.cut(y)),
        Two::Xor => zip(a, b, |x, y| x ^ ty.cut(y)),
        Two::ShiftLeft => zip(a, b, |x, y| {
            let n = y as u32;
            if n >= ty.bits { 0 } else { ty.cut(x << n) }
        }),
        Two::ShiftRight if ty.signed => {
            zip(a, b, |x, y| ty.cut((ty.wide(x) >> (y as u32).min(ty.bits - 1)) as u64))
        }
        Two::ShiftRight => zip(a, b, |x, y| {
            let n = y as u32;
            if n >= ty.bits { 0 } else { ty.cut(x) >> n }
        }),
    }
}

/// `a * b + c`.
pub fn mul_add(ty: Type, wide: bool, a: &Lanes, b: &Lanes, c: &Lanes) -> Lanes {
    let product = two(if wide { Two::MulWide } else { Two::Mul }, ty, a, b);
    let bits = if wide { ty.bits * 2 } else { ty.bits };
    two(Two::Add, Type { bits, signed: false }, &product, c)
}

/// `prmt`: each byte of the result is one of eight, or its sign eight times over.
pub fn permute(a: &Lanes, b: &Lanes, c: &Lanes) -> Lanes {
    std::array::from_fn(|i| {
        let bytes = (a[i] & 0xffff_ffff) | b[i] << 32;
        let byte = |k: u32| {
            let which = c[i] >> (4 * k) & 15;
            let byte = bytes >> (8 * (which & 7)) & 255;
            let sign = if byte & 128 != 0 { 255 } else { 0 };
            (if which & 8 == 0 { byte } else { sign }) << (8 * k)
        };
        (0..4).map(byte).sum()
    })
}

/// Bits of a number from a place on, the last repeated where the type has a sign.
pub fn extract(ty: Type, a: &Lanes, from: &Lanes, count: &Lanes) -> Lanes {
    std::array::from_fn(|i| {
        let (x, from, count) = (ty.cut(a[i]), from[i] as u32 & 255, count[i] as u32 & 255);
        if count == 0 {
            return 0;
        }
        let sign = if ty.signed { x >> (from + count - 1).min(ty.bits - 1) & 1 } else { 0 };
        let shifted = if from >= ty.bits { 0 } else { x >> from };
        let there = count.min(ty.bits.saturating_sub(from));
        let low = if there >= 64 { u64::MAX } else { (1 << there) - 1 };
        ty.cut((shifted & low) | if sign == 1 { !low } else { 0 })
    })
}

/// 1 where a comparison holds.
pub fn compare(how: Compare, ty: Type, a: &Lanes, b: &Lanes) -> Lanes {
    let by = |f: fn(i64, i64) -> bool, g: fn(u64, u64) -> bool| {
        zip(a, b, |x, y| {
            u64::from(if ty.signed { f(ty.wide(x), ty.wide(y)) } else { g(ty.cut(x), ty.cut(y)) })
        })
    };
    match how {
        Compare::Equal => zip(a, b, |x, y| u64::from(ty.cut(x) == ty.cut(y))),
        Compare::NotEqual => zip(a, b, |x, y| u64::from(ty.cut(x) != ty.cut(y))),
        Compare::Less => by(|x, y| x < y, |x, y| x < y),
        Compare::LessEqual => by(|x, y| x <= y, |x, y| x <= y),
        Compare::Greater => by(|x, y| x > y, |x, y| x > y),
        Compare::GreaterEqual => by(|x, y| x >= y, |x, y| x >= y),
    }
}

/// Another type of the same number.
pub fn convert(to: Type, from: Type, a: &Lanes) -> Lanes {
    map(a, |x| to.cut(from.wide(x) as u64))
}

/// What all lanes do together.
pub fn together(op: Together, a: &Lanes, b: &Lanes) -> Lanes {
    let ballot = || (0..32).fold(0u64, |all, i| all | u64::from(a[i] & 1 != 0) << i);
    match op {
        Together::Index => std::array::from_fn(|i| a[b[i] as usize & 31]),
        Together::Exclusive => std::array::from_fn(|i| a[(i ^ b[i] as usize) & 31]),
        Together::Any => [u64::from(ballot() != 0); 32],
        Together::All => [u64::from(ballot() == u64::from(u32::MAX)); 32],
        Together::Ballot => [ballot(); 32],
        Together::Reduce(op, ty) => {
            let join = |x: u64, y: &u64| two(op, ty, &[x; 32], &[*y; 32])[0];
            [a[1..].iter().fold(a[0], join); 32]
        }
        Together::Meet => *a,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S32: Type = Type { bits: 32, signed: true };
    const U32: Type = Type { bits: 32, signed: false };
    const U16: Type = Type { bits: 16, signed: false };

    fn on(f: impl Fn(&Lanes, &Lanes) -> Lanes, a: u64, b: u64) -> u64 {
        f(&[a; 32], &[b; 32])[5]
    }

    #[test]
    fn numbers_keep_to_their_types() {
        let minus = |n: i32| u64::from(n as u32);
        assert_eq!(on(|a, b| two(Two::Add, U16, a, b), 65_535, 2), 1);
        assert_eq!(on(|a, b| two(Two::Div, S32, a, b), minus(-7), 2), minus(-3));
        assert_eq!(on(|a, b| two(Two::Min, S32, a, b), minus(-7), 2), minus(-7));
        assert_eq!(on(|a, b| two(Two::Min, U32, a, b), minus(-7), 2), 2);
        assert_eq!(on(|a, b| two(Two::ShiftLeft, U32, a, b), 1, 32), 0);
        assert_eq!(on(|a, b| two(Two::ShiftRight, S32, a, b), minus(-8), 40), minus(-1));
        assert_eq!(on(|a, b| two(Two::MulWide, S32, a, b), minus(-2), 3), (-6_i64) as u64);
        assert_eq!(on(|a, b| compare(Compare::Less, S32, a, b), minus(-1), 0), 1);
        assert_eq!(on(|a, b| compare(Compare::Less, U32, a, b), minus(-1), 0), 0);
        assert_eq!(on(|a, _| one(One::LeadingZeros, U32, a), 1, 0), 31);
        assert_eq!(on(|a, _| one(One::Reverse, U32, a), 1, 0), 1 << 31);
        assert_eq!(on(|a, b| extract(S32, a, b, &[8; 32]), 0xff00, 8), minus(-1));
        assert_eq!(on(|a, b| extract(U32, a, b, &[8; 32]), 0xff00, 8), 255);
        assert_eq!(on(|a, b| extract(S32, a, b, &[1; 32]), 2, 1), minus(-1));
    }
}
