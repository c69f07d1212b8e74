//! `power`: begins, finds the rows that must run once more, and takes what their bodies gave.

use core::sync::atomic::{AtomicU32, Ordering};

use crate::calls::{count_all, past_limit};
use crate::columns::{MAX_POWER, MOST_BODIES, Power};
use crate::global::{get, set};
use crate::lanes::Lanes;
use crate::lanes::gpu::{Gpu, lane};
use crate::rows::{each_by_thread, each_by_warp, first_bad, list};
use crate::val::{Fault, Val};

/// What the first body is given, and how often bodies run.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn power_begin(p: Power) {
    let list = list!(power_begin, Power, list);
    each_by_thread(p.rows, |row| {
        let guard = first_bad(list, 2, p.guards, row);
        let bad = first_bad(list, 0, 2, row);
        let (val, left) = match p.list[0].get(row).as_int() {
            _ if guard.is_bad() => (guard, 0),
            _ if bad.is_bad() => (bad, 0),
            None => (Val::error(Fault::Type), 0),
            Some(..1) => (Val::error(Fault::Recursion), 0),
            Some(n) if n > MAX_POWER => (Val::error(Fault::Size), 0),
            Some(n) => (p.list[1].get(row), n),
        };
        set((p.values as *mut Val).add(row as usize), val.began_at(p.slot));
        *(p.left as *mut i32).add(row as usize) = left;
        set((p.bodies as *mut u32).add(row as usize), 0);
    });
}

/// The rows that run once more, and how far from the most the fewest times are that one of them runs.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn power_active(p: Power) {
    each_by_warp(p.rows.div_ceil(32), |block| {
        let row = block * 32 + lane();
        let left =
            if row < p.rows { get((p.left as *const u32).add(row as usize)) as i32 } else { 0 };
        let runs = left > 0;
        let (before, all) = Gpu::before(u32::from(runs));
        let fewest = Gpu::least(if runs { left } else { i32::MAX });
        let mut start = 0;
        if lane() == 0 && all > 0 {
            let count = p.count as *const AtomicU32;
            start = (*count).fetch_add(all, Ordering::Relaxed);
            (*count.add(1)).fetch_max((i32::MAX - fewest) as u32, Ordering::Relaxed);
        }
        let at = Gpu(start).get(0) + before;
        if runs {
            set((p.active as *mut u32).add(at as usize), row);
        }
    });
}

/// Takes what the bodies gave; rows that are done stay as they are.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn power_step(p: Power) {
    let list = list!(power_step, Power, list);
    each_by_thread(p.rows, |at| {
        let row = *(p.active as *const u32).add(at as usize) as usize;
        let left = (p.left as *mut i32).add(row);
        if *left <= 0 {
            return;
        }
        let inner = count_all(list, 0, p.nested, at);
        let bodies = (p.bodies as *mut u32).add(row);
        *bodies = (*bodies + 1 + inner).min(MOST_BODIES);
        let limit = past_limit(*bodies, p.nested > 0);
        let limit = if !limit.is_bad() & (*bodies > p.most) { Val::BACK } else { limit };
        let val = if limit.is_bad() { limit } else { p.body.get(at) };
        set((p.values as *mut Val).add(row), val);
        *left = if val.is_bad() { 0 } else { *left - 1 };
    });
}
