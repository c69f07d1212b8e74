//! Instructions, as they were read.

/// Where an operand's values come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A register.
    Register(u32),
    /// The opposite of a predicate.
    Not(u32),
    /// A constant.
    Number(u64),
    /// The lane's number.
    Lane,
    /// The thread's number in its block.
    Thread,
    /// How many threads a block has.
    Threads,
    /// The block's number.
    Block,
    /// How many blocks there are.
    Blocks,
    /// The function's own part of a lane's memory.
    Own,
}

/// A type: how many bits, and whether they are signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    /// 1 for predicates, else 8, 16, 32 or 64.
    pub bits: u32,
    pub signed: bool,
}

impl Type {
    /// A number cut to this type, as registers hold it.
    #[inline]
    pub fn cut(self, x: u64) -> u64 {
        if self.bits >= 64 { x } else { x & ((1 << self.bits) - 1) }
    }

    /// A number of this type with its sign.
    #[inline]
    pub fn wide(self, x: u64) -> i64 {
        let unused = 64 - self.bits;
        if self.signed { (x << unused) as i64 >> unused } else { self.cut(x) as i64 }
    }
}

/// Two numbers to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Two {
    Add,
    Sub,
    Mul,
    MulHigh,
    MulWide,
    Div,
    Rem,
    Min,
    Max,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
}

/// One number to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum One {
    Move,
    Not,
    Negate,
    Absolute,
    CountOnes,
    LeadingZeros,
    Reverse,
}

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Compare {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// What all lanes of a warp do together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Together {
    /// The value of the lane that the second operand names.
    Index,
    /// The value of the lane whose number differs by these bits.
    Exclusive,
    Any,
    All,
    Ballot,
    /// What all lanes have, put together.
    Reduce(Two, Type),
    /// They only wait for each other.
    Meet,
}

/// One instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instr {
    One {
        op: One,
        ty: Type,
        to: u32,
        a: Source,
    },
    Two {
        op: Two,
        ty: Type,
        to: u32,
        a: Source,
        b: Source,
    },
    /// a * b + c
    MulAdd {
        ty: Type,
        wide: bool,
        to: u32,
        a: Source,
        b: Source,
        c: Source,
    },
    /// The bits of a from b, c of them.
    Extract {
        ty: Type,
        to: u32,
        a: Source,
        b: Source,
        c: Source,
    },
    /// Four of the eight bytes of a and b, as c says.
    Permute {
        to: u32,
        a: Source,
        b: Source,
        c: Source,
    },
    Compare {
        how: Compare,
        ty: Type,
        to: u32,
        a: Source,
        b: Source,
    },
    /// a where the predicate holds, else b.
    Select {
        to: u32,
        a: Source,
        b: Source,
        holds: Source,
    },
    Convert {
        to_type: Type,
        from_type: Type,
        to: u32,
        a: Source,
    },
    /// The two halves of a number; one may be left out.
    Split {
        low: Option<u32>,
        high: Option<u32>,
        a: Source,
    },
    Join {
        to: u32,
        low: Source,
        high: Source,
    },
    Load {
        ty: Type,
        to: Vec<u32>,
        at: Source,
        offset: i64,
    },
    Store {
        ty: Type,
        from: Vec<Source>,
        at: Source,
        offset: i64,
    },
    /// A parameter of a kernel; `at` is where its parameters begin, or further on.
    KernelParameter {
        ty: Type,
        to: u32,
        at: Source,
        offset: u32,
    },
    /// What a function was given, by its place among what it reads.
    Parameter {
        ty: Type,
        to: u32,
        place: u32,
    },
    /// What a function gives, by its place among what it returns.
    Return {
        place: u32,
        from: Source,
    },
    /// Makes what is there something else, as one step: the sum, all bits of both, or the larger one.
    Atomic {
        op: Two,
        ty: Type,
        to: u32,
        at: Source,
        offset: i64,
        b: Source,
    },
    Together {
        op: Together,
        to: Option<u32>,
        a: Source,
        b: Source,
    },
    Jump {
        to: u32,
    },
    JumpIf {
        holds: Source,
        to: u32,
    },
    JumpTo {
        which: Source,
        targets: Vec<u32>,
    },
    Call(Box<Call>),
    Leave,
    Trap,
}

/// A call: what is given and what is taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub function: usize,
    /// By the callee's [`Instr::Parameter`] places.
    pub given: Vec<(Source, Shift)>,
    /// Which of the callee's [`Instr::Return`] places goes where.
    pub taken: Vec<(usize, Shift, u32, Type)>,
}

/// How many bits of a number are left out at its lower end.
pub type Shift = u32;

/// A part of a parameter or of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which parameter.
    pub of: u32,
    /// The bytes before it.
    pub offset: u32,
    pub bits: u32,
}

impl Part {
    /// Where it begins in another one that has all of it.
    pub fn within(self, other: Part) -> Option<Shift> {
        let shift = self.offset.checked_sub(other.offset)? * 8;
        (self.of == other.of && shift + self.bits <= other.bits).then_some(shift)
    }
}
