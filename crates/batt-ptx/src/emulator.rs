//! A device that runs batt's own PTX on this CPU.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use batt_cuda::device::{Arriving, Device, Failure, Kernel, Plain, Staged, Start};

use crate::{Grid, Memory, Module};

/// An emulated device: slow, and exact about what a real one leaves undefined.
pub struct Emulator {
    module: Module,
    kernels: Vec<String>,
    memory: Mutex<Memory>,
    room: usize,
    start: Start,
    /// Instructions that warps ran.
    ran: AtomicU64,
    /// By kernel the most instructions that one warp ran.
    longest: Vec<AtomicU64>,
}

impl Emulator {
    /// A device with the checked-in kernels and so many bytes of memory.
    pub fn new(room: usize) -> Result<Emulator, Failure> {
        Emulator::of(batt_cuda::PTX, room)
    }

    /// A device with other kernels, as text.
    pub fn of(ptx: &str, room: usize) -> Result<Emulator, Failure> {
        let started = Instant::now();
        let mut memory = Memory::default();
        let module =
            Module::read(ptx, &mut memory).map_err(|why| Failure::Load(why.to_string()))?;
        let kernels: Vec<String> = module.kernels().map(str::to_string).collect();
        let longest = kernels.iter().map(|_| AtomicU64::new(0)).collect();
        let start = Start { compiled: true, time: started.elapsed() };
        let (memory, ran) = (Mutex::new(memory), AtomicU64::new(0));
        Ok(Emulator { module, kernels, memory, room, start, ran, longest })
    }

    /// How many bytes are allocated, the kernels' own included.
    pub fn allocated(&self) -> usize {
        self.with(|memory| memory.allocated())
    }

    /// By kernel the most instructions that one warp ran, as far as it ran: on a device, a kernel
    /// takes as long as its slowest warp.
    pub fn longest(&self) -> impl Iterator<Item = (&str, u64)> {
        let ran = self.longest.iter().map(|longest| longest.load(Ordering::Relaxed));
        self.kernels.iter().map(String::as_str).zip(ran).filter(|(_, longest)| *longest > 0)
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

    fn start(&self) -> Start {
        self.start
    }

    /// A nanosecond for every instruction of a warp, so that profiles are the same every time.
    fn kernel_time(&self) -> Duration {
        Duration::from_nanos(self.ran.load(Ordering::Relaxed))
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

    fn stage<'d>(&'d self, bytes: &[u8]) -> Result<Box<dyn Staged + 'd>, Failure> {
        Ok(Box::new(Plain::stage(bytes)))
    }

    fn fetch(&self, at: u64, size: usize) -> Result<Box<dyn Arriving + '_>, Failure> {
        Ok(Box::new(Plain::fetch(self, at, size)?))
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
        let done = self.with(|memory| self.module.launch(name, grid, params, memory));
        let ran = done.map_err(|why| lost(&why))?;
        self.ran.fetch_add(ran.all, Ordering::Relaxed);
        self.longest[kernel.0 as usize].fetch_max(ran.longest, Ordering::Relaxed);
        Ok(())
    }

    fn wait(&self) -> Result<(), Failure> {
        Ok(())
    }
}
