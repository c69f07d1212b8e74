//! Where random choices come from: a seed, or bytes.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng};

/// What everything random is drawn from.
///
/// ```
/// use batt_run::random::{self, Options, Rng};
///
/// // Any bytes choose a program; the same bytes choose the same one.
/// let bytes: Vec<u8> = (0..200).map(|n| (n * 37 % 251) as u8).collect();
/// let draw = || random::program(&mut Rng::of_bytes(&bytes), &Options::default());
/// assert_eq!(draw(), draw());
/// ```
#[derive(Clone, Debug)]
pub struct Rng<'a>(Source<'a>);

#[derive(Clone, Debug)]
enum Source<'a> {
    Seed(Box<ChaCha8Rng>),
    /// What is left of them.
    Bytes(&'a [u8]),
}

impl<'a> Rng<'a> {
    /// Draws from a generator that is seeded.
    pub fn of_seed(seed: u64) -> Rng<'a> {
        Rng(Source::Seed(Box::new(ChaCha8Rng::seed_from_u64(seed))))
    }

    /// Draws from bytes, one for each choice among up to 256, two for each among more. A fuzzer that
    /// changes a byte changes a choice, and what was chosen before it stays. Where no byte is left, the
    /// choice is in the middle: neither what is rare nor what is common.
    pub fn of_bytes(bytes: &'a [u8]) -> Rng<'a> {
        Rng(Source::Bytes(bytes))
    }

    fn byte(bytes: &mut &[u8]) -> u64 {
        match bytes {
            [first, rest @ ..] => {
                *bytes = rest;
                u64::from(*first)
            }
            [] => 128,
        }
    }

    /// An int from 0 up to, not including, `n`, in 32 bits everywhere so that no machine draws
    /// differently; 0 where `n` is 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        let n = n as u64;
        let (drawn, bits) = match &mut self.0 {
            Source::Seed(rng) => (u64::from(rng.next_u32()), 32),
            Source::Bytes(_) if n <= 1 => (0, 0),
            Source::Bytes(bytes) if n <= 1 << 8 => (Rng::byte(bytes), 8),
            Source::Bytes(bytes) => (Rng::byte(bytes) << 8 | Rng::byte(bytes), 16),
        };
        ((drawn * n) >> bits) as usize
    }

    /// True so many times in a thousand.
    pub(crate) fn chance(&mut self, in_thousand: usize) -> bool {
        self.below(1000) < in_thousand
    }

    /// An int between two, both included.
    pub(crate) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// One of several.
    pub(crate) fn pick<'t, T>(&mut self, from: &'t [T]) -> Option<&'t T> {
        from.get(self.below(from.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Options, program};

    #[test]
    fn bytes_choose_everything_there_is() {
        for n in [1_usize, 2, 7, 200, 256] {
            let chosen: Vec<usize> =
                (0..=255).map(|byte| Rng::of_bytes(&[byte]).below(n)).collect();
            assert!(chosen.is_sorted() && chosen[0] == 0 && chosen[255] == n - 1, "{n}");
        }
        assert_eq!(Rng::of_bytes(&[0xff, 0xff]).below(1000), 999);
        assert_eq!(Rng::of_bytes(&[]).below(0), 0);
    }

    #[test]
    fn any_bytes_choose_a_program() {
        for bytes in [&[][..], &[0; 3000], &[255; 3000], &[128; 10]] {
            let program = program(&mut Rng::of_bytes(bytes), &Options::default());
            assert!(program.body.bindings.len() >= 3);
        }
    }

    /// What a changed byte chose changes; what was chosen before it does not.
    #[test]
    fn a_late_byte_leaves_the_early_lines_as_they_are() {
        let bytes: Vec<u8> = (0..4000_u32).map(|n| (n * n * 31 % 253) as u8).collect();
        let options = Options { least: 32, most: 32, ..Options::default() };
        let before = program(&mut Rng::of_bytes(&bytes), &options);
        let changes = (40..400).filter(|at| {
            let mut changed = bytes.clone();
            changed[*at] ^= 0x55;
            let after = program(&mut Rng::of_bytes(&changed), &options);
            let same = before.body.nodes.iter().zip(&after.body.nodes);
            let same = same.take_while(|(a, b)| a.expr == b.expr).count();
            assert!(same >= 1, "{at}: {same}");
            after != before
        });
        let changes = changes.count();
        assert!(changes > 50, "{changes} of 360 bytes, {} nodes", before.body.nodes.len());
    }
}
