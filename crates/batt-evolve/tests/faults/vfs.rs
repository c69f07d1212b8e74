//! A file system for SQLite that fails, tears writes and loses what was not flushed, where it is told.
//!
//! It stands between SQLite and the file system of the machine: every call is passed on, until the one
//! comes that is to fail. What SQLite asks of files is a table of C functions, so this is `unsafe`
//! throughout; it is test code, in no binary, and does no more with a pointer than to pass it on, but
//! for the four things that each `SAFETY` line names.

#![allow(unsafe_code, reason = "the functions that SQLite calls are C functions")]
#![allow(clippy::borrow_as_ptr, clippy::ptr_as_ptr)]

use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::fs;
use std::mem::{MaybeUninit, size_of};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::{Mutex, MutexGuard, OnceLock};

use rusqlite::ffi;

/// What a disk writes whole or not at all.
const SECTOR: u64 = 512;

/// What happens at a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It fails, a write after a part of it; the next one works again.
    Once,
    /// It fails, and so does everything after it: the disk is full or gone.
    Lasting,
    /// The process dies in it: a part of a write is done, and nothing follows.
    Death,
    /// The machine loses power: besides, any sectors that were not flushed are as they were.
    PowerCut,
}

#[derive(Default)]
struct State {
    calls: u64,
    plan: Option<(u64, Fault)>,
    /// Whether every call fails from now on.
    dead: bool,
    /// What was hit.
    hit: Option<String>,
    dice: u64,
    /// What stood where something was written that is not flushed, by file, the first write first.
    unflushed: HashMap<PathBuf, Vec<Before>>,
}

struct Before {
    offset: u64,
    bytes: Vec<u8>,
}

impl State {
    fn throw(&mut self) -> u64 {
        // `SplitMix64`: the same seed, the same faults.
        self.dice = self.dice.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.dice;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Counts a call; whether it is to fail.
    fn fails(&mut self, what: &str, path: &Path) -> bool {
        self.calls += 1;
        if self.dead {
            return true;
        }
        let Some((at, fault)) = self.plan else { return false };
        if self.calls != at {
            return false;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.hit = Some(format!("{what} {name}"));
        self.dead = fault != Fault::Once;
        true
    }
}

static STATE: Mutex<Option<State>> = Mutex::new(None);

fn state() -> MutexGuard<'static, Option<State>> {
    STATE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn with<T>(work: impl FnOnce(&mut State) -> T) -> T {
    work(state().get_or_insert_default())
}

/// From now on calls are counted from 1, and one of them fails.
pub fn plan(seed: u64, fault: Option<(u64, Fault)>) {
    install();
    *state() = Some(State { plan: fault, dice: seed, ..State::default() });
}

/// How many calls there were, and which one failed.
pub fn came() -> (u64, Option<String>) {
    with(|s| (s.calls, s.hit.clone()))
}

/// All works again. After a power cut any sectors that were not flushed are as they were; everything
/// that was open must be closed before.
pub fn mend() {
    let mut all = state().take().unwrap_or_default();
    if !matches!(all.plan, Some((_, Fault::PowerCut))) || !all.dead {
        return;
    }
    for (path, writes) in std::mem::take(&mut all.unflushed) {
        let Ok(file) = fs::OpenOptions::new().write(true).open(&path) else { continue };
        for before in writes.iter().rev() {
            for (at, sector) in (0_u64..).zip(before.bytes.chunks(SECTOR as usize)) {
                if all.throw().is_multiple_of(2) {
                    file.write_all_at(sector, before.offset + at * SECTOR).unwrap();
                }
            }
        }
    }
}

/// An open file, as SQLite knows it; the machine's own lies behind it in the same memory.
#[repr(C)]
struct File {
    base: ffi::sqlite3_file,
    path: *mut PathBuf,
}

/// The methods that a file of the machine has.
macro_rules! real {
    ($file:expr, $method:ident ( $($arg:expr),* )) => {{
        // SAFETY: SQLite calls with a file that `open` opened: the machine's file lies behind ours, and
        // its methods are there for as long as it is open.
        let real = unsafe { behind($file) };
        // SAFETY: as above; the machine's file has every method that we say ours has.
        unsafe { ((*(*real).pMethods).$method.unwrap())(real, $($arg),*) }
    }};
}

unsafe fn behind(file: *mut ffi::sqlite3_file) -> *mut ffi::sqlite3_file {
    // SAFETY: `szOsFile` asks for the room of both.
    unsafe { file.cast::<u8>().add(size_of::<File>()).cast() }
}

fn path_of<'a>(file: *mut ffi::sqlite3_file) -> &'a Path {
    // SAFETY: `open` put a path there that lives until `close`.
    unsafe { (*(*file.cast::<File>()).path).as_path() }
}

fn fails(what: &str, file: *mut ffi::sqlite3_file) -> bool {
    with(|s| s.fails(what, path_of(file)))
}

extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
    let code = real!(file, xClose());
    // SAFETY: `open` made it, and nobody uses it after this.
    drop(unsafe { Box::from_raw((*file.cast::<File>()).path) });
    code
}

extern "C" fn read(file: *mut ffi::sqlite3_file, to: *mut c_void, n: c_int, at: i64) -> c_int {
    if fails("read", file) {
        return ffi::SQLITE_IOERR_READ;
    }
    real!(file, xRead(to, n, at))
}

extern "C" fn write(file: *mut ffi::sqlite3_file, from: *const c_void, n: c_int, at: i64) -> c_int {
    let dead = with(|s| s.dead);
    let fail = fails("write", file);
    if dead {
        return ffi::SQLITE_IOERR_WRITE;
    }
    // What stands there now may come back.
    let mut bytes = vec![0_u8; n as usize];
    // Behind the end of a file there are zeros, for SQLite as well.
    real!(file, xRead(bytes.as_mut_ptr().cast(), n, at));
    let torn = with(|s| {
        s.unflushed
            .entry(path_of(file).to_path_buf())
            .or_default()
            .push(Before { offset: at as u64, bytes });
        (s.throw() % (n as u64 + 1)) as c_int
    });
    if fail {
        if torn > 0 {
            real!(file, xWrite(from, torn, at));
        }
        return if torn % 2 == 0 { ffi::SQLITE_FULL } else { ffi::SQLITE_IOERR_WRITE };
    }
    real!(file, xWrite(from, n, at))
}

extern "C" fn truncate(file: *mut ffi::sqlite3_file, size: i64) -> c_int {
    if fails("truncate", file) {
        return ffi::SQLITE_IOERR_TRUNCATE;
    }
    real!(file, xTruncate(size))
}

extern "C" fn sync(file: *mut ffi::sqlite3_file, flags: c_int) -> c_int {
    if fails("sync", file) {
        return ffi::SQLITE_IOERR_FSYNC;
    }
    with(|s| s.unflushed.remove(path_of(file)));
    real!(file, xSync(flags))
}

extern "C" fn size(file: *mut ffi::sqlite3_file, to: *mut i64) -> c_int {
    if fails("size", file) {
        return ffi::SQLITE_IOERR_FSTAT;
    }
    real!(file, xFileSize(to))
}

extern "C" fn lock(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    real!(file, xLock(level))
}

extern "C" fn unlock(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    real!(file, xUnlock(level))
}

extern "C" fn reserved(file: *mut ffi::sqlite3_file, to: *mut c_int) -> c_int {
    real!(file, xCheckReservedLock(to))
}

extern "C" fn control(file: *mut ffi::sqlite3_file, what: c_int, with: *mut c_void) -> c_int {
    real!(file, xFileControl(what, with))
}

extern "C" fn sector(file: *mut ffi::sqlite3_file) -> c_int {
    real!(file, xSectorSize())
}

extern "C" fn device(_: *mut ffi::sqlite3_file) -> c_int {
    // Nothing is promised of the disk.
    0
}

extern "C" fn shm_map(
    file: *mut ffi::sqlite3_file,
    page: c_int,
    size: c_int,
    extend: c_int,
    to: *mut *mut c_void,
) -> c_int {
    if fails("map", file) {
        return ffi::SQLITE_IOERR_SHMMAP;
    }
    real!(file, xShmMap(page, size, extend, to))
}

extern "C" fn shm_lock(
    file: *mut ffi::sqlite3_file,
    offset: c_int,
    n: c_int,
    flags: c_int,
) -> c_int {
    real!(file, xShmLock(offset, n, flags))
}

extern "C" fn shm_barrier(file: *mut ffi::sqlite3_file) {
    real!(file, xShmBarrier());
}

extern "C" fn shm_unmap(file: *mut ffi::sqlite3_file, delete: c_int) -> c_int {
    real!(file, xShmUnmap(delete))
}

static METHODS: ffi::sqlite3_io_methods = ffi::sqlite3_io_methods {
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(reserved),
    xFileControl: Some(control),
    xSectorSize: Some(sector),
    xDeviceCharacteristics: Some(device),
    xShmMap: Some(shm_map),
    xShmLock: Some(shm_lock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    xFetch: None,
    xUnfetch: None,
};

/// The machine's file system.
struct Real(*mut ffi::sqlite3_vfs);
// SAFETY: SQLite's own file system is for all threads, and is never taken away.
unsafe impl Send for Real {}
// SAFETY: as above.
unsafe impl Sync for Real {}

static REAL: OnceLock<Real> = OnceLock::new();

fn name_of(name: *const c_char) -> PathBuf {
    if name.is_null() {
        return PathBuf::from("temporary");
    }
    // SAFETY: SQLite names files by strings that end in a zero.
    PathBuf::from(unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
}

unsafe extern "C" fn open(
    _: *mut ffi::sqlite3_vfs,
    name: ffi::sqlite3_filename,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out: *mut c_int,
) -> c_int {
    // SAFETY: the room for both files is SQLite's, and it closes only what has methods.
    unsafe { (*file).pMethods = ptr::null() };
    let path = name_of(name);
    if with(|s| s.fails("open", &path)) {
        return ffi::SQLITE_CANTOPEN;
    }
    let vfs = REAL.get().unwrap().0;
    // SAFETY: as above; the machine's file lies behind ours.
    unsafe {
        let real = behind(file);
        let code = ((*vfs).xOpen.unwrap())(vfs, name, real, flags, out);
        if code == ffi::SQLITE_OK {
            (*file.cast::<File>()).path = Box::into_raw(Box::new(path));
            (*file).pMethods = &raw const METHODS;
        }
        code
    }
}

unsafe extern "C" fn delete(_: *mut ffi::sqlite3_vfs, name: *const c_char, dir: c_int) -> c_int {
    let path = name_of(name);
    if with(|s| s.fails("delete", &path)) {
        return ffi::SQLITE_IOERR_DELETE;
    }
    with(|s| s.unflushed.remove(&path));
    let vfs = REAL.get().unwrap().0;
    // SAFETY: the machine's own function, with what SQLite gave.
    unsafe { ((*vfs).xDelete.unwrap())(vfs, name, dir) }
}

/// Makes this the file system of every database that is opened from now on.
fn install() {
    REAL.get_or_init(|| {
        // SAFETY: SQLite has a default file system; a copy of it that differs in its name, its room and
        // two functions is one as well. It is never taken away, so it may be leaked.
        unsafe {
            let real = ffi::sqlite3_vfs_find(ptr::null());
            let mut ours = MaybeUninit::<ffi::sqlite3_vfs>::uninit();
            ptr::copy_nonoverlapping(real, ours.as_mut_ptr(), 1);
            let mut ours = Box::new(ours.assume_init());
            ours.zName = c"faults".as_ptr();
            ours.szOsFile += size_of::<File>() as c_int;
            ours.pNext = ptr::null_mut();
            ours.xOpen = Some(open);
            ours.xDelete = Some(delete);
            assert_eq!(ffi::sqlite3_vfs_register(Box::into_raw(ours), 1), ffi::SQLITE_OK);
            Real(real)
        }
    });
}
