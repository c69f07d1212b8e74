//! From PTX to what a device runs. Compiling takes seconds, so it is done on all cores, and its result
//! is kept.

use std::borrow::Cow;
use std::ffi::c_void;
use std::path::Path;
use std::ptr::null_mut;
use std::thread;

use cudarc::driver::sys::{
    self, CUcontext, CUjit_option, CUjitInputType, CUlinkState, CUmodule, CUresult,
};

use super::{Info, check, kept, version};
use crate::device::Failure;
use crate::reduce::with_reductions;
use crate::{PTX, parts};

/// How many registers a thread may have: more would leave too few threads on a processor.
const REGISTERS: usize = 64;

/// More parts than this would hardly be smaller: what their kernels share is in each of them.
const MOST_PARTS: usize = 16;

/// A part of the kernels, loaded.
pub struct Module {
    pub handle: CUmodule,
    /// The names of its kernels.
    pub kernels: Vec<String>,
}

/// The kernels, loaded: from the cache, or compiled and kept there. The flag says that they were
/// compiled.
pub fn modules(
    context: CUcontext,
    info: &Info,
    cache: Option<&Path>,
) -> Result<(Vec<Module>, bool), Failure> {
    let place = cache.and_then(|folder| kept::place(folder, info.capability, version().ok()?));
    if let Some(images) = place.as_deref().and_then(kept::read)
        && let Ok(modules) = load(&images)
    {
        return Ok((modules, false));
    }
    let images = compile(context, info.capability)?;
    if let Some(place) = place {
        kept::keep(&place, &images);
    }
    Ok((load(&images)?, true))
}

/// Loads images, of which the first says what is in the others: a line for each, with the names of its kernels.
fn load(images: &[Vec<u8>]) -> Result<Vec<Module>, Failure> {
    let (names, images) = images.split_first().ok_or_else(|| Failure::Load("no kernels".into()))?;
    let names = String::from_utf8_lossy(names);
    let mut modules: Vec<Module> = Vec::with_capacity(images.len());
    for (image, names) in images.iter().zip(names.lines()) {
        let mut module = null_mut();
        // SAFETY: the image is whole; the driver refuses what it cannot read, and writes one handle.
        let loaded = unsafe { sys::cuModuleLoadData(&raw mut module, image.as_ptr().cast()) };
        if let Err(why) = check(loaded) {
            for module in modules {
                // SAFETY: it was loaded above, and nobody has it.
                let _ = unsafe { sys::cuModuleUnload(module.handle) };
            }
            return Err(Failure::Load(why.to_string()));
        }
        let kernels = names.split(' ').map(str::to_string).collect();
        modules.push(Module { handle: module, kernels });
    }
    Ok(modules)
}

/// A context that threads make theirs.
#[derive(Clone, Copy)]
struct Shared(CUcontext);

// SAFETY: a context may be current to any number of threads.
unsafe impl Send for Shared {}

impl Shared {
    fn link(self, ptx: &str) -> Result<Vec<u8>, Failure> {
        // SAFETY: whoever opens the device waits for the threads, and holds the context meanwhile.
        check(unsafe { sys::cuCtxSetCurrent(self.0) })?;
        link(ptx)
    }
}

/// The kernels as a device runs them best.
fn kernels_for(capability: (i32, i32)) -> Cow<'static, str> {
    if capability < (8, 0) { Cow::from(PTX) } else { Cow::from(with_reductions(PTX)) }
}

/// Compiles the kernels, a part on each core: the driver takes one for a part. The first image says what is in the
/// others, see [`load`].
fn compile(context: CUcontext, capability: (i32, i32)) -> Result<Vec<Vec<u8>>, Failure> {
    let kernels = kernels_for(capability);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let parts = parts::split(&kernels, cores.min(MOST_PARTS));
    let context = Shared(context);
    let names: Vec<String> = parts.iter().map(|part| parts::kernels(part).join(" ")).collect();
    let names = Ok(names.join("\n").into_bytes());
    thread::scope(|scope| {
        let threads: Vec<_> =
            parts.iter().map(|part| scope.spawn(move || context.link(part))).collect();
        let images = threads.into_iter().map(|thread| {
            let failed = |_| Err(Failure::Load("a thread that compiles failed".into()));
            thread.join().unwrap_or_else(failed)
        });
        // All of them, so that none is left to `scope`, which would panic where a thread did.
        let images: Vec<_> = images.collect();
        std::iter::once(names).chain(images).collect()
    })
}

/// Compiles by linking: functions that many kernels call are compiled once, not for each of them.
fn link(ptx: &str) -> Result<Vec<u8>, Failure> {
    let mut text = ptx.as_bytes().to_vec();
    text.push(0);
    let mut log = vec![0u8; 8192];
    let mut options = [
        CUjit_option::CU_JIT_MAX_REGISTERS,
        CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
        CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
    ];
    let mut values = [REGISTERS as *mut c_void, log.as_mut_ptr().cast(), log.len() as *mut c_void];
    let mut state: CUlinkState = null_mut();
    let (mut image, mut size) = (null_mut(), 0);
    // SAFETY: three options with their values; the log outlives the state, which is destroyed below.
    let linked = unsafe {
        check(sys::cuLinkCreate_v2(3, options.as_mut_ptr(), values.as_mut_ptr(), &raw mut state))?;
        let mut result = sys::cuLinkAddData_v2(
            state,
            CUjitInputType::CU_JIT_INPUT_PTX,
            text.as_mut_ptr().cast(),
            text.len(),
            c"batt.ptx".as_ptr(),
            0,
            null_mut(),
            null_mut(),
        );
        if result == CUresult::CUDA_SUCCESS {
            result = sys::cuLinkComplete(state, &raw mut image, &raw mut size);
        }
        // The image belongs to the state.
        let copied = if result == CUresult::CUDA_SUCCESS {
            std::slice::from_raw_parts(image.cast::<u8>(), size).to_vec()
        } else {
            Vec::new()
        };
        let _ = sys::cuLinkDestroy(state);
        check(result).map(|()| copied)
    };
    linked.map_err(|why| {
        let said = log.split(|byte| *byte == 0).next().unwrap_or_default();
        Failure::Load(format!("{why} {}", String::from_utf8_lossy(said)))
    })
}
