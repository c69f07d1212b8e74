//! 32 lanes, how they part and meet.
//!
//! Lanes that stand at the same place are a group and run together. A jump that only some take parts
//! a group; its lanes wait for each other at the first place that all of them come to, as they do on a GPU, so
//! that what is counted is what a GPU runs. A group that comes to a shuffle or a
//! vote without the others waits for them; where they wait elsewhere, or have ended, that is an
//! error: on a GPU the result would be anything.

use crate::meet::AT_THE_END;
use crate::memory::{aligned, number};
use crate::module::{Function, Module};
use crate::operation::{Call, Instr, Source, Type};
use crate::run::{self, Lanes};
use crate::{Error, Memory};

/// How many threads run a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// How many blocks.
    pub blocks: u32,
    /// How many threads each has; whole warps.
    pub threads: u32,
}

/// Where a lane's own memory begins, and how much there is.
const OWN: u64 = 1 << 16;
const OWN_SIZE: usize = 64 << 10;
/// A kernel that runs more instructions in one warp will never end.
const MOST_STEPS: u64 = 1 << 32;
const ALL: u32 = u32::MAX;

/// How many instructions the warps of a kernel ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ran {
    /// All of them together.
    pub all: u64,
    /// The one that ran most.
    pub longest: u64,
}

/// Runs a kernel, one warp after the other.
pub fn launch(
    module: &Module,
    kernel: usize,
    grid: Grid,
    parameters: &[u8],
    memory: &mut Memory,
) -> Result<Ran, Error> {
    if !grid.threads.is_multiple_of(32) {
        return Err(Error::new("a block must be whole warps"));
    }
    let mut warp = Warp {
        module,
        grid,
        parameters,
        memory,
        own: vec![0; OWN_SIZE * 32],
        frames: Vec::new(),
        unused: Vec::new(),
        groups: Vec::new(),
        meetings: Vec::new(),
        block: 0,
        first: 0,
    };
    let mut ran = Ran::default();
    for block in 0..grid.blocks {
        for first in (0..grid.threads).step_by(32) {
            (warp.block, warp.first) = (block, first);
            let steps = warp.run(kernel)?;
            ran.all += steps;
            ran.longest = ran.longest.max(steps);
        }
    }
    Ok(ran)
}

/// A function that some lanes are in.
struct Frame {
    function: usize,
    registers: Vec<Lanes>,
    given: Vec<Lanes>,
    returns: Vec<Lanes>,
    /// The lanes that have not left it.
    lanes: u32,
    /// Where its own memory begins.
    own: u64,
    /// The frame that called it and the place of the call.
    caller: Option<(usize, usize)>,
    depth: u32,
}

/// Lanes that stand at the same place.
#[derive(Clone, Copy, Debug)]
struct Group {
    lanes: u32,
    frame: usize,
    at: usize,
    waits: bool,
    /// Where its lanes meet others that they were parted from, last.
    meets: Option<usize>,
}

/// A place where lanes meet that were parted.
#[derive(Clone, Copy, Debug)]
struct Meeting {
    frame: usize,
    at: u32,
    /// The lanes that come there, and those that have.
    all: u32,
    come: u32,
    /// Where all of them meet others, after that.
    then: Option<usize>,
}

struct Warp<'a> {
    module: &'a Module,
    grid: Grid,
    parameters: &'a [u8],
    memory: &'a mut Memory,
    own: Vec<u8>,
    frames: Vec<Frame>,
    unused: Vec<usize>,
    groups: Vec<Group>,
    meetings: Vec<Meeting>,
    block: u32,
    first: u32,
}

impl Warp<'_> {
    fn run(&mut self, kernel: usize) -> Result<u64, Error> {
        self.frames.clear();
        self.unused.clear();
        let frame = self.enter(kernel, ALL, None, OWN, 0);
        self.groups = vec![Group { lanes: ALL, frame, at: 0, waits: false, meets: None }];
        self.meetings.clear();
        let mut steps = 0;
        while !self.groups.is_empty() || self.set_free() {
            let at = self.next_group(kernel)?;
            let group = self.groups.swap_remove(at);
            steps += self.walk(group).map_err(|e| self.placed(kernel, group.frame, &e))?;
            if steps > MOST_STEPS {
                let name = &self.module.functions[kernel].name;
                return Err(Error::new(format!("{name} does not end")));
            }
        }
        Ok(steps)
    }

    fn placed(&self, kernel: usize, frame: usize, error: &Error) -> Error {
        let name = |at: usize| &self.module.functions[at].name;
        let (kernel, function) = (name(kernel), name(self.frames[frame].function));
        Error::new(format!("{kernel}, in {function}: {error}"))
    }

    /// The group to run: the deepest in calls, then the one that is furthest behind.
    fn next_group(&mut self, kernel: usize) -> Result<usize, Error> {
        loop {
            let frames = &self.frames;
            let rank = |g: &Group| (std::cmp::Reverse(frames[g.frame].depth), g.at);
            let runs = self.groups.iter().enumerate().filter(|(_, g)| !g.waits);
            if let Some((at, _)) = runs.min_by_key(|(_, g)| rank(g)) {
                return Ok(at);
            }
            if !self.set_free() {
                break;
            }
        }
        let frames = &self.frames;
        let places: Vec<String> = self
            .groups
            .iter()
            .map(|g| {
                let f = &self.module.functions[frames[g.frame].function];
                format!("{:#010x} at line {} of {}", g.lanes, f.lines[g.at], f.name)
            })
            .collect();
        let name = &self.module.functions[kernel].name;
        Err(Error::new(format!("{name}: lanes wait for others that do not come: {places:?}")))
    }

    /// Lets lanes go on that wait where they should meet others, which cannot come; whether there were any.
    fn set_free(&mut self) -> bool {
        let meetings = std::mem::take(&mut self.meetings);
        for group in &mut self.groups {
            group.meets = None;
        }
        let mut any = false;
        for Meeting { frame, at, come, .. } in meetings.into_iter().filter(|m| m.come != 0) {
            any = true;
            let group = Group { lanes: come, frame, at: at as usize, waits: false, meets: None };
            if at == AT_THE_END { self.leave(group) } else { self.add(group) }
        }
        any
    }

    /// Parts lanes, which meet again after the jump at which they stand.
    fn part(&mut self, g: Group, ways: impl IntoIterator<Item = (u32, usize)>) {
        let at = self.module.functions[self.frames[g.frame].function].meets[g.at];
        let meeting = Meeting { frame: g.frame, at, all: g.lanes, come: 0, then: g.meets };
        self.meetings.push(meeting);
        let meets = Some(self.meetings.len() - 1);
        for (lanes, at) in ways {
            self.groups.push(Group { lanes, at, meets, ..g });
        }
    }

    /// A group that has come to where it meets others: what goes on from there, if all have come.
    fn meet(&mut self, mut g: Group, at: u32) -> Option<Group> {
        while let Some(which) = g.meets {
            let meeting = &mut self.meetings[which];
            if meeting.frame != g.frame || meeting.at != at {
                break;
            }
            meeting.come |= g.lanes;
            if meeting.come != meeting.all {
                return None;
            }
            g = Group { lanes: meeting.all, meets: meeting.then, ..g };
            (meeting.all, meeting.come) = (0, 0);
            while self.meetings.last().is_some_and(|meeting| meeting.all == 0) {
                self.meetings.pop();
            }
        }
        Some(g)
    }

    fn enter(
        &mut self,
        function: usize,
        lanes: u32,
        caller: Option<(usize, usize)>,
        own: u64,
        depth: u32,
    ) -> usize {
        let info = &self.module.functions[function];
        let at = self.unused.pop().unwrap_or_else(|| {
            self.frames.push(Frame {
                function,
                registers: Vec::new(),
                given: Vec::new(),
                returns: Vec::new(),
                lanes,
                own,
                caller,
                depth,
            });
            self.frames.len() - 1
        });
        let frame = &mut self.frames[at];
        frame.function = function;
        // What a register holds before it is written means nothing.
        frame.registers.resize(info.registers, [0; 32]);
        frame.given.resize(info.reads.len(), [0; 32]);
        frame.returns.resize(info.returns.len(), [0; 32]);
        (frame.lanes, frame.own, frame.caller, frame.depth) = (lanes, own, caller, depth);
        at
    }

    /// Adds a group, to one that stands there already if there is one.
    fn add(&mut self, new: Group) {
        for group in &mut self.groups {
            if group.frame == new.frame && group.at == new.at {
                group.lanes |= new.lanes;
                group.waits = false;
                if group.meets != new.meets {
                    group.meets = None;
                }
                return;
            }
        }
        self.groups.push(new);
    }

    /// Runs a group until it parts, waits or leaves. Gives how many steps.
    fn walk(&mut self, mut g: Group) -> Result<u64, Error> {
        let module = self.module;
        let mut steps = 0;
        loop {
            if let Some(which) = g.meets
                && self.meetings[which].at as usize == g.at
            {
                let Some(all) = self.meet(g, g.at as u32) else { return Ok(steps) };
                g = all;
            }
            let function: &Function = &module.functions[self.frames[g.frame].function];
            let Some(instr) = function.code.get(g.at) else {
                return Err(Error::new("ran past the end"));
            };
            steps += 1;
            match instr {
                Instr::Jump { to } => {
                    let back = (*to as usize) <= g.at;
                    g.at = *to as usize;
                    // What never ends must be noticed.
                    if back && steps > 1 << 20 {
                        self.groups.push(g);
                        return Ok(steps);
                    }
                }
                Instr::JumpIf { holds, to } => {
                    let holds = self.read(g.frame, *holds);
                    let taken = bits(&holds) & g.lanes;
                    if taken == g.lanes {
                        g.at = *to as usize;
                    } else if taken == 0 {
                        g.at += 1;
                    } else {
                        self.part(g, [(taken, *to as usize), (g.lanes & !taken, g.at + 1)]);
                        return Ok(steps);
                    }
                    if steps > 1 << 20 {
                        self.groups.push(g);
                        return Ok(steps);
                    }
                }
                Instr::JumpTo { which, targets } => {
                    let which = self.read(g.frame, *which);
                    let (mut left, mut ways) = (g.lanes, Vec::new());
                    while left != 0 {
                        let chosen = which[left.trailing_zeros() as usize];
                        let same =
                            (0..32).filter(|i| which[*i] == chosen).fold(0, |m, i| m | 1 << i);
                        let to = targets.get(chosen as usize);
                        let to = *to.ok_or_else(|| Error::new("a jump past its table"))?;
                        ways.push((same & left, to as usize));
                        left &= !same;
                    }
                    if let [(_, to)] = ways[..] {
                        g.at = to;
                    } else {
                        self.part(g, ways);
                        return Ok(steps);
                    }
                }
                Instr::Together { op, to, a, b } => {
                    if g.lanes != ALL {
                        let others = self.groups.len();
                        self.add(Group { waits: true, ..g });
                        // Where it joined others it may go on; alone it waits for them.
                        if self.groups.len() == others {
                            let whole = |w: &&mut Group| w.frame == g.frame && w.at == g.at;
                            if let Some(met) = self.groups.iter_mut().find(whole) {
                                met.waits = met.lanes != ALL;
                            }
                        }
                        return Ok(steps);
                    }
                    let (a, b) = (self.read(g.frame, *a), self.read(g.frame, *b));
                    if let Some(to) = to {
                        self.write(g.frame, ALL, *to, &run::together(*op, &a, &b));
                    }
                    g.at += 1;
                }
                Instr::Call(call) => {
                    g = self.call(g, call)?;
                }
                Instr::Leave => {
                    if let Some(all) = self.meet(g, AT_THE_END) {
                        self.leave(all);
                    }
                    return Ok(steps);
                }
                Instr::Trap => return Err(Error::new("a trap")),
                _ => {
                    self.straight(&g, instr)
                        .map_err(|e| Error::new(format!("line {}: {e}", function.lines[g.at])))?;
                    g.at += 1;
                }
            }
        }
    }

    fn call(&mut self, g: Group, call: &Call) -> Result<Group, Error> {
        let caller = &self.frames[g.frame];
        let size = self.module.functions[caller.function].local;
        let own = (caller.own + size).next_multiple_of(16);
        let needs = self.module.functions[call.function].local;
        if own + needs > OWN + OWN_SIZE as u64 {
            return Err(Error::new("calls nest too deep for a lane's own memory"));
        }
        let depth = caller.depth + 1;
        let read = |(s, shift): &(_, _)| self.read(g.frame, *s).map(|x| x >> shift);
        let given: Vec<Lanes> = call.given.iter().map(read).collect();
        let frame = self.enter(call.function, g.lanes, Some((g.frame, g.at)), own, depth);
        self.frames[frame].given.copy_from_slice(&given);
        Ok(Group { frame, at: 0, ..g })
    }

    fn leave(&mut self, g: Group) {
        let Some((caller, at)) = self.frames[g.frame].caller else { return };
        let code = &self.module.functions[self.frames[caller].function].code;
        if let Instr::Call(call) = &code[at] {
            for (place, shift, to, ty) in &call.taken {
                let value = self.frames[g.frame].returns[*place].map(|x| ty.cut(x >> shift));
                self.write(caller, g.lanes, *to, &value);
            }
        }
        let frame = &mut self.frames[g.frame];
        frame.lanes &= !g.lanes;
        if frame.lanes == 0 {
            self.unused.push(g.frame);
        }
        self.add(Group { frame: caller, at: at + 1, ..g });
    }

    fn read(&self, frame: usize, source: Source) -> Lanes {
        let frame = &self.frames[frame];
        match source {
            Source::Register(r) => frame.registers[r as usize],
            Source::Not(r) => frame.registers[r as usize].map(|x| x ^ 1),
            Source::Number(n) => [n; 32],
            Source::Lane => std::array::from_fn(|i| i as u64),
            Source::Thread => std::array::from_fn(|i| u64::from(self.first) + i as u64),
            Source::Threads => [u64::from(self.grid.threads); 32],
            Source::Block => [u64::from(self.block); 32],
            Source::Blocks => [u64::from(self.grid.blocks); 32],
            Source::Own => [frame.own; 32],
        }
    }

    fn write(&mut self, frame: usize, lanes: u32, to: u32, value: &Lanes) {
        let register = &mut self.frames[frame].registers[to as usize];
        if lanes == ALL {
            *register = *value;
            return;
        }
        for (i, (old, new)) in register.iter_mut().zip(value).enumerate() {
            if lanes >> i & 1 != 0 {
                *old = *new;
            }
        }
    }

    /// Instructions after which a group goes on.
    fn straight(&mut self, g: &Group, instr: &Instr) -> Result<(), Error> {
        let read = |s: &Source| self.read(g.frame, *s);
        let (to, value) = match instr {
            Instr::One { op, ty, to, a } => (*to, run::one(*op, *ty, &read(a))),
            Instr::Two { op, ty, to, a, b } => (*to, run::two(*op, *ty, &read(a), &read(b))),
            Instr::MulAdd { ty, wide, to, a, b, c } => {
                (*to, run::mul_add(*ty, *wide, &read(a), &read(b), &read(c)))
            }
            Instr::Extract { ty, to, a, b, c } => {
                (*to, run::extract(*ty, &read(a), &read(b), &read(c)))
            }
            Instr::Permute { to, a, b, c } => (*to, run::permute(&read(a), &read(b), &read(c))),
            Instr::Compare { how, ty, to, a, b } => {
                (*to, run::compare(*how, *ty, &read(a), &read(b)))
            }
            Instr::Select { to, a, b, holds } => {
                let (a, b, holds) = (read(a), read(b), read(holds));
                (*to, std::array::from_fn(|i| if holds[i] & 1 != 0 { a[i] } else { b[i] }))
            }
            Instr::Convert { to_type, from_type, to, a } => {
                (*to, run::convert(*to_type, *from_type, &read(a)))
            }
            Instr::Join { to, low, high } => {
                let (low, high) = (read(low), read(high));
                (*to, std::array::from_fn(|i| (low[i] & 0xffff_ffff) | high[i] << 32))
            }
            Instr::KernelParameter { ty, to, at, offset } => {
                let mut out = [0; 32];
                for (lane, at) in
                    read(at).into_iter().enumerate().filter(|(i, _)| g.lanes >> i & 1 != 0)
                {
                    let (from, size) = (at as usize + *offset as usize, ty.bits as usize / 8);
                    let bytes = self.parameters.get(from..from + size);
                    out[lane] = number(bytes.ok_or_else(|| Error::new("no such parameter"))?);
                }
                (*to, out)
            }
            Instr::Parameter { ty, to, place } => {
                (*to, self.frames[g.frame].given[*place as usize].map(|x| ty.cut(x)))
            }
            Instr::Split { low, high, a } => {
                let a = read(a);
                if let Some(low) = low {
                    self.write(g.frame, g.lanes, *low, &a.map(|x| x & 0xffff_ffff));
                }
                if let Some(high) = high {
                    self.write(g.frame, g.lanes, *high, &a.map(|x| x >> 32));
                }
                return Ok(());
            }
            Instr::Return { place, from } => {
                let value = read(from);
                let returned = &mut self.frames[g.frame].returns[*place as usize];
                for i in (0..32).filter(|i| g.lanes >> i & 1 != 0) {
                    returned[i] = value[i];
                }
                return Ok(());
            }
            Instr::Load { ty, to, at, offset } => return self.load(g, *ty, to, *at, *offset),
            Instr::Store { ty, from, at, offset } => return self.store(g, *ty, from, *at, *offset),
            Instr::Atomic { op, ty, to, at, offset, b } => {
                let (at, b) = (read(at), read(b));
                let mut old = [0; 32];
                for i in (0..32).filter(|i| g.lanes >> i & 1 != 0) {
                    let at = at[i].wrapping_add(*offset as u64);
                    old[i] = self.memory.load(at, ty.bits / 8)?;
                    let new = run::two(*op, *ty, &[old[i]; 32], &[b[i]; 32])[0];
                    self.memory.store(at, ty.bits / 8, new)?;
                }
                (*to, old)
            }
            _ => return Err(Error::new("no such instruction")),
        };
        self.write(g.frame, g.lanes, to, &value);
        Ok(())
    }

    /// A lane's own bytes, if the address is one of them.
    fn own(&mut self, lane: usize, at: u64, len: u32) -> Option<&mut [u8]> {
        let from = at.checked_sub(OWN)? as usize;
        let end = from.checked_add(len as usize).filter(|end| *end <= OWN_SIZE)?;
        Some(&mut self.own[lane * OWN_SIZE + from..lane * OWN_SIZE + end])
    }

    fn load(
        &mut self,
        g: &Group,
        ty: Type,
        to: &[u32],
        at: Source,
        offset: i64,
    ) -> Result<(), Error> {
        let at = self.read(g.frame, at);
        let size = ty.bits / 8;
        let first = at[g.lanes.trailing_zeros() as usize];
        let whole = size * to.len() as u32;
        let same = at.iter().all(|a| *a == first) && self.own(0, first, 1).is_none();
        for (k, to) in to.iter().enumerate() {
            let offset = (offset + i64::from(size) * k as i64) as u64;
            let mut value = [0; 32];
            if same {
                let at = first.wrapping_add(offset);
                aligned(at - u64::from(size) * k as u64, whole)?;
                value = [ty.wide(self.memory.load(at, size)?) as u64; 32];
            } else {
                for i in (0..32).filter(|i| g.lanes >> i & 1 != 0) {
                    let at = at[i].wrapping_add(offset);
                    aligned(at - u64::from(size) * k as u64, whole)?;
                    let bits = match self.own(i, at, size) {
                        Some(bytes) => number(bytes),
                        None => self.memory.load(at, size)?,
                    };
                    value[i] = ty.wide(bits) as u64;
                }
            }
            self.write(g.frame, g.lanes, *to, &value);
        }
        Ok(())
    }

    fn store(
        &mut self,
        g: &Group,
        ty: Type,
        from: &[Source],
        at: Source,
        offset: i64,
    ) -> Result<(), Error> {
        let at = self.read(g.frame, at);
        let size = ty.bits / 8;
        let whole = size * from.len() as u32;
        for (k, from) in from.iter().enumerate() {
            let value = self.read(g.frame, *from);
            let offset = (offset + i64::from(size) * k as i64) as u64;
            for i in (0..32).filter(|i| g.lanes >> i & 1 != 0) {
                let at = at[i].wrapping_add(offset);
                aligned(at - u64::from(size) * k as u64, whole)?;
                match self.own(i, at, size) {
                    Some(bytes) => bytes.copy_from_slice(&value[i].to_le_bytes()[..size as usize]),
                    None => self.memory.store(at, size, value[i])?,
                }
            }
        }
        Ok(())
    }
}

/// A bit for every lane where a predicate holds.
fn bits(holds: &Lanes) -> u32 {
    (0..32).fold(0, |all, i| all | u32::from(holds[i] & 1 != 0) << i)
}
