#!/bin/sh
# Builds kernel/batt.ptx from kernel/ and batt-core, for Turing and newer.
#
# usage: kernel/build.sh [WORKDIR]      (default: kernel/target)
#
# Needs Debian 12, sh, apt-get and dpkg; nothing is installed. The compiler is Debian's rustc-web, of
# which all files go to WORKDIR: rustup's needs a nightly with its sources for the same.
# With ptxas in WORKDIR/ptxas or on the path (pip download --no-deps nvidia-cuda-nvcc has it) the
# registers, stack and spills of every kernel are printed too.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
work=${1:-$here/target}
version=1.96.0+dfsg1-1~deb12u2
mkdir -p "$work/debs" "$work/root" "$work/lib"

if [ ! -x "$work/root/usr/bin/rustc" ]; then
    (
        cd "$work/debs"
        apt-get download -q rustc-web=$version libstd-rust-web-1.96=$version \
            libstd-rust-web-dev=$version rust-web-src=$version libllvm22 || {
            echo "error: no such packages; apt-get update may help" >&2
            exit 1
        }
        for deb in *.deb; do dpkg -x "$deb" "$work/root"; done
    )
fi
usr=$work/root/usr
rust() {
    LD_LIBRARY_PATH=$usr/lib/x86_64-linux-gnu RUSTC_BOOTSTRAP=1 "$usr/bin/rustc" \
        --target nvptx64-nvidia-cuda -C target-cpu=sm_75 -C opt-level=3 -C panic=abort \
        -C codegen-units=1 -Z unstable-options -C symbol-mangling-version=hashed \
        -Z mir-enable-passes=-JumpThreading -L "$work/lib" "$@"
}
library=$usr/lib/rustlib/src/rust/library
[ -d "$library" ] || library=$(echo "$usr"/src/rustc-*/library)
if [ ! -f "$work/lib/libcore.rlib" ]; then
    rust --out-dir "$work/lib" --edition 2024 --crate-name core --crate-type rlib \
        --cap-lints allow -Z force-unstable-if-unmarked "$library/core/src/lib.rs"
fi
# Nothing of compiler_builtins is needed; an empty crate satisfies the implicit dependency.
if [ ! -f "$work/lib/libcompiler_builtins.rlib" ]; then
    echo '#![feature(compiler_builtins, no_core)] #![compiler_builtins] #![no_core]' |
        rust --out-dir "$work/lib" --edition 2021 --crate-name compiler_builtins \
            --crate-type rlib --cap-lints allow -Z force-unstable-if-unmarked -
fi

rust --edition 2024 --crate-name kernel --crate-type rlib --emit=asm --cap-lints warn \
    -o "$work/batt.ptx" "$here/src/lib.rs"
if grep -n '\.extern' "$work/batt.ptx"; then
    echo "error: symbols are missing; a panic is left in batt-core (see above)" >&2
    exit 1
fi

# crates/batt-cuda/tests/sources.rs checks this hash.
sources=$(
    cd "$root"
    find kernel/src crates/batt-core/src -name '*.rs' | LC_ALL=C sort
    echo kernel/build.sh
    echo crates/batt-lang/src/ops/table.rs
)
hash=$(cd "$root" && cat $sources | sha256sum | cut -d' ' -f1)
{
    echo "// batt's kernels, built by kernel/build.sh"
    echo "// sources: $hash"
    # Comments and empty lines only make it larger.
    sed -e 's|[[:space:]]*//.*$||' -e '/^[[:space:]]*$/d' "$work/batt.ptx"
} >"$here/batt.ptx"
echo "kernel/batt.ptx: $(wc -c <"$here/batt.ptx") bytes, $(grep -c '\.entry' "$here/batt.ptx") kernels"

ptxas=$work/ptxas
[ -x "$ptxas" ] || ptxas=$(command -v ptxas || true)
if [ -n "$ptxas" ]; then
    "$ptxas" -c -v -arch=sm_75 -o "$work/batt.cubin" "$here/batt.ptx" 2>"$work/ptxas.log"
    # Two lines for each kernel: stack and spills, then registers.
    awk '/Compiling entry function/ { name = $7 }
         /bytes stack frame/ && name != "" { stack = $1; spill = $5 }
         /Used [0-9]+ registers/ && name != "" {
             for (i = 1; i <= NF; i++) if ($i == "Used") regs = $(i + 1)
             printf "%4d registers %5d bytes of stack %5d bytes spilled  %s\n", regs, stack, spill, name
             name = "" }' "$work/ptxas.log" | sort -rn
fi
