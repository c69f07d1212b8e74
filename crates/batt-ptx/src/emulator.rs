//! A device that runs batt's own PTX on this CPU.

use std::sync::{Mutex, PoisonError};

use batt_cuda::device::{Device, Failure, Kernel};

use crate::{Grid, Memory, Module};

/// An emulated device: slow, and exact about what a real one leaves undefined.
pub struct Emulator {
    module: Module,
    kernels: Vec<String>,
    memory: Mutex<Memory>,
    room: usize,
}

impl Emulator {
    /// A device with the checked-in kernels and so many bytes of memory.
    pub fn new(room: usize) -> Result<Emulator, Failure> {
        Emulator::of(batt_cuda::PTX, room)
    }

    /// A device with other kernels, as text.
    pub fn of(ptx: &str, room: usize) -> Result<Emulator, Failure> {
        let mut memory = Memory::default();
        let module =
            Module::read(ptx, &mut memory).map_err(|why| Failure::Load(why.to_string()))?;
        let kernels = module.kernels().map(str::to_string).collect();
        Ok(Emulator { module, kernels, memory: Mutex::new(memory), room })
    }

    /// How many bytes are allocated, the kernels' own included.
    pub fn allocated(&self) -> usize {
        self.with(|memory| memory.allocated())
    }

    fn with<T>(&self, f: impl FnOnce(&mut Memory) -> T) -> T {
        f(&mut self.memory.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn lost(why: &crate::Error) -> Failure {
    Failure::Lost(why.to_string())
}

impl Device for Emulator {
    fn name(&self) -> String {
        "emulator".into()
    }

    fn processors(&self) -> u32 {
        1
    }

    fn free_memory(&self) -> Result<usize, Failure> {
        Ok(self.room.saturating_sub(self.allocated()))
    }

    fn alloc(&self, size: usize) -> Result<u64, Failure> {
        if size > self.free_memory()? {
            return Err(Failure::OutOfMemory);
        }
        Ok(self.with(|memory| memory.alloc(size)))
    }

    fn free(&self, at: u64) -> Result<(), Failure> {
        self.with(|memory| memory.free(at)).map_err(|why| lost(&why))
    }

    fn upload(&self, at: u64, bytes: &[u8]) -> Result<(), Failure> {
        self.with(|memory| memory.write(at, bytes)).map_err(|why| lost(&why))
    }

    fn download(&self, at: u64, bytes: &mut [u8]) -> Result<(), Failure> {
        self.with(|memory| memory.read(at, bytes.len()).map(|found| bytes.copy_from_slice(found)))
            .map_err(|why| lost(&why))
    }

    fn clear(&self, at: u64, size: usize) -> Result<(), Failure> {
        self.with(|memory| memory.slice(at, size).map(|bytes| bytes.fill(0)))
            .map_err(|why| lost(&why))
    }

    fn kernel(&self, name: &str) -> Result<Kernel, Failure> {
        let found = self.kernels.iter().position(|kernel| kernel == name);
        found.map(|at| Kernel(at as u32)).ok_or_else(|| Failure::Load(format!("no kernel {name}")))
    }

    fn launch(
        &self,
        kernel: Kernel,
        blocks: u32,
        threads: u32,
        params: &[u8],
    ) -> Result<(), Failure> {
        let name = self.kernels.get(kernel.0 as usize);
        let name = name.ok_or_else(|| Failure::Launch("no such kernel".into()))?;
        let grid = Grid { blocks, threads };
        self.with(|memory| self.module.launch(name, grid, params, memory)).map_err(|why| lost(&why))
    }

    fn wait(&self) -> Result<(), Failure> {
        Ok(())
    }
}
