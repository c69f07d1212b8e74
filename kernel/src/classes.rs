//! Which primitives only look at values, and never at the rows of a mask: a thread takes a row, and
//! not a warp. The host compiles this file too, since it decides how many threads to start.

const BY_THREAD: &[&str] = &[
    "identity",
    "add",
    "subtract",
    "multiply",
    "divide",
    "invert",
    "even",
    "double",
    "halve",
    "flip",
    "both",
    "either",
    "increment",
    "decrement",
    "crement",
    "sign",
    "positive",
    "toivec",
    "tojvec",
    "astuple",
    "branch",
    "ascell",
    "toij",
    "astriple",
    "size",
    "compose",
    "chain",
    "matcher",
    "rbind",
    "lbind",
    "power",
    "fork",
];

/// Whether a thread takes a row of this primitive.
pub const fn by_thread(name: &str) -> bool {
    let mut at = 0;
    while at < BY_THREAD.len() {
        if same(BY_THREAD[at].as_bytes(), name.as_bytes()) {
            return true;
        }
        at += 1;
    }
    false
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}
