//! Where lanes meet again that a jump parts: the first place that all ways from there lead through.

use crate::operation::Instr;

/// Lanes meet where they leave the function, if at all.
pub const AT_THE_END: u32 = u32::MAX;

/// For every instruction, where lanes meet that it parts. It means something for jumps alone.
pub fn meeting_places(code: &[Instr]) -> Vec<u32> {
    let graph = Graph::of(code);
    let after = graph.meeting_blocks();
    let mut places = vec![AT_THE_END; code.len()];
    for (block, first) in graph.firsts.iter().enumerate() {
        let end = graph.firsts.get(block + 1).copied().unwrap_or(code.len());
        let place = after[block].map_or(AT_THE_END, |block| graph.firsts[block] as u32);
        places[*first..end].fill(place);
    }
    places
}

/// Instructions that follow each other, and where each such block may lead.
struct Graph {
    firsts: Vec<usize>,
    next: Vec<Vec<usize>>,
}

/// Where an instruction leads beside the one after it.
fn targets(instr: &Instr) -> &[u32] {
    match instr {
        Instr::Jump { to } | Instr::JumpIf { to, .. } => std::slice::from_ref(to),
        Instr::JumpTo { targets, .. } => targets,
        _ => &[],
    }
}

/// Whether the instruction after one may follow it.
fn falls_through(instr: &Instr) -> bool {
    !matches!(instr, Instr::Jump { .. } | Instr::JumpTo { .. } | Instr::Leave | Instr::Trap)
}

impl Graph {
    fn of(code: &[Instr]) -> Graph {
        let mut is_first = vec![false; code.len() + 1];
        is_first[0] = true;
        for (at, instr) in code.iter().enumerate() {
            for to in targets(instr) {
                is_first[*to as usize] = true;
            }
            if !targets(instr).is_empty() || !falls_through(instr) {
                is_first[at + 1] = true;
            }
        }
        let firsts: Vec<usize> = (0..code.len()).filter(|at| is_first[*at]).collect();
        let block_of = |at: usize| firsts.partition_point(|first| *first <= at) - 1;
        let next = (0..firsts.len()).map(|block| {
            let last = firsts.get(block + 1).copied().unwrap_or(code.len()) - 1;
            let mut next: Vec<usize> =
                targets(&code[last]).iter().map(|to| block_of(*to as usize)).collect();
            if falls_through(&code[last]) && last + 1 < code.len() {
                next.push(block + 1);
            }
            next
        });
        let next = next.collect();
        Graph { firsts, next }
    }

    /// For every block the first one after it that all ways to the end lead through; `None` where that is
    /// the end. As Cooper, Harvey and Kennedy find dominators, with all ways turned around.
    fn meeting_blocks(&self) -> Vec<Option<usize>> {
        let end = self.next.len();
        let mut before = vec![Vec::new(); end + 1];
        for (block, next) in self.next.iter().enumerate() {
            for to in next {
                before[*to].push(block);
            }
            if next.is_empty() {
                before[end].push(block);
            }
        }
        let order = from_the_end(&before, end);
        let mut number = vec![usize::MAX; end + 1];
        for (at, block) in order.iter().enumerate() {
            number[*block] = at;
        }
        // The numbers of blocks; the end's is 0.
        let mut found = vec![usize::MAX; order.len()];
        found[0] = 0;
        let mut changed = true;
        while changed {
            changed = false;
            for at in 1..order.len() {
                let next = self.next[order[at]].iter().map(|block| number[*block]);
                let known = next.chain(self.next[order[at]].is_empty().then_some(0));
                let known = known.filter(|n| *n != usize::MAX && found[*n] != usize::MAX);
                let Some(new) = known.reduce(|a, b| common(&found, a, b)) else { continue };
                if found[at] != new {
                    found[at] = new;
                    changed = true;
                }
            }
        }
        let place = |block: usize| {
            let at = number[block];
            let meet = found.get(at).filter(|n| **n != usize::MAX && **n != 0)?;
            Some(order[*meet])
        };
        (0..end).map(place).collect()
    }
}

/// The nearest that two have in common.
fn common(found: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        if a > b {
            a = found[a];
        } else {
            b = found[b];
        }
    }
    a
}

/// All blocks that lead to the end, each after one that it leads to; the end first.
fn from_the_end(before: &[Vec<usize>], end: usize) -> Vec<usize> {
    let mut seen = vec![false; before.len()];
    let (mut done, mut walk) = (Vec::new(), vec![(end, 0)]);
    seen[end] = true;
    while let Some((block, k)) = walk.pop() {
        match before[block].get(k) {
            Some(&other) => {
                walk.push((block, k + 1));
                if !seen[other] {
                    seen[other] = true;
                    walk.push((other, 0));
                }
            }
            None => done.push(block),
        }
    }
    done.reverse();
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::Source;

    fn jump_if(to: u32) -> Instr {
        Instr::JumpIf { holds: Source::Number(1), to }
    }

    #[test]
    fn both_ways_of_a_choice_meet_after_it() {
        // 0: if → 3; 1: nothing; 2: jump 4; 3: nothing; 4: leave
        let nothing = Instr::Return { place: 0, from: Source::Number(0) };
        let code = [jump_if(3), nothing.clone(), Instr::Jump { to: 4 }, nothing, Instr::Leave];
        assert_eq!(meeting_places(&code)[0], 4);
    }

    #[test]
    fn lanes_that_leave_a_loop_meet_behind_it() {
        // 0: nothing; 1: if → 3; 2: jump 0; 3: leave
        let nothing = Instr::Return { place: 0, from: Source::Number(0) };
        let code = [nothing, jump_if(3), Instr::Jump { to: 0 }, Instr::Leave];
        assert_eq!(meeting_places(&code)[1], 3);
    }

    #[test]
    fn ways_that_leave_apart_meet_at_the_end() {
        let code = [jump_if(2), Instr::Leave, Instr::Leave];
        assert_eq!(meeting_places(&code)[0], AT_THE_END);
    }
}
