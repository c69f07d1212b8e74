//! What kernels may read and write: allocations with gaps between, and nothing else.

use crate::Error;

/// Where allocations begin; lower addresses are the memory of blocks and a lane's own.
const FIRST: u64 = 1 << 32;
/// Where the memory of blocks begins: its addresses have 32 bits.
const SHARED: u64 = 1 << 24;
/// Between allocations, so that running past one hits nothing.
const GAP: u64 = 4096;

/// Memory of a device.
#[derive(Debug)]
pub struct Memory {
    blocks: Vec<Block>,
    next: u64,
    /// Where the last access was; the next is most often there too.
    last: usize,
    next_shared: u64,
}

#[derive(Debug)]
struct Block {
    at: u64,
    bytes: Vec<u8>,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory { blocks: Vec::new(), next: FIRST, last: 0, next_shared: SHARED }
    }
}

impl Memory {
    /// Allocates bytes, all zero.
    pub fn alloc(&mut self, size: usize) -> u64 {
        let at = self.next;
        self.next += (size as u64).next_multiple_of(GAP) + GAP;
        self.blocks.push(Block { at, bytes: vec![0; size] });
        at
    }

    /// Allocates bytes that addresses of 32 bits reach, all zero.
    pub fn alloc_shared(&mut self, size: usize) -> u64 {
        let at = self.next_shared;
        self.next_shared += (size as u64).next_multiple_of(GAP) + GAP;
        let after = self.blocks.partition_point(|block| block.at < at);
        self.blocks.insert(after, Block { at, bytes: vec![0; size] });
        at
    }

    /// Frees an allocation; an address that is none is an error.
    pub fn free(&mut self, at: u64) -> Result<(), Error> {
        let found = self.blocks.iter().position(|block| block.at == at);
        let found = found.ok_or_else(|| Error::new(format!("{at:#x} is no allocation")))?;
        self.blocks.remove(found);
        self.last = 0;
        Ok(())
    }

    /// How many bytes are allocated.
    pub fn allocated(&self) -> usize {
        self.blocks.iter().map(|block| block.bytes.len()).sum()
    }

    /// Some bytes.
    pub fn read(&mut self, at: u64, len: usize) -> Result<&[u8], Error> {
        self.slice(at, len).map(|bytes| &*bytes)
    }

    /// Writes bytes.
    pub fn write(&mut self, at: u64, bytes: &[u8]) -> Result<(), Error> {
        self.slice(at, bytes.len())?.copy_from_slice(bytes);
        Ok(())
    }

    fn holds(&self, block: usize, at: u64, len: usize) -> bool {
        self.blocks
            .get(block)
            .is_some_and(|b| at >= b.at && (at - b.at) as usize + len <= b.bytes.len())
    }

    /// Some bytes, to be changed.
    #[inline]
    pub fn slice(&mut self, at: u64, len: usize) -> Result<&mut [u8], Error> {
        if !self.holds(self.last, at, len) {
            let after = self.blocks.partition_point(|block| block.at <= at);
            self.last = after.saturating_sub(1);
            if !self.holds(self.last, at, len) {
                return Err(Error::new(format!("{len} bytes at {at:#x} are in no allocation")));
            }
        }
        let block = &mut self.blocks[self.last];
        let from = (at - block.at) as usize;
        Ok(&mut block.bytes[from..from + len])
    }

    /// A number of 1, 2, 4 or 8 bytes.
    #[inline]
    pub fn load(&mut self, at: u64, size: u32) -> Result<u64, Error> {
        aligned(at, size)?;
        let bytes = self.slice(at, size as usize)?;
        Ok(number(bytes))
    }

    /// Stores a number of 1, 2, 4 or 8 bytes.
    #[inline]
    pub fn store(&mut self, at: u64, size: u32, value: u64) -> Result<(), Error> {
        aligned(at, size)?;
        let bytes = self.slice(at, size as usize)?;
        bytes.copy_from_slice(&value.to_le_bytes()[..size as usize]);
        Ok(())
    }
}

/// Refuses an access that a GPU would refuse.
#[inline]
pub fn aligned(at: u64, size: u32) -> Result<(), Error> {
    if at.is_multiple_of(u64::from(size)) {
        return Ok(());
    }
    Err(Error::new(format!("{size} bytes at {at:#x} are not aligned")))
}

/// The number that some bytes are.
#[inline]
pub fn number(bytes: &[u8]) -> u64 {
    match *bytes {
        [a] => u64::from(a),
        [a, b] => u64::from(u16::from_le_bytes([a, b])),
        [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_outside_is_refused() {
        let mut memory = Memory::default();
        let (a, b) = (memory.alloc(8), memory.alloc(100));
        memory.store(a, 8, 7).unwrap();
        assert_eq!(memory.load(a, 8).unwrap(), 7);
        assert!(memory.load(a + 8, 4).is_err(), "past the end");
        assert!(memory.load(a - 4, 4).is_err(), "before the beginning");
        assert!(memory.load(b + 2, 4).is_err(), "not aligned");
        assert!(memory.load(b + 98, 2).is_ok());
        memory.free(a).unwrap();
        assert!(memory.load(a, 8).is_err(), "freed");
        assert!(memory.free(a).is_err());
        assert_eq!(memory.allocated(), 100);
    }
}
