# Written by tools/dsl_stub.py; a test compares.
from collections.abc import Callable, Container
from typing import Any, FrozenSet, Tuple

TYPES: tuple[str, ...]
__all__: list[str]
Boolean = Any
Integer = Any
IntegerTuple = Any
Numerical = Any
IntegerSet = Any
Grid = Any
Cell = Any
Object = Any
Objects = Any
Indices = Any
IndicesSet = Any
Patch = Any
Element = Any
Piece = Any
TupleTuple = Any
ContainerContainer = Any

A0: int
A1: int
A2: int
A3: int
A4: int
A5: int
A6: int
A7: int
A8: int
A9: int
BLACK: int
BLUE: int
BURGUNDY: int
CYAN: int
DOWN: tuple[int, int]
DOWN_LEFT: tuple[int, int]
EIGHT: int
F: bool
F0: int
F1: int
F2: int
F3: int
F4: int
F5: int
F6: int
F7: int
F8: int
F9: int
FIVE: int
FOUR: int
GRAY: int
GREEN: int
HUNDRED: int
L1: int
L10: int
L2: int
L3: int
L4: int
L5: int
L6: int
L7: int
L8: int
L9: int
LEFT: tuple[int, int]
MAGENTA: int
NEG_EIGHT: int
NEG_FIVE: int
NEG_FOUR: int
NEG_NINE: int
NEG_ONE: int
NEG_SEVEN: int
NEG_SIX: int
NEG_TEN: int
NEG_THREE: int
NEG_TWO: int
NEG_UNITY: tuple[int, int]
NINE: int
ONE: int
ORANGE: int
ORIGIN: tuple[int, int]
R0: int
R1: int
R2: int
R3: int
R4: int
R5: int
R6: int
R7: int
R8: int
R9: int
RED: int
RIGHT: tuple[int, int]
SD2: int
SD3: int
SEVEN: int
SIX: int
SM2: int
SM3: int
T: bool
TEN: int
THOUSAND: int
THREE: int
THREE_BY_THREE: tuple[int, int]
TWO: int
TWO_BY_TWO: tuple[int, int]
TWO_BY_ZERO: tuple[int, int]
UNITY: tuple[int, int]
UP: tuple[int, int]
UP_RIGHT: tuple[int, int]
YELLOW: int
ZERO: int
ZERO_BY_TWO: tuple[int, int]

def a_mr(S: Any) -> int:
    """The first orientation that maps every demo input to its output.

    (Pairs) -> Int
    """

def add(a: Any, b: Any) -> Any:
    """Sum; an int is added to both halves of a pair.

    (Num, Num) -> Num
    """

def adjacent(a: Any, b: Any) -> bool:
    """Whether two patches lie one straight step apart.

    (Patch, Patch) -> Bool
    """

def apply(function: Any, container: Any) -> Any:
    """What a function gives for each item, in a container of the same type.

    (fn(A) -> B, Cont<A>) -> Cont<B>
    """

def apply_f(function: Any, container: Any) -> Any:
    """What a function gives for each item, in a container of the same type.

    (fn(A) -> B, Cont<A>) -> Cont<B>
    """

def apply_i(function: Any, container: Any) -> Any:
    """What a function gives for each item, in a container of the same type.

    (fn(A) -> B, Cont<A>) -> Cont<B>
    """

def apply_o(function: Any, container: Any) -> Any:
    """What a function gives for each item, in a container of the same type.

    (fn(A) -> B, Cont<A>) -> Cont<B>
    """

def apply_t(function: Any, container: Any) -> Any:
    """What a function gives for each item, in a container of the same type.

    (fn(A) -> B, Cont<A>) -> Cont<B>
    """

def argmax(container: Any, compfunc: Any) -> Any:
    """The first item with the largest key.

    (Cont<A>, fn(A) -> Int) -> A
    """

def argmax_f(container: Any, compfunc: Any) -> Any:
    """The first item with the largest key.

    (Cont<A>, fn(A) -> Int) -> A
    """

def argmax_i(container: Any, compfunc: Any) -> Any:
    """The first item with the largest key.

    (Cont<A>, fn(A) -> Int) -> A
    """

def argmax_o(container: Any, compfunc: Any) -> Any:
    """The first item with the largest key.

    (Cont<A>, fn(A) -> Int) -> A
    """

def argmax_t(container: Any, compfunc: Any) -> Any:
    """The first item with the largest key.

    (Cont<A>, fn(A) -> Int) -> A
    """

def argmin(container: Any, compfunc: Any) -> Any:
    """The first item with the smallest key.

    (Cont<A>, fn(A) -> Int) -> A
    """

def argmin_f(container: Any, compfunc: Any) -> Any:
    """The first item with the smallest key.

    (Cont<A>, fn(A) -> Int) -> A
    """

def argmin_i(container: Any, compfunc: Any) -> Any:
    """The first item with the smallest key.

    (Cont<A>, fn(A) -> Int) -> A
    """

def argmin_o(container: Any, compfunc: Any) -> Any:
    """The first item with the smallest key.

    (Cont<A>, fn(A) -> Int) -> A
    """

def argmin_t(container: Any, compfunc: Any) -> Any:
    """The first item with the smallest key.

    (Cont<A>, fn(A) -> Int) -> A
    """

def ascell(ij: Any, color: Any) -> Any:
    """A cell from a location and a colour.

    (IJ, Int) -> Cell
    """

def asindices(grid: Any) -> Any:
    """All locations of a grid.

    (Grid) -> Indices
    """

def asobject(grid: Any) -> Any:
    """All cells of a grid as one object.

    (Grid) -> Object
    """

def astriple(i: Any, j: Any, color: Any) -> Any:
    """A tuple of three ints.

    (Int, Int, Int) -> Tup<Int>
    """

def astuple(a: Any, b: Any) -> Any:
    """A pair of two values.

    (Int, Int) -> IJ
    """

def backdrop(patch: Any) -> Any:
    """All locations of the bounding box.

    (Patch) -> Indices
    """

def bordering(patch: Any, grid: Any) -> bool:
    """Whether a patch touches the edge of a grid.

    (Patch, Grid) -> Bool
    """

def both(a: Any, b: Any) -> bool:
    """The first value if it is false or empty, else the second.

    (Bool, Bool) -> Bool
    """

def bottomhalf(grid: Any) -> Any:
    """The lower half.

    (Grid) -> Grid
    """

def box(patch: Any) -> Any:
    """The outline of the bounding box.

    (Patch) -> Indices
    """

def branch(condition: Any, a: Any, b: Any) -> Any:
    """The second value if the condition is true or non-empty, else the third.

    (Bool, A, A) -> A
    """

def c_branch(condition: Any, a: Any, b: Any) -> Any:
    """The second value if the condition is true or non-empty, else the third.

    (Bool, A, A) -> A
    """

def c_iz(S: Any, f: Any) -> Any:
    """What f finds in the demo inputs and not in the demo outputs.

    (Pairs, fn(Grid) -> Cont<A>) -> Tup<A>
    """

def c_iz_n(S: Any, f: Any, pick: Any) -> Any:
    """What pick takes from `c_iz`.

    (Pairs, fn(Grid) -> Cont<A>, fn(Tup<A>) -> A) -> A
    """

def c_zo(S: Any, f: Any) -> Any:
    """What f finds in the demo outputs and not in the demo inputs.

    (Pairs, fn(Grid) -> Cont<A>) -> Tup<A>
    """

def c_zo_n(S: Any, f: Any, pick: Any) -> Any:
    """What pick takes from `c_zo`.

    (Pairs, fn(Grid) -> Cont<A>, fn(Tup<A>) -> A) -> A
    """

def canvas(value: Any, dimensions: Any) -> Any:
    """A grid of one colour.

    (Int, IJ) -> Grid
    """

def celltuple(locations: Any, colors: Any) -> Any:
    """Cells from a tuple of locations and a tuple of colours, as many as the shorter one has.

    (Tup<IJ>, Tup<Int>) -> Tup<Cell>
    """

def cellwise(a: Any, b: Any, fallback: Any) -> Any:
    """The cells where two grids agree, a fallback colour elsewhere.

    (Grid, Grid, Int) -> Grid
    """

def center(patch: Any) -> Any:
    """The middle of the bounding box.

    (Patch) -> IJ
    """

def centerofmass(patch: Any) -> Any:
    """The mean location, rounded down.

    (Patch) -> IJ
    """

def chain(h: Any, g: Any, f: Any) -> Any:
    """The function that runs f, then g, then h.

    (fn(C) -> D, fn(B) -> C, fn(A) -> B) -> fn(A) -> D
    """

def cmirror(piece: Any) -> Any:
    """Mirrored about the other diagonal.

    (Piece) -> Piece
    """

def cmirror_f(piece: Any) -> Any:
    """Mirrored about the other diagonal.

    (Piece) -> Piece
    """

def cmirror_i(piece: Any) -> Any:
    """Mirrored about the other diagonal.

    (Piece) -> Piece
    """

def cmirror_o(piece: Any) -> Any:
    """Mirrored about the other diagonal.

    (Piece) -> Piece
    """

def cmirror_t(piece: Any) -> Any:
    """Mirrored about the other diagonal.

    (Piece) -> Piece
    """

def col_row(patch: Any, which: Any) -> int:
    """A side of the bounding box: lowermost, uppermost, leftmost, rightmost.

    (Patch, Int) -> Int
    """

def color(obj: Any) -> int:
    """The colour of an object's first cell.

    (Object) -> Int
    """

def colorcount(element: Any, value: Any) -> int:
    """How many cells have a colour.

    (Element, Int) -> Int
    """

def colorcount_f(element: Any, value: Any) -> int:
    """How many cells have a colour.

    (Element, Int) -> Int
    """

def colorcount_i(element: Any, value: Any) -> int:
    """How many cells have a colour.

    (Element, Int) -> Int
    """

def colorcount_o(element: Any, value: Any) -> int:
    """How many cells have a colour.

    (Element, Int) -> Int
    """

def colorcount_t(element: Any, value: Any) -> int:
    """How many cells have a colour.

    (Element, Int) -> Int
    """

def colorfilter(objs: Any, value: Any) -> Any:
    """The objects whose first cell has a colour.

    (Set<Object>, Int) -> Set<Object>
    """

def colorfilter_f(objs: Any, value: Any) -> Any:
    """The objects whose first cell has a colour.

    (Set<Object>, Int) -> Set<Object>
    """

def colorfilter_i(objs: Any, value: Any) -> Any:
    """The objects whose first cell has a colour.

    (Set<Object>, Int) -> Set<Object>
    """

def colorfilter_o(objs: Any, value: Any) -> Any:
    """The objects whose first cell has a colour.

    (Set<Object>, Int) -> Set<Object>
    """

def colorfilter_t(objs: Any, value: Any) -> Any:
    """The objects whose first cell has a colour.

    (Set<Object>, Int) -> Set<Object>
    """

def combine(a: Any, b: Any) -> Any:
    """Everything of both containers, in a container like the first.

    (Cont<A>, Cont<A>) -> Cont<A>
    """

def combine_f(a: Any, b: Any) -> Any:
    """Everything of both containers, in a container like the first.

    (Cont<A>, Cont<A>) -> Cont<A>
    """

def combine_i(a: Any, b: Any) -> Any:
    """Everything of both containers, in a container like the first.

    (Cont<A>, Cont<A>) -> Cont<A>
    """

def combine_o(a: Any, b: Any) -> Any:
    """Everything of both containers, in a container like the first.

    (Cont<A>, Cont<A>) -> Cont<A>
    """

def combine_t(a: Any, b: Any) -> Any:
    """Everything of both containers, in a container like the first.

    (Cont<A>, Cont<A>) -> Cont<A>
    """

def compose(outer: Any, inner: Any) -> Any:
    """The function that runs inner, then outer.

    (fn(B) -> C, fn(A) -> B) -> fn(A) -> C
    """

def compress(grid: Any) -> Any:
    """A grid without its rows and columns of one colour.

    (Grid) -> Grid
    """

def connect(a: Any, b: Any) -> Any:
    """The straight or diagonal line between two locations.

    (IJ, IJ) -> Indices
    """

def contained(value: Any, container: Any) -> bool:
    """Whether a container holds a value.

    (A, Cont<A>) -> Bool
    """

def corner(patch: Any, which: Any) -> Any:
    """A corner of the bounding box: upper left, upper right, lower left, lower right.

    (Patch, Int) -> IJ
    """

def corners(patch: Any) -> Any:
    """The four corners of the bounding box.

    (Patch) -> Indices
    """

def cover(grid: Any, patch: Any) -> Any:
    """A grid with the background colour at the locations of a patch.

    (Grid, Patch) -> Grid
    """

def crement(x: Any) -> Any:
    """One step away from zero; zero stays.

    (Num) -> Num
    """

def crop(grid: Any, start: Any, dims: Any) -> Any:
    """A part of a grid, from a start and with dimensions that may reach past the end.

    (Grid, IJ, IJ) -> Grid
    """

def decrement(x: Any) -> Any:
    """One less, in both halves of a pair.

    (Num) -> Num
    """

def dedupe(tup: Any) -> Any:
    """A tuple without its repeated items.

    (Tup<A>) -> Tup<A>
    """

def dedupe_pair_tuple(S: Any) -> Any:
    """The demo pairs whose input differs from their output.

    (Pairs) -> Pairs
    """

def delta(patch: Any) -> Any:
    """The locations of the bounding box that the patch leaves free.

    (Patch) -> Indices
    """

def difference(a: Any, b: Any) -> Any:
    """What the first container holds and the second does not.

    (Cont<A>, Cont<A>) -> Cont<A>
    """

def difference_t(a: Any, b: Any) -> Any:
    """The items of one container that another does not hold, as `difference`.

    (Cont<A>, Cont<A>) -> Cont<A>
    """

def difference_tuple(a: Any, b: Any) -> Any:
    """The items of one container that another does not hold, as `difference`.

    (Cont<A>, Cont<A>) -> Cont<A>
    """

def divide(a: Any, b: Any) -> Any:
    """Quotient rounded down, with the same broadcasting as `add`.

    (Num, Num) -> Num
    """

def dmirror(piece: Any) -> Any:
    """Rows and columns exchanged; a patch about its upper left corner.

    (Piece) -> Piece
    """

def dmirror_f(piece: Any) -> Any:
    """Rows and columns exchanged; a patch about its upper left corner.

    (Piece) -> Piece
    """

def dmirror_i(piece: Any) -> Any:
    """Rows and columns exchanged; a patch about its upper left corner.

    (Piece) -> Piece
    """

def dmirror_o(piece: Any) -> Any:
    """Rows and columns exchanged; a patch about its upper left corner.

    (Piece) -> Piece
    """

def dmirror_t(piece: Any) -> Any:
    """Rows and columns exchanged; a patch about its upper left corner.

    (Piece) -> Piece
    """

def dneighbors(loc: Any) -> Any:
    """The four locations that share an edge with one.

    (IJ) -> Indices
    """

def double(n: Any) -> Any:
    """Twice an int or a pair.

    (Num) -> Num
    """

def downscale(grid: Any, factor: Any) -> Any:
    """Every so many rows and columns of a grid, the first included.

    (Grid, Int) -> Grid
    """

def either(a: Any, b: Any) -> bool:
    """The first value if it is true or non-empty, else the second.

    (Bool, Bool) -> Bool
    """

def equality(a: Any, b: Any) -> bool:
    """Whether two values are equal.

    (Any, Any) -> Bool
    """

def even(n: Any) -> bool:
    """Whether an int is even.

    (Int) -> Bool
    """

def extract(container: Any, condition: Any) -> Any:
    """The first item for which a condition holds.

    (Cont<A>, fn(A) -> Bool) -> A
    """

def f_ofcolor(grid: Any, value: Any) -> Any:
    """The locations that have a colour.

    (Grid, Int) -> Indices
    """

def fgpartition(grid: Any) -> Any:
    """One object for every colour but the commonest.

    (Grid) -> Set<Object>
    """

def fill(grid: Any, value: Any, patch: Any) -> Any:
    """A grid with one colour at the locations of a patch.

    (Grid, Int, Patch) -> Grid
    """

def first(container: Any) -> Any:
    """The first item.

    (Cont<A>) -> A
    """

def first_f(container: Any) -> Any:
    """The first item.

    (Cont<A>) -> A
    """

def first_i(container: Any) -> Any:
    """The first item.

    (Cont<A>) -> A
    """

def first_o(container: Any) -> Any:
    """The first item.

    (Cont<A>) -> A
    """

def first_t(container: Any) -> Any:
    """The first item.

    (Cont<A>) -> A
    """

def flip(b: Any) -> bool:
    """True for an empty or zero value, false for any other.

    (Bool) -> Bool
    """

def fork(outer: Any, a: Any, b: Any) -> Any:
    """The function that combines what two functions give for the same argument.

    (fn(B, C) -> D, fn(A) -> B, fn(A) -> C) -> fn(A) -> D
    """

def frontiers(grid: Any) -> Any:
    """The rows and columns of one colour, as objects.

    (Grid) -> Set<Object>
    """

def get_arg_rank(container: Any, f: Any, rank: Any) -> Any:
    """The item at a rank by a key, largest first.

    (Cont<A>, fn(A) -> Int, Int) -> A
    """

def get_arg_rank_f(container: Any, f: Any, rank: Any) -> Any:
    """The item at a rank by a key, largest first.

    (Cont<A>, fn(A) -> Int, Int) -> A
    """

def get_arg_rank_i(container: Any, f: Any, rank: Any) -> Any:
    """The item at a rank by a key, largest first.

    (Cont<A>, fn(A) -> Int, Int) -> A
    """

def get_arg_rank_o(container: Any, f: Any, rank: Any) -> Any:
    """The item at a rank by a key, largest first.

    (Cont<A>, fn(A) -> Int, Int) -> A
    """

def get_arg_rank_t(container: Any, f: Any, rank: Any) -> Any:
    """The item at a rank by a key, largest first.

    (Cont<A>, fn(A) -> Int, Int) -> A
    """

def get_color_rank_f(obj: Any, rank: Any) -> int:
    """The colour of an object at a rank, commonest first.

    (Object, Int) -> Int
    """

def get_color_rank_t(grid: Any, rank: Any) -> int:
    """The colour of a grid at a rank, commonest first.

    (Grid, Int) -> Int
    """

def get_common_rank(container: Any, rank: Any) -> Any:
    """The distinct item at a rank by how often it occurs, rarest first.

    (Cont<A>, Int) -> A
    """

def get_common_rank_f(container: Any, rank: Any) -> Any:
    """The distinct item at a rank by how often it occurs, rarest first.

    (Cont<A>, Int) -> A
    """

def get_common_rank_i(container: Any, rank: Any) -> Any:
    """The distinct item at a rank by how often it occurs, rarest first.

    (Cont<A>, Int) -> A
    """

def get_common_rank_o(container: Any, rank: Any) -> Any:
    """The distinct item at a rank by how often it occurs, rarest first.

    (Cont<A>, Int) -> A
    """

def get_common_rank_t(container: Any, rank: Any) -> Any:
    """The distinct item at a rank by how often it occurs, rarest first.

    (Cont<A>, Int) -> A
    """

def get_nth_by_key_f(container: Any, rank: Any, key: Any) -> Any:
    """The item of a container at a rank after a stable ascending sort by a key.

    (Cont<A>, Int, fn(A) -> Any) -> A
    """

def get_nth_by_key_t(container: Any, rank: Any, key: Any) -> Any:
    """The item of a container at a rank after a stable ascending sort by a key, as `get_nth_by_key_f`.

    (Cont<A>, Int, fn(A) -> Any) -> A
    """

def get_nth_f(container: Any, rank: Any) -> Any:
    """The item of a container at a rank; negative ranks count from the end.

    (Cont<A>, Int) -> A
    """

def get_nth_t(container: Any, rank: Any) -> Any:
    """The item of a tuple at a rank; negative ranks count from the end.

    (Tup<A>, Int) -> A
    """

def get_rank(ints: Any, rank: Any) -> int:
    """The int at a rank, largest first.

    (Cont<Int>, Int) -> Int
    """

def get_val_rank(container: Any, f: Any, rank: Any) -> int:
    """The key at a rank, smallest first.

    (Cont<A>, fn(A) -> Int, Int) -> Int
    """

def get_val_rank_f(container: Any, f: Any, rank: Any) -> int:
    """The key at a rank, smallest first.

    (Cont<A>, fn(A) -> Int, Int) -> Int
    """

def get_val_rank_i(container: Any, f: Any, rank: Any) -> int:
    """The key at a rank, smallest first.

    (Cont<A>, fn(A) -> Int, Int) -> Int
    """

def get_val_rank_o(container: Any, f: Any, rank: Any) -> int:
    """The key at a rank, smallest first.

    (Cont<A>, fn(A) -> Int, Int) -> Int
    """

def get_val_rank_t(container: Any, f: Any, rank: Any) -> int:
    """The key at a rank, smallest first.

    (Cont<A>, fn(A) -> Int, Int) -> Int
    """

def gravitate(source: Any, destination: Any) -> Any:
    """The step that moves one patch until it lies next to another.

    (Patch, Patch) -> IJ
    """

def greater(a: Any, b: Any) -> bool:
    """Whether the first value is greater than the second.

    (Int, Int) -> Bool
    """

def halve(n: Any) -> Any:
    """Half of an int or a pair, rounded down.

    (Num) -> Num
    """

def hconcat(a: Any, b: Any) -> Any:
    """Two grids side by side.

    (Grid, Grid) -> Grid
    """

def height(piece: Any) -> int:
    """Rows of a grid, or of a patch's bounding box.

    (Piece) -> Int
    """

def height_f(piece: Any) -> int:
    """Rows of a grid, or of a patch's bounding box.

    (Piece) -> Int
    """

def height_i(piece: Any) -> int:
    """Rows of a grid, or of a patch's bounding box.

    (Piece) -> Int
    """

def height_o(piece: Any) -> int:
    """Rows of a grid, or of a patch's bounding box.

    (Piece) -> Int
    """

def height_t(piece: Any) -> int:
    """Rows of a grid, or of a patch's bounding box.

    (Piece) -> Int
    """

def hfrontier(location: Any) -> Any:
    """The row of a location, columns 0 to 29.

    (IJ) -> Indices
    """

def hline(patch: Any) -> bool:
    """Whether a patch is one horizontal line.

    (Patch) -> Bool
    """

def hline_f(patch: Any) -> bool:
    """Whether a patch is one horizontal line.

    (Patch) -> Bool
    """

def hline_i(patch: Any) -> bool:
    """Whether a patch is one horizontal line.

    (Patch) -> Bool
    """

def hline_o(patch: Any) -> bool:
    """Whether a patch is one horizontal line.

    (Patch) -> Bool
    """

def hline_t(patch: Any) -> bool:
    """Whether a patch is one horizontal line.

    (Patch) -> Bool
    """

def hmatching(a: Any, b: Any) -> bool:
    """Whether two patches have a row in common.

    (Patch, Patch) -> Bool
    """

def hmirror(piece: Any) -> Any:
    """Upside down; a patch within its bounding box.

    (Piece) -> Piece
    """

def hmirror_f(piece: Any) -> Any:
    """Upside down; a patch within its bounding box.

    (Piece) -> Piece
    """

def hmirror_i(piece: Any) -> Any:
    """Upside down; a patch within its bounding box.

    (Piece) -> Piece
    """

def hmirror_o(piece: Any) -> Any:
    """Upside down; a patch within its bounding box.

    (Piece) -> Piece
    """

def hmirror_t(piece: Any) -> Any:
    """Upside down; a patch within its bounding box.

    (Piece) -> Piece
    """

def holes(patch: Any) -> int:
    """How many holes a patch has.

    (Patch) -> Int
    """

def hperiod(obj: Any) -> int:
    """The smallest horizontal shift that maps an object onto itself.

    (Object) -> Int
    """

def hsplit(grid: Any, n: Any) -> Any:
    """A grid cut into a number of parts side by side.

    (Grid, Int) -> Tup<Grid>
    """

def hupscale(grid: Any, factor: Any) -> Any:
    """Every column a number of times.

    (Grid, Int) -> Grid
    """

def identity(x: Any) -> Any:
    """The argument itself.

    (A) -> A
    """

def inbox(patch: Any) -> Any:
    """The outline one step inside the bounding box.

    (Patch) -> Indices
    """

def increment(x: Any) -> Any:
    """One more, in both halves of a pair.

    (Num) -> Num
    """

def index(grid: Any, loc: Any) -> int:
    """The colour at a location; null outside the grid.

    (Grid, IJ) -> Int
    """

def ineighbors(loc: Any) -> Any:
    """The four locations that touch one at a corner.

    (IJ) -> Indices
    """

def initset(value: Any) -> Any:
    """The set of one value.

    (A) -> Set<A>
    """

def insert(value: Any, container: Any) -> Any:
    """A set with one more value.

    (A, Set<A>) -> Set<A>
    """

def interior(patch: Any) -> Any:
    """The free cells that a patch encloses.

    (Patch) -> Indices
    """

def intersection(a: Any, b: Any) -> Any:
    """What two sets share.

    (Set<A>, Set<A>) -> Set<A>
    """

def interval(start: Any, stop: Any, step: Any) -> Any:
    """The ints from start up to, not including, stop.

    (Int, Int, Int) -> Tup<Int>
    """

def invert(n: Any) -> Any:
    """The negative of an int or a pair.

    (Num) -> Num
    """

def is_no_grid(x: Any) -> bool:
    """True unless the value is a tuple of tuples of ints.

    (Any) -> Bool
    """

def last(container: Any) -> Any:
    """The last item.

    (Cont<A>) -> A
    """

def last_f(container: Any) -> Any:
    """The last item.

    (Cont<A>) -> A
    """

def last_i(container: Any) -> Any:
    """The last item.

    (Cont<A>) -> A
    """

def last_o(container: Any) -> Any:
    """The last item.

    (Cont<A>) -> A
    """

def last_t(container: Any) -> Any:
    """The last item.

    (Cont<A>) -> A
    """

def lbind(function: Any, fixed: Any) -> Any:
    """A function with its first argument fixed.

    (fn(A, B) -> C, A) -> fn(B) -> C
    """

def leastcolor(element: Any) -> int:
    """The rarest colour that occurs; the smallest on a tie.

    (Element) -> Int
    """

def leastcolor_f(element: Any) -> int:
    """The rarest colour that occurs; the smallest on a tie.

    (Element) -> Int
    """

def leastcolor_i(element: Any) -> int:
    """The rarest colour that occurs; the smallest on a tie.

    (Element) -> Int
    """

def leastcolor_o(element: Any) -> int:
    """The rarest colour that occurs; the smallest on a tie.

    (Element) -> Int
    """

def leastcolor_t(element: Any) -> int:
    """The rarest colour that occurs; the smallest on a tie.

    (Element) -> Int
    """

def leastcommon(container: Any) -> Any:
    """The item that occurs least often in a tuple; the smallest on a tie.

    (Tup<A>) -> A
    """

def leastcommon_f(container: Any) -> Any:
    """The item that occurs least often in a tuple; the smallest on a tie.

    (Tup<A>) -> A
    """

def leastcommon_i(container: Any) -> Any:
    """The item that occurs least often in a tuple; the smallest on a tie.

    (Tup<A>) -> A
    """

def leastcommon_o(container: Any) -> Any:
    """The item that occurs least often in a tuple; the smallest on a tie.

    (Tup<A>) -> A
    """

def leastcommon_t(container: Any) -> Any:
    """The item that occurs least often in a tuple; the smallest on a tie.

    (Tup<A>) -> A
    """

def lefthalf(grid: Any) -> Any:
    """The left half.

    (Grid) -> Grid
    """

def leftmost(patch: Any) -> int:
    """The first column a patch touches.

    (Patch) -> Int
    """

def leftmost_f(patch: Any) -> int:
    """The first column a patch touches.

    (Patch) -> Int
    """

def leftmost_i(patch: Any) -> int:
    """The first column a patch touches.

    (Patch) -> Int
    """

def leftmost_o(patch: Any) -> int:
    """The first column a patch touches.

    (Patch) -> Int
    """

def leftmost_t(patch: Any) -> int:
    """The first column a patch touches.

    (Patch) -> Int
    """

def llcorner(patch: Any) -> Any:
    """The lower left corner of the bounding box.

    (Patch) -> IJ
    """

def llcorner_f(patch: Any) -> Any:
    """The lower left corner of the bounding box.

    (Patch) -> IJ
    """

def llcorner_i(patch: Any) -> Any:
    """The lower left corner of the bounding box.

    (Patch) -> IJ
    """

def llcorner_o(patch: Any) -> Any:
    """The lower left corner of the bounding box.

    (Patch) -> IJ
    """

def llcorner_t(patch: Any) -> Any:
    """The lower left corner of the bounding box.

    (Patch) -> IJ
    """

def lowermost(patch: Any) -> int:
    """The last row a patch touches.

    (Patch) -> Int
    """

def lowermost_f(patch: Any) -> int:
    """The last row a patch touches.

    (Patch) -> Int
    """

def lowermost_i(patch: Any) -> int:
    """The last row a patch touches.

    (Patch) -> Int
    """

def lowermost_o(patch: Any) -> int:
    """The last row a patch touches.

    (Patch) -> Int
    """

def lowermost_t(patch: Any) -> int:
    """The last row a patch touches.

    (Patch) -> Int
    """

def lrcorner(patch: Any) -> Any:
    """The lower right corner of the bounding box.

    (Patch) -> IJ
    """

def lrcorner_f(patch: Any) -> Any:
    """The lower right corner of the bounding box.

    (Patch) -> IJ
    """

def lrcorner_i(patch: Any) -> Any:
    """The lower right corner of the bounding box.

    (Patch) -> IJ
    """

def lrcorner_o(patch: Any) -> Any:
    """The lower right corner of the bounding box.

    (Patch) -> IJ
    """

def lrcorner_t(patch: Any) -> Any:
    """The lower right corner of the bounding box.

    (Patch) -> IJ
    """

def manhattan(a: Any, b: Any) -> int:
    """The smallest number of straight steps from one patch to another.

    (Patch, Patch) -> Int
    """

def mapply(function: Any, container: Any) -> Any:
    """What a function gives for each item, merged.

    (fn(A) -> Cont<B>, Cont<A>) -> Set<B>
    """

def mapply_f(function: Any, container: Any) -> Any:
    """What a function gives for each item, merged.

    (fn(A) -> Cont<B>, Cont<A>) -> Set<B>
    """

def mapply_i(function: Any, container: Any) -> Any:
    """What a function gives for each item, merged.

    (fn(A) -> Cont<B>, Cont<A>) -> Set<B>
    """

def mapply_o(function: Any, container: Any) -> Any:
    """What a function gives for each item, merged.

    (fn(A) -> Cont<B>, Cont<A>) -> Set<B>
    """

def mapply_t(function: Any, container: Any) -> Any:
    """What a function gives for each item, merged.

    (fn(A) -> Cont<B>, Cont<A>) -> Set<B>
    """

def matcher(function: Any, target: Any) -> Any:
    """The function that says whether another one gives a target.

    (fn(A) -> B, B) -> fn(A) -> Bool
    """

def maximum(container: Any) -> int:
    """The largest int; 0 for an empty container.

    (Cont<Int>) -> Int
    """

def mended(grid: Any, hidden: Any) -> Any:
    """A grid with one colour filled in by its mirror symmetry.

    (Grid, Int) -> Grid
    """

def merge(containers: Any) -> Any:
    """The items of all inner containers together, in a container like the outer one.

    (Cont<Cont<A>>) -> Cont<A>
    """

def merge_f(containers: Any) -> Any:
    """The items of all inner containers together, in a container like the outer one.

    (Cont<Cont<A>>) -> Cont<A>
    """

def merge_i(containers: Any) -> Any:
    """The items of all inner containers together, in a container like the outer one.

    (Cont<Cont<A>>) -> Cont<A>
    """

def merge_o(containers: Any) -> Any:
    """The items of all inner containers together, in a container like the outer one.

    (Cont<Cont<A>>) -> Cont<A>
    """

def merge_t(containers: Any) -> Any:
    """The items of all inner containers together, in a container like the outer one.

    (Cont<Cont<A>>) -> Cont<A>
    """

def mfilter(container: Any, function: Any) -> Any:
    """The items for which a condition holds, merged.

    (Cont<Cont<A>>, fn(Cont<A>) -> Bool) -> Set<A>
    """

def mfilter_f(container: Any, function: Any) -> Any:
    """The items for which a condition holds, merged.

    (Cont<Cont<A>>, fn(Cont<A>) -> Bool) -> Set<A>
    """

def mfilter_i(container: Any, function: Any) -> Any:
    """The items for which a condition holds, merged.

    (Cont<Cont<A>>, fn(Cont<A>) -> Bool) -> Set<A>
    """

def mfilter_o(container: Any, function: Any) -> Any:
    """The items for which a condition holds, merged.

    (Cont<Cont<A>>, fn(Cont<A>) -> Bool) -> Set<A>
    """

def mfilter_t(container: Any, function: Any) -> Any:
    """The items for which a condition holds, merged.

    (Cont<Cont<A>>, fn(Cont<A>) -> Bool) -> Set<A>
    """

def minimum(container: Any) -> int:
    """The smallest int; 0 for an empty container.

    (Cont<Int>) -> Int
    """

def mir_rot_f(patch: Any, orientation: Any) -> Any:
    """A patch mirrored, by number: hmirror, dmirror, vmirror, cmirror, as it is.

    (Patch, Int) -> Patch
    """

def mir_rot_t(grid: Any, orientation: Any) -> Any:
    """A grid mirrored or turned, by number: hmirror, dmirror, vmirror, cmirror, rot90, rot180, rot270, as it is.

    (Grid, Int) -> Grid
    """

def mostcolor(element: Any) -> int:
    """The commonest colour; the smallest on a tie.

    (Element) -> Int
    """

def mostcolor_f(element: Any) -> int:
    """The commonest colour; the smallest on a tie.

    (Element) -> Int
    """

def mostcolor_i(element: Any) -> int:
    """The commonest colour; the smallest on a tie.

    (Element) -> Int
    """

def mostcolor_o(element: Any) -> int:
    """The commonest colour; the smallest on a tie.

    (Element) -> Int
    """

def mostcolor_t(element: Any) -> int:
    """The commonest colour; the smallest on a tie.

    (Element) -> Int
    """

def mostcommon(container: Any) -> Any:
    """The item that occurs most often in a tuple; the smallest on a tie.

    (Tup<A>) -> A
    """

def mostcommon_f(container: Any) -> Any:
    """The item that occurs most often in a tuple; the smallest on a tie.

    (Tup<A>) -> A
    """

def mostcommon_i(container: Any) -> Any:
    """The item that occurs most often in a tuple; the smallest on a tie.

    (Tup<A>) -> A
    """

def mostcommon_o(container: Any) -> Any:
    """The item that occurs most often in a tuple; the smallest on a tie.

    (Tup<A>) -> A
    """

def mostcommon_t(container: Any) -> Any:
    """The item that occurs most often in a tuple; the smallest on a tie.

    (Tup<A>) -> A
    """

def move(grid: Any, obj: Any, offset: Any) -> Any:
    """A grid with an object taken away and drawn again elsewhere.

    (Grid, Object, IJ) -> Grid
    """

def mpapply(function: Any, a: Any, b: Any) -> Any:
    """What a function of two arguments gives along two tuples, merged into a tuple.

    (fn(A, B) -> Cont<C>, Tup<A>, Tup<B>) -> Tup<C>
    """

def multiply(a: Any, b: Any) -> Any:
    """Product, with the same broadcasting as `add`.

    (Num, Num) -> Num
    """

def neighbors(loc: Any) -> Any:
    """The eight locations around one.

    (IJ) -> Indices
    """

def normalize(patch: Any) -> Any:
    """A patch moved so that its bounding box starts at the origin.

    (Patch) -> Patch
    """

def normalize_f(patch: Any) -> Any:
    """A patch moved so that its bounding box starts at the origin.

    (Patch) -> Patch
    """

def normalize_i(patch: Any) -> Any:
    """A patch moved so that its bounding box starts at the origin.

    (Patch) -> Patch
    """

def normalize_o(patch: Any) -> Any:
    """A patch moved so that its bounding box starts at the origin.

    (Patch) -> Patch
    """

def normalize_t(patch: Any) -> Any:
    """A patch moved so that its bounding box starts at the origin.

    (Patch) -> Patch
    """

def numcolors(element: Any) -> int:
    """How many colours occur.

    (Element) -> Int
    """

def numcolors_f(element: Any) -> int:
    """How many colours occur.

    (Element) -> Int
    """

def numcolors_i(element: Any) -> int:
    """How many colours occur.

    (Element) -> Int
    """

def numcolors_o(element: Any) -> int:
    """How many colours occur.

    (Element) -> Int
    """

def numcolors_t(element: Any) -> int:
    """How many colours occur.

    (Element) -> Int
    """

def o_g(grid: Any, mode: Any) -> Any:
    """`objects` with its three flags in one number: 4 one colour, 2 diagonal, 1 without background.

    (Grid, Int) -> Set<Object>
    """

def o_g_t(grid: Any, mode: Any) -> Any:
    """`o_g` as a tuple, in canonical order.

    (Grid, Int) -> Tup<Object>
    """

def o_g_tuple(grid: Any, mode: Any) -> Any:
    """`o_g` as a tuple, in canonical order.

    (Grid, Int) -> Tup<Object>
    """

def objects(grid: Any, univalued: Any, diagonal: Any, without_bg: Any) -> Any:
    """The connected objects of a grid: of one colour or mixed, joined diagonally too or not, with or without background.

    (Grid, Bool, Bool, Bool) -> Set<Object>
    """

def objects_g(grid: Any, univalued: Any, diagonal: Any, without_bg: Any) -> Any:
    """`objects` as a tuple, in canonical order.

    (Grid, Bool, Bool, Bool) -> Tup<Object>
    """

def objects_t(grid: Any, univalued: Any, diagonal: Any, without_bg: Any) -> Any:
    """`objects` as a tuple, in canonical order.

    (Grid, Bool, Bool, Bool) -> Tup<Object>
    """

def occurrences(grid: Any, obj: Any) -> Any:
    """The locations where an object occurs in a grid.

    (Grid, Object) -> Indices
    """

def ofcolor(grid: Any, value: Any) -> Any:
    """The locations that have a colour.

    (Grid, Int) -> Indices
    """

def order(container: Any, compfunc: Any) -> Any:
    """Items sorted by a key, ties in their old order.

    (Cont<A>, fn(A) -> Any) -> Tup<A>
    """

def other(container: Any, value: Any) -> Any:
    """The first item that differs from a value.

    (Cont<A>, A) -> A
    """

def other_f(container: Any, value: Any) -> Any:
    """The first item that differs from a value.

    (Cont<A>, A) -> A
    """

def other_i(container: Any, value: Any) -> Any:
    """The first item that differs from a value.

    (Cont<A>, A) -> A
    """

def other_o(container: Any, value: Any) -> Any:
    """The first item that differs from a value.

    (Cont<A>, A) -> A
    """

def other_t(container: Any, value: Any) -> Any:
    """The first item that differs from a value.

    (Cont<A>, A) -> A
    """

def outbox(patch: Any) -> Any:
    """The outline one step outside the bounding box.

    (Patch) -> Indices
    """

def p_f(obj: Any) -> Any:
    """The colours of an object as a set.

    (Object) -> Set<Int>
    """

def p_g(grid: Any) -> Any:
    """The colours of a grid as a tuple, ascending.

    (Grid) -> Tup<Int>
    """

def p_o(obj: Any) -> Any:
    """The colours of an object as a tuple, ascending.

    (Object) -> Tup<Int>
    """

def paint(grid: Any, obj: Any) -> Any:
    """A grid with an object drawn over it.

    (Grid, Object) -> Grid
    """

def pair(a: Any, b: Any) -> Any:
    """Two tuples zipped, as long as the shorter one.

    (Tup<A>, Tup<A>) -> Tup<Tup<A>>
    """

def palette(element: Any) -> Any:
    """The colours that occur, as a set.

    (Element) -> Set<Int>
    """

def palette_f(element: Any) -> Any:
    """The colours that occur, as a set.

    (Element) -> Set<Int>
    """

def palette_i(element: Any) -> Any:
    """The colours that occur, as a set.

    (Element) -> Set<Int>
    """

def palette_o(element: Any) -> Any:
    """The colours that occur, as a set.

    (Element) -> Set<Int>
    """

def palette_t(element: Any) -> Any:
    """The colours that occur, as a set.

    (Element) -> Set<Int>
    """

def panels(grid: Any, divider: Any) -> Any:
    """The parts of a grid between its full rows and columns of one colour, row by row.

    (Grid, Int) -> Tup<Object>
    """

def papply(function: Any, a: Any, b: Any) -> Any:
    """What a function of two arguments gives along two tuples.

    (fn(A, B) -> C, Tup<A>, Tup<B>) -> Tup<C>
    """

def partition(grid: Any) -> Any:
    """One object for every colour.

    (Grid) -> Set<Object>
    """

def portrait(piece: Any) -> bool:
    """Whether a piece is taller than wide.

    (Piece) -> Bool
    """

def portrait_f(piece: Any) -> bool:
    """Whether a piece is taller than wide.

    (Piece) -> Bool
    """

def portrait_i(piece: Any) -> bool:
    """Whether a piece is taller than wide.

    (Piece) -> Bool
    """

def portrait_o(piece: Any) -> bool:
    """Whether a piece is taller than wide.

    (Piece) -> Bool
    """

def portrait_t(piece: Any) -> bool:
    """Whether a piece is taller than wide.

    (Piece) -> Bool
    """

def position(a: Any, b: Any) -> Any:
    """The direction from the middle of one patch to that of another.

    (Patch, Patch) -> IJ
    """

def positive(x: Any) -> bool:
    """Whether an int is above zero.

    (Int) -> Bool
    """

def power(function: Any, n: Any) -> Any:
    """A function run a number of times in a row.

    (fn(A) -> A, Int) -> fn(A) -> A
    """

def prapply(function: Any, a: Any, b: Any) -> Any:
    """What a function of two arguments gives for all pairs of items, as a set.

    (fn(A, B) -> C, Cont<A>, Cont<B>) -> Set<C>
    """

def product(a: Any, b: Any) -> Any:
    """All pairs of one item of each container, as a set.

    (Cont<A>, Cont<A>) -> Set<Tup<A>>
    """

def rapply(functions: Any, value: Any) -> Any:
    """What each of several functions gives for one value.

    (Cont<fn(A) -> B>, A) -> Cont<B>
    """

def rapply_f(functions: Any, value: Any) -> Any:
    """What each of several functions gives for one value.

    (Cont<fn(A) -> B>, A) -> Cont<B>
    """

def rapply_i(functions: Any, value: Any) -> Any:
    """What each of several functions gives for one value.

    (Cont<fn(A) -> B>, A) -> Cont<B>
    """

def rapply_o(functions: Any, value: Any) -> Any:
    """What each of several functions gives for one value.

    (Cont<fn(A) -> B>, A) -> Cont<B>
    """

def rapply_t(functions: Any, value: Any) -> Any:
    """What each of several functions gives for one value.

    (Cont<fn(A) -> B>, A) -> Cont<B>
    """

def ray(grid: Any, through: Any, direction: Any) -> Any:
    """The colour that each cell sees first in a direction, looking through one colour.

    (Grid, Int, IJ) -> Object
    """

def rbind(function: Any, fixed: Any) -> Any:
    """A function with its last argument fixed.

    (fn(A, B) -> C, B) -> fn(A) -> C
    """

def recolor(value: Any, patch: Any) -> Any:
    """A patch as an object of one colour.

    (Int, Patch) -> Object
    """

def recolor_f(value: Any, patch: Any) -> Any:
    """A patch as an object of one colour.

    (Int, Patch) -> Object
    """

def recolor_i(value: Any, patch: Any) -> Any:
    """A patch as an object of one colour.

    (Int, Patch) -> Object
    """

def recolor_o(value: Any, patch: Any) -> Any:
    """A patch as an object of one colour.

    (Int, Patch) -> Object
    """

def recolor_t(value: Any, patch: Any) -> Any:
    """A patch as an object of one colour.

    (Int, Patch) -> Object
    """

def remove(value: Any, container: Any) -> Any:
    """A container without any item equal to a value.

    (A, Cont<A>) -> Cont<A>
    """

def remove_f(value: Any, container: Any) -> Any:
    """A container without any item equal to a value.

    (A, Cont<A>) -> Cont<A>
    """

def remove_i(value: Any, container: Any) -> Any:
    """A container without any item equal to a value.

    (A, Cont<A>) -> Cont<A>
    """

def remove_o(value: Any, container: Any) -> Any:
    """A container without any item equal to a value.

    (A, Cont<A>) -> Cont<A>
    """

def remove_t(value: Any, container: Any) -> Any:
    """A container without any item equal to a value.

    (A, Cont<A>) -> Cont<A>
    """

def repeat(item: Any, num: Any) -> Any:
    """A tuple that holds one item a number of times.

    (A, Int) -> Tup<A>
    """

def replace(grid: Any, replacee: Any, replacer: Any) -> Any:
    """A grid with one colour replaced by another.

    (Grid, Int, Int) -> Grid
    """

def righthalf(grid: Any) -> Any:
    """The right half.

    (Grid) -> Grid
    """

def rightmost(patch: Any) -> int:
    """The last column a patch touches.

    (Patch) -> Int
    """

def rightmost_f(patch: Any) -> int:
    """The last column a patch touches.

    (Patch) -> Int
    """

def rightmost_i(patch: Any) -> int:
    """The last column a patch touches.

    (Patch) -> Int
    """

def rightmost_o(patch: Any) -> int:
    """The last column a patch touches.

    (Patch) -> Int
    """

def rightmost_t(patch: Any) -> int:
    """The last column a patch touches.

    (Patch) -> Int
    """

def rot180(grid: Any) -> Any:
    """A grid turned by a half.

    (Grid) -> Grid
    """

def rot270(grid: Any) -> Any:
    """A grid turned anticlockwise by a quarter.

    (Grid) -> Grid
    """

def rot90(grid: Any) -> Any:
    """A grid turned clockwise by a quarter.

    (Grid) -> Grid
    """

def second(container: Any) -> Any:
    """The second item.

    (Cont<A>) -> A
    """

def sfilter(container: Any, condition: Any) -> Any:
    """The items for which a condition holds, in a container of the same type.

    (Cont<A>, fn(A) -> Bool) -> Cont<A>
    """

def sfilter_f(container: Any, condition: Any) -> Any:
    """The items for which a condition holds, in a container of the same type.

    (Cont<A>, fn(A) -> Bool) -> Cont<A>
    """

def sfilter_i(container: Any, condition: Any) -> Any:
    """The items for which a condition holds, in a container of the same type.

    (Cont<A>, fn(A) -> Bool) -> Cont<A>
    """

def sfilter_o(container: Any, condition: Any) -> Any:
    """The items for which a condition holds, in a container of the same type.

    (Cont<A>, fn(A) -> Bool) -> Cont<A>
    """

def sfilter_t(container: Any, condition: Any) -> Any:
    """The items for which a condition holds, in a container of the same type.

    (Cont<A>, fn(A) -> Bool) -> Cont<A>
    """

def shape(piece: Any) -> Any:
    """Height and width.

    (Piece) -> IJ
    """

def shape_f(piece: Any) -> Any:
    """Height and width.

    (Piece) -> IJ
    """

def shape_i(piece: Any) -> Any:
    """Height and width.

    (Piece) -> IJ
    """

def shape_o(piece: Any) -> Any:
    """Height and width.

    (Piece) -> IJ
    """

def shape_t(piece: Any) -> Any:
    """Height and width.

    (Piece) -> IJ
    """

def shift(patch: Any, directions: Any) -> Any:
    """A patch moved by a pair.

    (Patch, IJ) -> Patch
    """

def shoot(start: Any, direction: Any) -> Any:
    """The line from a location in a direction, 42 steps far.

    (IJ, IJ) -> Indices
    """

def sign(x: Any) -> Any:
    """-1, 0 or 1 by sign.

    (Num) -> Num
    """

def size(container: Any) -> int:
    """How many items a container holds; for a grid, its rows.

    (Cont<A>) -> Int
    """

def size_f(container: Any) -> int:
    """How many items a container holds; for a grid, its rows.

    (Cont<A>) -> Int
    """

def size_i(container: Any) -> int:
    """How many items a container holds; for a grid, its rows.

    (Cont<A>) -> Int
    """

def size_o(container: Any) -> int:
    """How many items a container holds; for a grid, its rows.

    (Cont<A>) -> Int
    """

def size_t(container: Any) -> int:
    """How many items a container holds; for a grid, its rows.

    (Cont<A>) -> Int
    """

def sizefilter(container: Any, n: Any) -> Any:
    """The items that hold a number of items, as a set.

    (Cont<Cont<A>>, Int) -> Set<Cont<A>>
    """

def sizefilter_f(container: Any, n: Any) -> Any:
    """The items that hold a number of items, as a set.

    (Cont<Cont<A>>, Int) -> Set<Cont<A>>
    """

def sizefilter_i(container: Any, n: Any) -> Any:
    """The items that hold a number of items, as a set.

    (Cont<Cont<A>>, Int) -> Set<Cont<A>>
    """

def sizefilter_o(container: Any, n: Any) -> Any:
    """The items that hold a number of items, as a set.

    (Cont<Cont<A>>, Int) -> Set<Cont<A>>
    """

def sizefilter_t(container: Any, n: Any) -> Any:
    """The items that hold a number of items, as a set.

    (Cont<Cont<A>>, Int) -> Set<Cont<A>>
    """

def square(piece: Any) -> bool:
    """Whether a grid is square, or a patch a filled square.

    (Piece) -> Bool
    """

def square_f(piece: Any) -> bool:
    """Whether a grid is square, or a patch a filled square.

    (Piece) -> Bool
    """

def square_i(piece: Any) -> bool:
    """Whether a grid is square, or a patch a filled square.

    (Piece) -> Bool
    """

def square_o(piece: Any) -> bool:
    """Whether a grid is square, or a patch a filled square.

    (Piece) -> Bool
    """

def square_t(piece: Any) -> bool:
    """Whether a grid is square, or a patch a filled square.

    (Piece) -> Bool
    """

def subgrid(patch: Any, grid: Any) -> Any:
    """The part of a grid that a patch's bounding box covers.

    (Patch, Grid) -> Grid
    """

def subtract(a: Any, b: Any) -> Any:
    """Difference, with the same broadcasting as `add`.

    (Num, Num) -> Num
    """

def switch(grid: Any, a: Any, b: Any) -> Any:
    """A grid with two colours exchanged.

    (Grid, Int, Int) -> Grid
    """

def tiled(grid: Any, hidden: Any) -> Any:
    """A grid with one colour filled in from the smallest tile that repeats.

    (Grid, Int) -> Grid
    """

def toij(cell: Any) -> Any:
    """The location of a cell; of a tuple of ints, its first two.

    (Cell) -> IJ
    """

def toindices(patch: Any) -> Any:
    """The locations of a patch.

    (Patch) -> Indices
    """

def toindices_f(patch: Any) -> Any:
    """The locations of a patch.

    (Patch) -> Indices
    """

def toindices_i(patch: Any) -> Any:
    """The locations of a patch.

    (Patch) -> Indices
    """

def toindices_o(patch: Any) -> Any:
    """The locations of a patch.

    (Patch) -> Indices
    """

def toindices_t(patch: Any) -> Any:
    """The locations of a patch.

    (Patch) -> Indices
    """

def toivec(i: Any) -> Any:
    """An int as a vertical step.

    (Int) -> IJ
    """

def tojvec(j: Any) -> Any:
    """An int as a horizontal step.

    (Int) -> IJ
    """

def toobject(patch: Any, grid: Any) -> Any:
    """A patch with the colours that a grid has there.

    (Patch, Grid) -> Object
    """

def tophalf(grid: Any) -> Any:
    """The upper half.

    (Grid) -> Grid
    """

def toset(container: Any) -> Any:
    """The items as a set.

    (Cont<A>) -> Set<A>
    """

def totuple(container: Any) -> Any:
    """The items as a tuple; a set gives them in canonical order.

    (Cont<A>) -> Tup<A>
    """

def trim(grid: Any) -> Any:
    """A grid without its outermost rows and columns.

    (Grid) -> Grid
    """

def ulcorner(patch: Any) -> Any:
    """The upper left corner of the bounding box.

    (Patch) -> IJ
    """

def ulcorner_f(patch: Any) -> Any:
    """The upper left corner of the bounding box.

    (Patch) -> IJ
    """

def ulcorner_i(patch: Any) -> Any:
    """The upper left corner of the bounding box.

    (Patch) -> IJ
    """

def ulcorner_o(patch: Any) -> Any:
    """The upper left corner of the bounding box.

    (Patch) -> IJ
    """

def ulcorner_t(patch: Any) -> Any:
    """The upper left corner of the bounding box.

    (Patch) -> IJ
    """

def underfill(grid: Any, value: Any, patch: Any) -> Any:
    """Like `fill`, on background cells only.

    (Grid, Int, Patch) -> Grid
    """

def underpaint(grid: Any, obj: Any) -> Any:
    """Like `paint`, on background cells only.

    (Grid, Object) -> Grid
    """

def uppermost(patch: Any) -> int:
    """The first row a patch touches.

    (Patch) -> Int
    """

def uppermost_f(patch: Any) -> int:
    """The first row a patch touches.

    (Patch) -> Int
    """

def uppermost_i(patch: Any) -> int:
    """The first row a patch touches.

    (Patch) -> Int
    """

def uppermost_o(patch: Any) -> int:
    """The first row a patch touches.

    (Patch) -> Int
    """

def uppermost_t(patch: Any) -> int:
    """The first row a patch touches.

    (Patch) -> Int
    """

def upscale(element: Any, factor: Any) -> Any:
    """Every cell as a square of a number of cells a side.

    (Element, Int) -> Element
    """

def upscale_f(element: Any, factor: Any) -> Any:
    """Every cell as a square of a number of cells a side.

    (Element, Int) -> Element
    """

def upscale_i(element: Any, factor: Any) -> Any:
    """Every cell as a square of a number of cells a side.

    (Element, Int) -> Element
    """

def upscale_o(element: Any, factor: Any) -> Any:
    """Every cell as a square of a number of cells a side.

    (Element, Int) -> Element
    """

def upscale_t(element: Any, factor: Any) -> Any:
    """Every cell as a square of a number of cells a side.

    (Element, Int) -> Element
    """

def urcorner(patch: Any) -> Any:
    """The upper right corner of the bounding box.

    (Patch) -> IJ
    """

def urcorner_f(patch: Any) -> Any:
    """The upper right corner of the bounding box.

    (Patch) -> IJ
    """

def urcorner_i(patch: Any) -> Any:
    """The upper right corner of the bounding box.

    (Patch) -> IJ
    """

def urcorner_o(patch: Any) -> Any:
    """The upper right corner of the bounding box.

    (Patch) -> IJ
    """

def urcorner_t(patch: Any) -> Any:
    """The upper right corner of the bounding box.

    (Patch) -> IJ
    """

def valmax(container: Any, compfunc: Any) -> int:
    """The largest key.

    (Cont<A>, fn(A) -> Int) -> Int
    """

def valmax_f(container: Any, compfunc: Any) -> int:
    """The largest key.

    (Cont<A>, fn(A) -> Int) -> Int
    """

def valmax_i(container: Any, compfunc: Any) -> int:
    """The largest key.

    (Cont<A>, fn(A) -> Int) -> Int
    """

def valmax_o(container: Any, compfunc: Any) -> int:
    """The largest key.

    (Cont<A>, fn(A) -> Int) -> Int
    """

def valmax_t(container: Any, compfunc: Any) -> int:
    """The largest key.

    (Cont<A>, fn(A) -> Int) -> Int
    """

def valmin(container: Any, compfunc: Any) -> int:
    """The smallest key.

    (Cont<A>, fn(A) -> Int) -> Int
    """

def valmin_f(container: Any, compfunc: Any) -> int:
    """The smallest key.

    (Cont<A>, fn(A) -> Int) -> Int
    """

def valmin_i(container: Any, compfunc: Any) -> int:
    """The smallest key.

    (Cont<A>, fn(A) -> Int) -> Int
    """

def valmin_o(container: Any, compfunc: Any) -> int:
    """The smallest key.

    (Cont<A>, fn(A) -> Int) -> Int
    """

def valmin_t(container: Any, compfunc: Any) -> int:
    """The smallest key.

    (Cont<A>, fn(A) -> Int) -> Int
    """

def vconcat(a: Any, b: Any) -> Any:
    """Two grids one above the other.

    (Grid, Grid) -> Grid
    """

def vfrontier(location: Any) -> Any:
    """The column of a location, rows 0 to 29.

    (IJ) -> Indices
    """

def vline(patch: Any) -> bool:
    """Whether a patch is one vertical line.

    (Patch) -> Bool
    """

def vline_f(patch: Any) -> bool:
    """Whether a patch is one vertical line.

    (Patch) -> Bool
    """

def vline_i(patch: Any) -> bool:
    """Whether a patch is one vertical line.

    (Patch) -> Bool
    """

def vline_o(patch: Any) -> bool:
    """Whether a patch is one vertical line.

    (Patch) -> Bool
    """

def vline_t(patch: Any) -> bool:
    """Whether a patch is one vertical line.

    (Patch) -> Bool
    """

def vmatching(a: Any, b: Any) -> bool:
    """Whether two patches have a column in common.

    (Patch, Patch) -> Bool
    """

def vmirror(piece: Any) -> Any:
    """Left to right; a patch within its bounding box.

    (Piece) -> Piece
    """

def vmirror_f(piece: Any) -> Any:
    """Left to right; a patch within its bounding box.

    (Piece) -> Piece
    """

def vmirror_i(piece: Any) -> Any:
    """Left to right; a patch within its bounding box.

    (Piece) -> Piece
    """

def vmirror_o(piece: Any) -> Any:
    """Left to right; a patch within its bounding box.

    (Piece) -> Piece
    """

def vmirror_t(piece: Any) -> Any:
    """Left to right; a patch within its bounding box.

    (Piece) -> Piece
    """

def vperiod(obj: Any) -> int:
    """The smallest vertical shift that maps an object onto itself.

    (Object) -> Int
    """

def vsplit(grid: Any, n: Any) -> Any:
    """A grid cut into a number of parts one above the other.

    (Grid, Int) -> Tup<Grid>
    """

def vupscale(grid: Any, factor: Any) -> Any:
    """Every row a number of times.

    (Grid, Int) -> Grid
    """

def width(piece: Any) -> int:
    """Columns of a grid, or of a patch's bounding box.

    (Piece) -> Int
    """

def width_f(piece: Any) -> int:
    """Columns of a grid, or of a patch's bounding box.

    (Piece) -> Int
    """

def width_i(piece: Any) -> int:
    """Columns of a grid, or of a patch's bounding box.

    (Piece) -> Int
    """

def width_o(piece: Any) -> int:
    """Columns of a grid, or of a patch's bounding box.

    (Piece) -> Int
    """

def width_t(piece: Any) -> int:
    """Columns of a grid, or of a patch's bounding box.

    (Piece) -> Int
    """
