//! Devices behind NVIDIA's driver, which is looked for at run time.

#![allow(unsafe_code)]

mod clock;
mod compile;
mod kept;
mod pinned;
mod watch;

use std::ffi::{CString, c_void};
use std::path::Path;
use std::ptr::null_mut;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use cudarc::driver::sys::{
    self, CUcontext, CUdevice, CUdevice_attribute, CUfunction, CUlimit, CUresult, CUstream,
};

use crate::device::{Arriving, Device, Failure, Kernel, Plain, Staged, Start};
use clock::Clock;
use compile::Module;
use pinned::Shelf;

/// Bytes of stack that a thread has: values nest, and comparing them goes down into them.
const STACK: usize = 8 << 10;

/// So many bytes are brought by way of page-locked memory, which takes one wait and not two.
const SMALL: usize = 4 << 10;

/// What is known of a device before it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// Its number.
    pub number: usize,
    /// What it calls itself.
    pub name: String,
    /// Its compute capability.
    pub capability: (i32, i32),
    /// How many units compute side by side.
    pub processors: u32,
    /// Bytes of memory in all.
    pub memory: usize,
}

/// The first capability that the kernels run on.
pub const LEAST: (i32, i32) = (7, 5);

/// The devices there are.
pub fn devices() -> Result<Vec<Info>, Failure> {
    start()?;
    let mut count = 0;
    // SAFETY: the driver is there and started; it writes one int.
    check(unsafe { sys::cuDeviceGetCount(&raw mut count) })?;
    (0..count as usize).map(info).collect()
}

/// The driver's version, as 1000 times the major and 10 times the minor one.
pub fn version() -> Result<i32, Failure> {
    start()?;
    let mut version = 0;
    // SAFETY: the driver is there; it writes one int.
    check(unsafe { sys::cuDriverGetVersion(&raw mut version) })?;
    Ok(version)
}

/// Asks the driver for as many queues as it has, where nothing else is asked of it. With the usual eight,
/// streams beyond them wait for kernels that they have nothing to do with.
///
/// # Safety
///
/// This sets a variable of the environment, so no other thread may run yet.
pub unsafe fn ask_for_queues() {
    const QUEUES: &str = "CUDA_DEVICE_MAX_CONNECTIONS";
    if std::env::var_os(QUEUES).is_none() {
        // SAFETY: the caller says that this is the only thread.
        unsafe { std::env::set_var(QUEUES, "32") };
    }
}

/// Starts the driver, if there is one.
fn start() -> Result<(), Failure> {
    // SAFETY: opens the library and closes it again. Calls into a missing library would panic.
    if !unsafe { sys::is_culib_present() } {
        return Err(Failure::NoLibrary);
    }
    // SAFETY: the library is there.
    match unsafe { sys::cuInit(0) } {
        CUresult::CUDA_SUCCESS => Ok(()),
        CUresult::CUDA_ERROR_NO_DEVICE => Err(Failure::NoDevice),
        other => Err(failure(other)),
    }
}

fn info(number: usize) -> Result<Info, Failure> {
    let device = find(number)?;
    let mut name = [0u8; 128];
    let mut memory = 0;
    // SAFETY: the device exists; the driver writes at most as many bytes as it is told, and one size.
    unsafe {
        check(sys::cuDeviceGetName(name.as_mut_ptr().cast(), name.len() as i32, device))?;
        check(sys::cuDeviceTotalMem_v2(&raw mut memory, device))?;
    }
    let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
    Ok(Info {
        number,
        name: String::from_utf8_lossy(name).into_owned(),
        capability: (
            attribute(device, CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            attribute(device, CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        ),
        processors: attribute(device, CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?
            as u32,
        memory,
    })
}

fn find(number: usize) -> Result<CUdevice, Failure> {
    let mut device = 0;
    // SAFETY: the driver is started; it writes one handle.
    match unsafe { sys::cuDeviceGet(&raw mut device, number as i32) } {
        CUresult::CUDA_SUCCESS => Ok(device),
        CUresult::CUDA_ERROR_INVALID_DEVICE => Err(Failure::NoSuchDevice(number)),
        other => Err(failure(other)),
    }
}

fn attribute(device: CUdevice, attribute: CUdevice_attribute) -> Result<i32, Failure> {
    let mut value = 0;
    // SAFETY: the device exists; the driver writes one int.
    check(unsafe { sys::cuDeviceGetAttribute(&raw mut value, attribute, device) })?;
    Ok(value)
}

fn failure(result: CUresult) -> Failure {
    match result {
        CUresult::CUDA_ERROR_OUT_OF_MEMORY => Failure::OutOfMemory,
        other => Failure::Lost(format!("{other:?}")),
    }
}

fn check(result: CUresult) -> Result<(), Failure> {
    if result == CUresult::CUDA_SUCCESS { Ok(()) } else { Err(failure(result)) }
}

/// A device with the kernels loaded, and a stream of its own.
pub struct Cuda {
    opened: Arc<Opened>,
    stream: CUstream,
    clock: Mutex<Clock>,
}

/// What all streams of a device share.
struct Opened {
    info: Info,
    device: CUdevice,
    context: CUcontext,
    modules: Vec<Module>,
    start: Start,
    shelf: Shelf,
    functions: RwLock<Vec<(String, Function)>>,
}

/// A kernel's handle, which any thread may use.
#[derive(Clone, Copy)]
struct Function(CUfunction);

// SAFETY: the driver's handles may be used by any thread whose current context is theirs.
unsafe impl Send for Function {}
// SAFETY: as above.
unsafe impl Sync for Function {}
// SAFETY: as above; every call makes the context current first.
unsafe impl Send for Opened {}
// SAFETY: as above.
unsafe impl Sync for Opened {}
// SAFETY: as above; the clock is behind a lock.
unsafe impl Send for Cuda {}
// SAFETY: as above.
unsafe impl Sync for Cuda {}

impl Cuda {
    /// Opens a device. What the driver compiles the kernels to is kept in `cache`, if given.
    pub fn open(number: usize, cache: Option<&Path>) -> Result<Cuda, Failure> {
        start()?;
        let (device, info) = (find(number)?, info(number)?);
        if info.capability < LEAST {
            let (major, minor) = info.capability;
            return Err(Failure::Load(format!(
                "{} has compute capability {major}.{minor}; 7.5 is the least",
                info.name
            )));
        }
        let mut context = null_mut();
        // SAFETY: the device exists; the driver writes a handle.
        unsafe {
            check(sys::cuDevicePrimaryCtxRetain(&raw mut context, device))?;
            check(sys::cuCtxSetCurrent(context))?;
            check(sys::cuCtxSetLimit(CUlimit::CU_LIMIT_STACK_SIZE, STACK))?;
        }
        let started = Instant::now();
        let (modules, compiled) = compile::modules(context, &info, cache)?;
        let start = Start { compiled, time: started.elapsed() };
        let (shelf, functions) = (Shelf::default(), RwLock::default());
        let opened = Opened { info, device, context, modules, start, shelf, functions };
        Cuda::on(Arc::new(opened))
    }

    /// The same device with a stream of its own: what is asked of the two runs side by side.
    pub fn beside(&self) -> Result<Cuda, Failure> {
        Cuda::on(Arc::clone(&self.opened))
    }

    fn on(opened: Arc<Opened>) -> Result<Cuda, Failure> {
        opened.current()?;
        let mut stream = null_mut();
        // SAFETY: the driver writes a handle. 1: it does not wait for other streams.
        check(unsafe { sys::cuStreamCreate(&raw mut stream, 1) })?;
        Ok(Cuda { opened, stream, clock: Mutex::new(Clock::new()?) })
    }

    /// What is known of it.
    pub fn info(&self) -> &Info {
        &self.opened.info
    }

    fn clock(&self) -> std::sync::MutexGuard<'_, Clock> {
        self.clock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn current(&self) -> Result<(), Failure> {
        self.opened.current()
    }
}

impl Opened {
    /// The kernel of a name, from the module that has it.
    fn function(&self, name: &str) -> Result<Function, Failure> {
        let failed = |why: Failure| Failure::Load(format!("{name}: {why}"));
        let c_name = CString::new(name).map_err(|_| Failure::Load(name.into()))?;
        let has = |module: &&Module| module.kernels.iter().any(|kernel| kernel == name);
        let missing = || failed(failure(CUresult::CUDA_ERROR_NOT_FOUND));
        let module = self.modules.iter().find(has).ok_or_else(missing)?;
        let mut function = null_mut();
        // SAFETY: the module is loaded, the name ends in zero, and the driver writes one handle.
        let found =
            unsafe { sys::cuModuleGetFunction(&raw mut function, module.handle, c_name.as_ptr()) };
        check(found).map_err(failed)?;
        Ok(Function(function))
    }

    fn current(&self) -> Result<(), Failure> {
        // SAFETY: the context lives as long as `self`.
        check(unsafe { sys::cuCtxSetCurrent(self.context) })
    }
}

impl Drop for Cuda {
    fn drop(&mut self) {
        if self.current().is_ok() {
            self.clock().destroy();
            // SAFETY: it is ours, and nobody uses it any more.
            let _ = unsafe { sys::cuStreamDestroy_v2(self.stream) };
        }
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        if self.current().is_err() {
            return;
        }
        self.shelf.clear();
        // SAFETY: these are ours, and nobody uses them any more.
        unsafe {
            for module in &self.modules {
                let _ = sys::cuModuleUnload(module.handle);
            }
            let _ = sys::cuDevicePrimaryCtxRelease_v2(self.device);
        }
    }
}

impl Device for Cuda {
    fn name(&self) -> String {
        self.opened.info.name.clone()
    }

    fn start(&self) -> Start {
        self.opened.start
    }

    fn kernel_time(&self) -> Duration {
        self.clock().time()
    }

    fn processors(&self) -> u32 {
        self.opened.info.processors
    }

    fn free_memory(&self) -> Result<usize, Failure> {
        self.current()?;
        let (mut free, mut total) = (0, 0);
        // SAFETY: the driver writes two sizes.
        check(unsafe { sys::cuMemGetInfo_v2(&raw mut free, &raw mut total) })?;
        Ok(free)
    }

    fn alloc(&self, size: usize) -> Result<u64, Failure> {
        self.current()?;
        let mut at = 0;
        // SAFETY: the driver writes one address.
        check(unsafe { sys::cuMemAlloc_v2(&raw mut at, size.max(1)) })?;
        Ok(at)
    }

    fn free(&self, at: u64) -> Result<(), Failure> {
        self.current()?;
        // SAFETY: the driver refuses what it did not allocate.
        check(unsafe { sys::cuMemFree_v2(at) })
    }

    fn upload(&self, at: u64, bytes: &[u8]) -> Result<(), Failure> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.current()?;
        let from = bytes.as_ptr().cast::<c_void>();
        // SAFETY: `bytes` is readable; pageable memory has been read when the call is back.
        check(unsafe { sys::cuMemcpyHtoDAsync_v2(at, from, bytes.len(), self.stream) })
    }

    fn copy(&self, from: u64, to: u64, size: usize) -> Result<(), Failure> {
        if size == 0 {
            return Ok(());
        }
        self.current()?;
        // SAFETY: an address outside of every allocation is an error of the device, not of the host.
        check(unsafe { sys::cuMemcpyDtoDAsync_v2(to, from, size, self.stream) })
    }

    fn download(&self, at: u64, bytes: &mut [u8]) -> Result<(), Failure> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.current()?;
        if bytes.len() <= SMALL {
            self.clock().ends(self.stream)?;
            pinned::fetch(self, at, bytes.len())?.take(bytes)?;
            return self.clock().ended();
        }
        let to = bytes.as_mut_ptr().cast::<c_void>();
        // The copy of pageable memory would wait without end for a kernel that never ends.
        self.wait()?;
        // SAFETY: `bytes` is writable until the stream is done, which is waited for.
        check(unsafe { sys::cuMemcpyDtoHAsync_v2(to, at, bytes.len(), self.stream) })?;
        self.wait()
    }

    fn stage<'d>(&'d self, bytes: &[u8]) -> Result<Box<dyn Staged + 'd>, Failure> {
        match pinned::stage(self, bytes) {
            // Slower, and as good.
            Err(Failure::OutOfMemory) => Ok(Box::new(Plain::stage(bytes))),
            done => done,
        }
    }

    fn fetch(&self, at: u64, size: usize) -> Result<Box<dyn Arriving + '_>, Failure> {
        match pinned::fetch(self, at, size) {
            Err(Failure::OutOfMemory) => Ok(Box::new(Plain::fetch(self, at, size)?)),
            done => done,
        }
    }

    fn clear(&self, at: u64, size: usize) -> Result<(), Failure> {
        self.current()?;
        // SAFETY: an address outside of every allocation is an error of the device, not of the host.
        check(unsafe { sys::cuMemsetD8Async(at, 0, size, self.stream) })
    }

    fn kernel(&self, name: &str) -> Result<Kernel, Failure> {
        self.current()?;
        let failed = |_| Failure::Lost("a thread failed".into());
        let place = |functions: &[(String, Function)]| {
            let at = functions.iter().position(|(known, _)| known == name)?;
            Some(Kernel(at as u32))
        };
        // Nearly always it is known, and others start kernels meanwhile.
        if let Some(kernel) = place(&self.opened.functions.read().map_err(failed)?) {
            return Ok(kernel);
        }
        let failed = |_| Failure::Lost("a thread failed".into());
        let mut functions = self.opened.functions.write().map_err(failed)?;
        if let Some(kernel) = place(&functions) {
            return Ok(kernel);
        }
        let function = self.opened.function(name)?;
        functions.push((name.to_string(), function));
        Ok(Kernel(functions.len() as u32 - 1))
    }

    fn launch(
        &self,
        kernel: Kernel,
        blocks: u32,
        threads: u32,
        params: &[u8],
    ) -> Result<(), Failure> {
        self.current()?;
        let function = match self.opened.functions.read() {
            Ok(functions) => functions.get(kernel.0 as usize).map(|(_, function)| *function),
            Err(_) => None,
        };
        let function = function.ok_or_else(|| Failure::Launch("no such kernel".into()))?;
        self.clock().starts(self.stream)?;
        let mut list = [params.as_ptr().cast_mut().cast::<c_void>()];
        // SAFETY: the kernel takes one parameter of as many bytes, which the driver copies.
        let result = unsafe {
            sys::cuLaunchKernel(
                function.0,
                blocks,
                1,
                1,
                threads,
                1,
                1,
                0,
                self.stream,
                list.as_mut_ptr(),
                null_mut(),
            )
        };
        check(result).map_err(|why| match why {
            Failure::Lost(why) => Failure::Launch(why),
            other => other,
        })
    }

    fn wait(&self) -> Result<(), Failure> {
        self.current()?;
        self.clock().ends(self.stream)?;
        watch::wait(|| {
            // SAFETY: the stream is ours.
            match unsafe { sys::cuStreamQuery(self.stream) } {
                CUresult::CUDA_ERROR_NOT_READY => Ok(false),
                other => check(other).map(|()| true),
            }
        })?;
        self.clock().ended()
    }
}
