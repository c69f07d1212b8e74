//! Sharing kernels out among parts.

/// A part that is being filled.
#[derive(Clone)]
struct Part {
    kernels: Vec<usize>,
    /// Which items are in it.
    has: Vec<bool>,
    size: usize,
}

impl Part {
    /// What it would grow by.
    fn growth(&self, sizes: &[usize], items: &[usize]) -> usize {
        items.iter().filter(|at| !self.has[**at]).map(|at| sizes[*at]).sum()
    }
}

/// Which kernels go into which part, so that the largest part is small. `sizes` are those of all
/// items; a kernel is the list of the items that must be where it is.
pub fn share(sizes: &[usize], kernels: &[Vec<usize>], parts: usize) -> Vec<Vec<usize>> {
    let whole: usize = sizes.iter().sum();
    let mut best = vec![(0..kernels.len()).collect()];
    // The limit is looked for by halves, to a thousandth of the whole.
    let (mut too_small, mut enough) = (0, whole);
    while parts > 1 && enough - too_small > whole / 1000 + 1 {
        let limit = usize::midpoint(too_small, enough);
        if let Some(found) = fill(sizes, kernels, parts, limit) {
            (best, enough) = (found, limit);
        } else {
            too_small = limit;
        }
    }
    best
}

/// Puts each kernel, the largest first, where it shares the most; `None` if a part would be larger
/// than the limit.
fn fill(
    sizes: &[usize],
    kernels: &[Vec<usize>],
    parts: usize,
    limit: usize,
) -> Option<Vec<Vec<usize>>> {
    let size = |kernel: &usize| kernels[*kernel].iter().map(|at| sizes[*at]).sum::<usize>();
    let mut order: Vec<usize> = (0..kernels.len()).collect();
    order.sort_by_key(|kernel| std::cmp::Reverse(size(kernel)));
    let empty = Part { kernels: Vec::new(), has: vec![false; sizes.len()], size: 0 };
    let mut filled = vec![empty; parts.min(kernels.len())];
    for kernel in order {
        let items = &kernels[kernel];
        let room = |part: &Part| part.size + part.growth(sizes, items) <= limit;
        let part = filled
            .iter_mut()
            .filter(|part| room(part))
            .min_by_key(|part| part.growth(sizes, items))?;
        part.size += part.growth(sizes, items);
        part.kernels.push(kernel);
        for &at in items {
            part.has[at] = true;
        }
    }
    Some(filled.into_iter().map(|part| part.kernels).filter(|part| !part.is_empty()).collect())
}
