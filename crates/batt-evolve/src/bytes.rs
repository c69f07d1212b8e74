//! Numbers as bytes, seven bits at a time: the form of the checkpoint.

/// Bytes that are being written.
#[derive(Debug, Default)]
pub struct Out(pub Vec<u8>);

impl Out {
    /// A number.
    pub fn number(&mut self, mut n: u64) {
        while n >= 128 {
            self.0.push(n as u8 | 128);
            n >>= 7;
        }
        self.0.push(n as u8);
    }

    /// Several numbers.
    pub fn numbers<const N: usize>(&mut self, all: [u64; N]) {
        for n in all {
            self.number(n);
        }
    }

    /// A count.
    pub fn count(&mut self, n: usize) {
        self.number(n as u64);
    }

    /// Bytes, with their count.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.0.extend_from_slice(bytes);
    }
}

/// Bytes that are being read. Everything is `None` past the end.
#[derive(Debug)]
pub struct In<'a>(pub &'a [u8]);

impl<'a> In<'a> {
    /// A number.
    pub fn number(&mut self) -> Option<u64> {
        let mut n = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            n |= u64::from(byte & 127) << shift;
            if byte & 128 == 0 {
                return Some(n);
            }
        }
        None
    }

    /// A count of things that are still to be read, each at least a byte.
    pub fn count(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    /// Bytes, with their count.
    pub fn bytes(&mut self) -> Option<&'a [u8]> {
        let count = self.count()?;
        let (bytes, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_were_written() {
        let mut out = Out::default();
        let all = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        out.numbers(all);
        out.bytes(b"abc");
        let mut read = In(&out.0);
        assert_eq!(all.map(|_| read.number()), all.map(Some));
        assert_eq!(read.bytes(), Some(&b"abc"[..]));
        assert_eq!(read.number(), None);
        assert_eq!(In(&[200]).number(), None);
        assert_eq!(In(&[9, 1]).bytes(), None);
    }
}
