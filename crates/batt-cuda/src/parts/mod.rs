//! The kernels in several parts, which a driver compiles side by side.
//!
//! A part has some of the kernels and everything that those call, so it stands alone. What kernels
//! of several parts call is in each of these parts.

mod read;
mod share;

use read::{Item, Kind};

/// Cuts PTX into at most so many parts that take about the same time to compile. Every kernel is in
/// one of them; the same text always gives the same parts.
pub fn split(ptx: &str, parts: usize) -> Vec<String> {
    let (header, items) = read::items(ptx);
    let sizes: Vec<usize> = items.iter().map(|item| item.text.len()).collect();
    let kernels: Vec<Vec<usize>> = (0..items.len())
        .filter(|at| items[*at].kind == Kind::Kernel)
        .map(|at| with_what_it_needs(&items, at))
        .collect();
    share::share(&sizes, &kernels, parts.max(1))
        .iter()
        .map(|part| text(&header, &items, part.iter().flat_map(|kernel| &kernels[*kernel])))
        .collect()
}

/// The names of a part's kernels.
pub fn kernels(part: &str) -> Vec<&str> {
    let named = part.lines().filter_map(|line| line.split_once(".entry "));
    named.filter_map(|(_, rest)| rest.split(['(', ' ']).next()).collect()
}

/// An item with all that it needs, directly or not.
fn with_what_it_needs(items: &[Item<'_>], start: usize) -> Vec<usize> {
    let mut found = vec![start];
    let mut next = 0;
    while let Some(&at) = found.get(next) {
        for &needed in &items[at].needs {
            if !found.contains(&needed) {
                found.push(needed);
            }
        }
        next += 1;
    }
    found
}

/// The items of a part, in the order that they had.
fn text<'a>(header: &str, items: &[Item<'_>], part: impl Iterator<Item = &'a usize>) -> String {
    let mut wanted = vec![false; items.len()];
    for &at in part {
        wanted[at] = true;
    }
    let mut text = header.to_string();
    for (item, _) in items.iter().zip(wanted).filter(|(_, wanted)| *wanted) {
        text.push_str(item.text);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PTX;

    #[test]
    fn every_kernel_is_in_one_part() {
        let mut all = kernels(PTX);
        assert!(all.contains(&"answer") && all.len() > 200, "{all:?}");
        all.sort_unstable();
        for count in [1, 5, 1000] {
            let parts = split(PTX, count);
            assert!(parts.len() <= count, "{} of {count}", parts.len());
            let mut found: Vec<&str> = parts.iter().flat_map(|part| kernels(part)).collect();
            found.sort_unstable();
            assert_eq!(found, all, "{count}");
        }
    }

    #[test]
    fn no_part_is_much_larger_than_it_must_be() {
        for (count, share) in [(2, 0.6), (4, 0.4), (8, 0.25), (16, 0.15)] {
            let parts = split(PTX, count);
            let longest = parts.iter().map(String::len).max().unwrap_or(0);
            assert!((longest as f64) < share * PTX.len() as f64, "{count}: {longest}");
        }
    }

    #[test]
    fn the_parts_are_the_same_each_time() {
        assert_eq!(split(PTX, 7), split(PTX, 7));
    }

    #[test]
    fn a_part_has_what_its_kernels_need() {
        let ptx = "\
.version 6.3
.global .align 1 .b8 table[2] = {1, 2};
.global .align 1 .b8 other[1] = {1};
.visible .func (.param .b32 func_retval0) inner
(
\t.param .b32 inner_param_0
)
;
.visible .entry One(
\t.param .b64 One_param_0
)
{
\tcall.uni outer;
}
.visible .entry Two(
\t.param .b64 Two_param_0
)
{
\tret;
}
.func outer()
{
\t{
\tcall.uni (retval0), inner, (param0);
\t}
}
.visible .func (.param .b32 func_retval0) inner(
\t.param .b32 inner_param_0
)
{
\tmov.b64 %rd1, table;
\tcall.uni outer;
}
";
        let parts = split(ptx, 2);
        let [one, two] = &parts[..] else { panic!("{parts:?}") };
        assert_eq!(one.replace(".version", ""), {
            let from = ptx.find(".visible .entry Two").unwrap_or(0);
            let to = ptx.find(".func outer").unwrap_or(0);
            let other = ".global .align 1 .b8 other[1] = {1};\n";
            format!("{}{}", &ptx[..from], &ptx[to..]).replace(other, "").replace(".version", "")
        });
        assert_eq!(kernels(two), ["Two"]);
        assert!(two.starts_with(".version 6.3\n") && !two.contains("inner"), "{two}");
    }
}
