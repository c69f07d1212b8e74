//! From PTX to what a device runs. Compiling takes seconds, so its result is kept.

use std::ffi::c_void;
use std::fs;
use std::path::{Path, PathBuf};
use std::ptr::null_mut;

use cudarc::driver::sys::{self, CUjit_option, CUjitInputType, CUlinkState, CUmodule, CUresult};

use super::{Info, check, version};
use crate::PTX;
use crate::device::Failure;

/// How many registers a thread may have: more would leave too few threads on a processor.
const REGISTERS: usize = 128;

/// The kernels, loaded: from the cache, or compiled and kept there. The flag says that they were
/// compiled.
pub fn module(info: &Info, cache: Option<&Path>) -> Result<(CUmodule, bool), Failure> {
    let kept = cache.and_then(|folder| place(folder, info));
    if let Some(image) = kept.as_ref().and_then(|path| fs::read(path).ok())
        && let Ok(module) = load(&image)
    {
        return Ok((module, false));
    }
    let image = link()?;
    if let Some(path) = kept {
        keep(&path, &image);
    }
    Ok((load(&image)?, true))
}

/// Where the compiled kernels are kept: by their sources, the device and the driver.
fn place(folder: &Path, info: &Info) -> Option<PathBuf> {
    let (major, minor) = info.capability;
    let name =
        format!("{}-sm{major}{minor}-{}.cubin", crate::sources().get(..16)?, version().ok()?);
    Some(folder.join("kernels").join(name))
}

/// Keeps an image. That it could not be kept costs time at the next start and nothing else.
fn keep(path: &Path, image: &[u8]) {
    let Some(folder) = path.parent() else { return };
    let unfinished = path.with_extension(format!("{}.part", std::process::id()));
    let _ = fs::create_dir_all(folder)
        .and_then(|()| fs::write(&unfinished, image))
        .and_then(|()| fs::rename(&unfinished, path));
}

fn load(image: &[u8]) -> Result<CUmodule, Failure> {
    let mut module = null_mut();
    // SAFETY: the image is whole; the driver refuses what it cannot read, and writes one handle.
    check(unsafe { sys::cuModuleLoadData(&raw mut module, image.as_ptr().cast()) })
        .map_err(|why| Failure::Load(why.to_string()))?;
    Ok(module)
}

/// Compiles by linking: functions that many kernels call are compiled once, not for each of them.
fn link() -> Result<Vec<u8>, Failure> {
    let mut text = PTX.as_bytes().to_vec();
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
