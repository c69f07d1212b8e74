//! `objects` in its eight modes over structured grids, as the portable code, with AVX2 and with AVX-512.

#![allow(unsafe_code)]

use std::hint::black_box;

#[cfg(target_arch = "x86_64")]
use batt_core::lanes::avx512::Avx512;
use batt_core::{Array, Cx, Lanes, Val, ops};
use batt_lang::Value;
use batt_run::engine::cpu::{Memory, to_val};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Grids like those of tasks: a background, rectangles, lines and single cells, sizes 3 to 30.
fn grids(count: u64) -> Vec<Value> {
    let mut state = 5_u64;
    let mut below = move |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % n
    };
    let mut grid = |_| {
        let (h, w) = (3 + below(28), 3 + below(28));
        let mut rows = vec![vec![0_i32; w as usize]; h as usize];
        let colors = 1 + below(4);
        for _ in 0..2 + below(h * w / 16 + 4) {
            let color = 1 + below(colors) as i32;
            let (i, j) = (below(h), below(w));
            let (a, b) = match below(4) {
                0 => (1, 1),
                1 => (1, 1 + below(w)),
                2 => (1 + below(h), 1),
                _ => (1 + below(4), 1 + below(4)),
            };
            for row in rows.iter_mut().skip(i as usize).take(a as usize) {
                row.iter_mut().skip(j as usize).take(b as usize).for_each(|c| *c = color);
            }
        }
        Value::grid(&rows)
    };
    (0..count).map(&mut grid).collect()
}

#[allow(clippy::inline_always, reason = "inlined into a function for an instruction set")]
#[inline(always)]
fn all<V: Lanes>(cx: Cx, grids: &[Val], mode: Val) {
    let taken = cx.taken();
    for grid in grids {
        black_box(ops::o_g::<V>(cx, *grid, mode));
        cx.release(taken);
    }
}

#[inline(never)]
fn portable(cx: Cx, grids: &[Val], mode: Val) {
    all::<Array>(cx, grids, mode);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn avx2(cx: Cx, grids: &[Val], mode: Val) {
    all::<Array>(cx, grids, mode);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn avx512(cx: Cx, grids: &[Val], mode: Val) {
    all::<Avx512>(cx, grids, mode);
}

fn objects(c: &mut Criterion) {
    let mut memory = Memory::new(1 << 16);
    let cx = memory.cx();
    let grids: Vec<Val> = grids(256).iter().map(|g| to_val(cx, g)).collect();
    let mut group = c.benchmark_group("objects");
    group.throughput(Throughput::Elements(grids.len() as u64));
    for mode in 0..8 {
        let val = Val::int(mode);
        group.bench_function(format!("portable/{mode}"), |b| b.iter(|| portable(cx, &grids, val)));
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: processors with AVX2 have the other features too.
            group.bench_function(format!("avx2/{mode}"), |b| {
                b.iter(|| unsafe { avx2(cx, &grids, val) });
            });
        }
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx512vpopcntdq") {
            // SAFETY: processors with these bit counts have the other features too.
            group.bench_function(format!("avx512/{mode}"), |b| {
                b.iter(|| unsafe { avx512(cx, &grids, val) });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, objects);
criterion_main!(benches);
