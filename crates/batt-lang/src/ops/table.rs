//! The table: every primitive of the language, each declared once.
//!
//! A row reads
//!
//! ```text
//! /// What it does, in one line.
//! name Variant (argument: Kind, ...) -> Kind, role, "an example over a small grid I";
//! ```
//!
//! and may end in `on argument` (the suffixed names `name_t`, `name_f`, `name_i`, `name_o` exist and
//! expect that argument to be a tuple, a set, indices or an object; the module `suffix` says how they
//! read it) and `also other_name` (an alias).
//!
//! Roles: `pure` is a plain function of its arguments, `runs` also runs a function it is given,
//! `makes` returns a new function and runs nothing.
//!
//! Kinds: `Int`, `Bool`, `IJ` (a pair of ints), `Num` (an int or a pair), `Cell`, `Grid`, `Object`,
//! `Indices`, `Patch` (object or indices), `Piece` (grid or patch), `Element` (grid or object),
//! `Tup<K>`, `Set<K>`, `Cont<K>` (tuple or set), `Pairs` (the demo pairs S), `fn(K, ...) -> K`, `Any`,
//! and single capital letters for "the same kind here and there".

/// Hands the whole table to the macro named `$then`. Parsers, type rules, engines and help are
/// expanded from it, so a primitive that an engine forgets is a compile error there.
#[macro_export]
macro_rules! for_each_op {
    ($then:ident) => {
        $then! {
// numbers and truth
/// The argument itself.
identity Identity (x: A) -> A, pure, "identity(I)";
/// Sum; an int is added to both halves of a pair.
add Add (a: Num, b: Num) -> Num, pure, "add(TWO, UNITY)";
/// Difference, with the same broadcasting as `add`.
subtract Subtract (a: Num, b: Num) -> Num, pure, "subtract(shape(I), ONE)";
/// Product, with the same broadcasting as `add`.
multiply Multiply (a: Num, b: Num) -> Num, pure, "multiply(shape(I), TWO)";
/// Quotient rounded down, with the same broadcasting as `add`.
divide Divide (a: Num, b: Num) -> Num, pure, "divide(shape(I), TWO)";
/// The negative of an int or a pair.
invert Invert (n: Num) -> Num, pure, "invert(UP_RIGHT)";
/// Whether an int is even.
even Even (n: Int) -> Bool, pure, "even(height(I))";
/// Twice an int or a pair.
double Double (n: Num) -> Num, pure, "double(shape(I))";
/// Half of an int or a pair, rounded down.
halve Halve (n: Num) -> Num, pure, "halve(FIVE)";
/// True for an empty or zero value, false for any other.
flip Flip (b: Bool) -> Bool, pure, "flip(T)";
/// Whether two values are equal.
equality Equality (a: Any, b: Any) -> Bool, pure, "equality(I, hmirror(I))";
/// Whether a container holds a value.
contained Contained (value: A, container: Cont<A>) -> Bool, pure, "contained(TWO, palette(I))";
/// Everything of both containers, in a container like the first.
combine Combine (a: Cont<A>, b: Cont<A>) -> Cont<A>, pure, "combine(ofcolor(I, ONE), ofcolor(I, TWO))", on a, on b;
/// What two sets share.
intersection Intersection (a: Set<A>, b: Set<A>) -> Set<A>, pure, "intersection(asindices(I), hfrontier(ORIGIN))";
/// What the first container holds and the second does not.
difference Difference (a: Cont<A>, b: Cont<A>) -> Cont<A>, pure, "difference(palette(I), initset(ZERO))";
/// A tuple without its repeated items.
dedupe Dedupe (tup: Tup<A>) -> Tup<A>, pure, "dedupe(first(I))";
/// Items sorted by a key, ties in their old order.
order Order (container: Cont<A>, compfunc: fn(A) -> Any) -> Tup<A>, runs, "order(objects(I, T, F, T), size)";
/// A tuple that holds one item a number of times.
repeat Repeat (item: A, num: Int) -> Tup<A>, pure, "repeat(ONE, THREE)";
/// Whether the first value is greater than the second.
greater Greater (a: Int, b: Int) -> Bool, pure, "greater(height(I), THREE)";
/// How many items a container holds; for a grid, its rows.
size Size (container: Cont<A>) -> Int, pure, "size(ofcolor(I, ONE))", on container;
/// The items of all inner containers together, in a container like the outer one.
merge Merge (containers: Cont<Cont<A>>) -> Cont<A>, pure, "merge(objects(I, T, F, T))", on containers;
/// The largest int; 0 for an empty container.
maximum Maximum (container: Cont<Int>) -> Int, pure, "maximum(palette(I))";
/// The smallest int; 0 for an empty container.
minimum Minimum (container: Cont<Int>) -> Int, pure, "minimum(palette(I))";
/// The largest key.
valmax Valmax (container: Cont<A>, compfunc: fn(A) -> Int) -> Int, runs, "valmax(objects(I, T, F, T), size)", on container;
/// The smallest key.
valmin Valmin (container: Cont<A>, compfunc: fn(A) -> Int) -> Int, runs, "valmin(objects(I, T, F, T), size)", on container;
/// The first item with the largest key.
argmax Argmax (container: Cont<A>, compfunc: fn(A) -> Int) -> A, runs, "argmax(objects(I, T, F, T), size)", on container;
/// The first item with the smallest key.
argmin Argmin (container: Cont<A>, compfunc: fn(A) -> Int) -> A, runs, "argmin(objects(I, T, F, T), size)", on container;
/// The item that occurs most often in a tuple; the smallest on a tie.
mostcommon Mostcommon (container: Tup<A>) -> A, pure, "mostcommon(first(I))", on container;
/// The item that occurs least often in a tuple; the smallest on a tie.
leastcommon Leastcommon (container: Tup<A>) -> A, pure, "leastcommon(last(I))", on container;
/// The set of one value.
initset Initset (value: A) -> Set<A>, pure, "initset(UNITY)";
/// The first value if it is false or empty, else the second.
both Both (a: Bool, b: Bool) -> Bool, pure, "both(T, F)";
/// The first value if it is true or non-empty, else the second.
either Either (a: Bool, b: Bool) -> Bool, pure, "either(T, F)";
/// One more, in both halves of a pair.
increment Increment (x: Num) -> Num, pure, "increment(shape(I))";
/// One less, in both halves of a pair.
decrement Decrement (x: Num) -> Num, pure, "decrement(shape(I))";
/// One step away from zero; zero stays.
crement Crement (x: Num) -> Num, pure, "crement(UP_RIGHT)";
/// -1, 0 or 1 by sign.
sign Sign (x: Num) -> Num, pure, "sign(astuple(NEG_TWO, FIVE))";
/// Whether an int is above zero.
positive Positive (x: Int) -> Bool, pure, "positive(width(I))";
/// An int as a vertical step.
toivec Toivec (i: Int) -> IJ, pure, "toivec(THREE)";
/// An int as a horizontal step.
tojvec Tojvec (j: Int) -> IJ, pure, "tojvec(THREE)";
// containers and functions
/// The items for which a condition holds, in a container of the same type.
sfilter Sfilter (container: Cont<A>, condition: fn(A) -> Bool) -> Cont<A>, runs, "sfilter(objects(I, T, F, T), hline)", on container;
/// The items for which a condition holds, merged.
mfilter Mfilter (container: Cont<Cont<A>>, function: fn(Cont<A>) -> Bool) -> Set<A>, runs, "mfilter(objects(I, T, F, T), vline)", on container;
/// The first item for which a condition holds.
extract Extract (container: Cont<A>, condition: fn(A) -> Bool) -> A, runs, "extract(objects(I, T, F, T), vline)";
/// The items as a tuple; a set gives them in canonical order.
totuple Totuple (container: Cont<A>) -> Tup<A>, pure, "totuple(palette(I))";
/// The first item.
first First (container: Cont<A>) -> A, pure, "first(I)", on container;
/// The last item.
last Last (container: Cont<A>) -> A, pure, "last(I)", on container;
/// A set with one more value.
insert Insert (value: A, container: Set<A>) -> Set<A>, pure, "insert(ORIGIN, ofcolor(I, ONE))";
/// A container without any item equal to a value.
remove Remove (value: A, container: Cont<A>) -> Cont<A>, pure, "remove(ZERO, palette(I))", on container;
/// The first item that differs from a value.
other Other (container: Cont<A>, value: A) -> A, pure, "other(palette(I), ZERO)", on container;
/// The ints from start up to, not including, stop.
interval Interval (start: Int, stop: Int, step: Int) -> Tup<Int>, pure, "interval(ZERO, SIX, TWO)";
/// A pair of two values.
astuple Astuple (a: Int, b: Int) -> IJ, pure, "astuple(TWO, THREE)";
/// All pairs of one item of each container, as a set.
product Product (a: Cont<A>, b: Cont<A>) -> Set<Tup<A>>, pure, "product(interval(ZERO, TWO, ONE), interval(ZERO, TWO, ONE))";
/// Two tuples zipped, as long as the shorter one.
pair Pair (a: Tup<A>, b: Tup<A>) -> Tup<Tup<A>>, pure, "pair(first(I), last(I))";
/// The second value if the condition is true or non-empty, else the third.
branch Branch (condition: Bool, a: A, b: A) -> A, pure, "branch(portrait(I), UP, LEFT)", also c_branch;
/// The function that runs inner, then outer.
compose Compose (outer: fn(B) -> C, inner: fn(A) -> B) -> fn(A) -> C, makes, "compose(size, palette)(I)";
/// The function that runs f, then g, then h.
chain Chain (h: fn(C) -> D, g: fn(B) -> C, f: fn(A) -> B) -> fn(A) -> D, makes, "chain(increment, size, palette)(I)";
/// The function that says whether another one gives a target.
matcher Matcher (function: fn(A) -> B, target: B) -> fn(A) -> Bool, makes, "matcher(size, FOUR)(I)";
/// A function with its last argument fixed.
rbind Rbind (function: fn(A, B) -> C, fixed: B) -> fn(A) -> C, makes, "rbind(ofcolor, TWO)(I)";
/// A function with its first argument fixed.
lbind Lbind (function: fn(A, B) -> C, fixed: A) -> fn(B) -> C, makes, "lbind(ofcolor, I)(TWO)";
/// A function run a number of times in a row.
power Power (function: fn(A) -> A, n: Int) -> fn(A) -> A, makes, "power(trim, ONE)(I)";
/// The function that combines what two functions give for the same argument.
fork Fork (outer: fn(B, C) -> D, a: fn(A) -> B, b: fn(A) -> C) -> fn(A) -> D, makes, "fork(hconcat, identity, vmirror)(I)";
/// What a function gives for each item, in a container of the same type.
apply Apply (function: fn(A) -> B, container: Cont<A>) -> Cont<B>, runs, "apply(size, objects(I, T, F, T))", on container;
/// What each of several functions gives for one value.
rapply Rapply (functions: Cont<fn(A) -> B>, value: A) -> Cont<B>, runs, "rapply(astuple(height, width), I)", on functions;
/// What a function gives for each item, merged.
mapply Mapply (function: fn(A) -> Cont<B>, container: Cont<A>) -> Set<B>, runs, "mapply(neighbors, ofcolor(I, TWO))", on container;
/// What a function of two arguments gives along two tuples.
papply Papply (function: fn(A, B) -> C, a: Tup<A>, b: Tup<B>) -> Tup<C>, runs, "papply(add, first(I), last(I))";
/// What a function of two arguments gives along two tuples, merged into a tuple.
mpapply Mpapply (function: fn(A, B) -> Cont<C>, a: Tup<A>, b: Tup<B>) -> Tup<C>, runs, "mpapply(repeat, first(I), last(I))";
/// What a function of two arguments gives for all pairs of items, as a set.
prapply Prapply (function: fn(A, B) -> C, a: Cont<A>, b: Cont<B>) -> Set<C>, runs, "prapply(astuple, palette(I), palette(I))";
// colours and measures
/// The commonest colour; the smallest on a tie.
mostcolor Mostcolor (element: Element) -> Int, pure, "mostcolor(I)", on element;
/// The rarest colour that occurs; the smallest on a tie.
leastcolor Leastcolor (element: Element) -> Int, pure, "leastcolor(I)", on element;
/// Rows of a grid, or of a patch's bounding box.
height Height (piece: Piece) -> Int, pure, "height(I)", on piece;
/// Columns of a grid, or of a patch's bounding box.
width Width (piece: Piece) -> Int, pure, "width(I)", on piece;
/// Height and width.
shape Shape (piece: Piece) -> IJ, pure, "shape(I)", on piece;
/// Whether a piece is taller than wide.
portrait Portrait (piece: Piece) -> Bool, pure, "portrait(I)", on piece;
/// How many cells have a colour.
colorcount Colorcount (element: Element, value: Int) -> Int, pure, "colorcount(I, ONE)", on element;
/// The objects whose first cell has a colour.
colorfilter Colorfilter (objs: Set<Object>, value: Int) -> Set<Object>, pure, "colorfilter(objects(I, T, F, T), ONE)", on objs;
/// The items that hold a number of items, as a set.
sizefilter Sizefilter (container: Cont<Cont<A>>, n: Int) -> Set<Cont<A>>, pure, "sizefilter(objects(I, T, F, T), ONE)", on container;
/// All locations of a grid.
asindices Asindices (grid: Grid) -> Indices, pure, "asindices(I)";
/// The locations that have a colour.
ofcolor Ofcolor (grid: Grid, value: Int) -> Indices, pure, "ofcolor(I, TWO)", also f_ofcolor;
/// The upper left corner of the bounding box.
ulcorner Ulcorner (patch: Patch) -> IJ, pure, "ulcorner(ofcolor(I, ONE))", on patch;
/// The upper right corner of the bounding box.
urcorner Urcorner (patch: Patch) -> IJ, pure, "urcorner(ofcolor(I, ONE))", on patch;
/// The lower left corner of the bounding box.
llcorner Llcorner (patch: Patch) -> IJ, pure, "llcorner(ofcolor(I, ONE))", on patch;
/// The lower right corner of the bounding box.
lrcorner Lrcorner (patch: Patch) -> IJ, pure, "lrcorner(ofcolor(I, ONE))", on patch;
/// A part of a grid, from a start and with dimensions that may reach past the end.
crop Crop (grid: Grid, start: IJ, dims: IJ) -> Grid, pure, "crop(I, UNITY, TWO_BY_TWO)";
/// The locations of a patch.
toindices Toindices (patch: Patch) -> Indices, pure, "toindices(asobject(I))", on patch;
/// A patch as an object of one colour.
recolor Recolor (value: Int, patch: Patch) -> Object, pure, "recolor(FIVE, ofcolor(I, ONE))", on patch;
/// A patch moved by a pair.
shift Shift (patch: Patch, directions: IJ) -> Patch, pure, "shift(ofcolor(I, ONE), DOWN)";
/// A patch moved so that its bounding box starts at the origin.
normalize Normalize (patch: Patch) -> Patch, pure, "normalize(ofcolor(I, ONE))", on patch;
/// The four locations that share an edge with one.
dneighbors Dneighbors (loc: IJ) -> Indices, pure, "dneighbors(UNITY)";
/// The four locations that touch one at a corner.
ineighbors Ineighbors (loc: IJ) -> Indices, pure, "ineighbors(UNITY)";
/// The eight locations around one.
neighbors Neighbors (loc: IJ) -> Indices, pure, "neighbors(UNITY)";
/// The connected objects of a grid: of one colour or mixed, joined diagonally too or not, with or without background.
objects Objects (grid: Grid, univalued: Bool, diagonal: Bool, without_bg: Bool) -> Set<Object>, pure, "objects(I, T, F, T)";
/// One object for every colour.
partition Partition (grid: Grid) -> Set<Object>, pure, "partition(I)";
/// One object for every colour but the commonest.
fgpartition Fgpartition (grid: Grid) -> Set<Object>, pure, "fgpartition(I)";
/// The first row a patch touches.
uppermost Uppermost (patch: Patch) -> Int, pure, "uppermost(ofcolor(I, ONE))", on patch;
/// The last row a patch touches.
lowermost Lowermost (patch: Patch) -> Int, pure, "lowermost(ofcolor(I, ONE))", on patch;
/// The first column a patch touches.
leftmost Leftmost (patch: Patch) -> Int, pure, "leftmost(ofcolor(I, ONE))", on patch;
/// The last column a patch touches.
rightmost Rightmost (patch: Patch) -> Int, pure, "rightmost(ofcolor(I, ONE))", on patch;
/// Whether a grid is square, or a patch a filled square.
square Square (piece: Piece) -> Bool, pure, "square(I)", on piece;
/// Whether a patch is one vertical line.
vline Vline (patch: Patch) -> Bool, pure, "vline(ofcolor(I, ONE))", on patch;
/// Whether a patch is one horizontal line.
hline Hline (patch: Patch) -> Bool, pure, "hline(ofcolor(I, ONE))", on patch;
/// Whether two patches have a row in common.
hmatching Hmatching (a: Patch, b: Patch) -> Bool, pure, "hmatching(ofcolor(I, ONE), ofcolor(I, TWO))";
/// Whether two patches have a column in common.
vmatching Vmatching (a: Patch, b: Patch) -> Bool, pure, "vmatching(ofcolor(I, ONE), ofcolor(I, TWO))";
/// The smallest number of straight steps from one patch to another.
manhattan Manhattan (a: Patch, b: Patch) -> Int, pure, "manhattan(ofcolor(I, ONE), ofcolor(I, TWO))";
/// Whether two patches lie one straight step apart.
adjacent Adjacent (a: Patch, b: Patch) -> Bool, pure, "adjacent(ofcolor(I, ONE), ofcolor(I, TWO))";
/// Whether a patch touches the edge of a grid.
bordering Bordering (patch: Patch, grid: Grid) -> Bool, pure, "bordering(ofcolor(I, TWO), I)";
/// The mean location, rounded down.
centerofmass Centerofmass (patch: Patch) -> IJ, pure, "centerofmass(ofcolor(I, ONE))";
/// The colours that occur, as a set.
palette Palette (element: Element) -> Set<Int>, pure, "palette(I)", on element;
/// How many colours occur.
numcolors Numcolors (element: Element) -> Int, pure, "numcolors(I)", on element;
/// The colour of an object's first cell.
color Color (obj: Object) -> Int, pure, "color(asobject(I))";
/// A patch with the colours that a grid has there.
toobject Toobject (patch: Patch, grid: Grid) -> Object, pure, "toobject(hfrontier(ORIGIN), I)";
/// All cells of a grid as one object.
asobject Asobject (grid: Grid) -> Object, pure, "asobject(I)";
// grids
/// A grid turned clockwise by a quarter.
rot90 Rot90 (grid: Grid) -> Grid, pure, "rot90(I)";
/// A grid turned by a half.
rot180 Rot180 (grid: Grid) -> Grid, pure, "rot180(I)";
/// A grid turned anticlockwise by a quarter.
rot270 Rot270 (grid: Grid) -> Grid, pure, "rot270(I)";
/// Upside down; a patch within its bounding box.
hmirror Hmirror (piece: Piece) -> Piece, pure, "hmirror(I)", on piece;
/// Left to right; a patch within its bounding box.
vmirror Vmirror (piece: Piece) -> Piece, pure, "vmirror(I)", on piece;
/// Rows and columns exchanged; a patch about its upper left corner.
dmirror Dmirror (piece: Piece) -> Piece, pure, "dmirror(I)", on piece;
/// Mirrored about the other diagonal.
cmirror Cmirror (piece: Piece) -> Piece, pure, "cmirror(I)", on piece;
/// A grid with one colour at the locations of a patch.
fill Fill (grid: Grid, value: Int, patch: Patch) -> Grid, pure, "fill(I, FIVE, ofcolor(I, ONE))";
/// A grid with an object drawn over it.
paint Paint (grid: Grid, obj: Object) -> Grid, pure, "paint(I, recolor(FIVE, hfrontier(ORIGIN)))";
/// Like `fill`, on background cells only.
underfill Underfill (grid: Grid, value: Int, patch: Patch) -> Grid, pure, "underfill(I, FIVE, hfrontier(ORIGIN))";
/// Like `paint`, on background cells only.
underpaint Underpaint (grid: Grid, obj: Object) -> Grid, pure, "underpaint(I, recolor(FIVE, hfrontier(ORIGIN)))";
/// Every column a number of times.
hupscale Hupscale (grid: Grid, factor: Int) -> Grid, pure, "hupscale(I, TWO)";
/// Every row a number of times.
vupscale Vupscale (grid: Grid, factor: Int) -> Grid, pure, "vupscale(I, TWO)";
/// Every cell as a square of a number of cells a side.
upscale Upscale (element: Element, factor: Int) -> Element, pure, "upscale(I, TWO)", on element;
/// Every so many rows and columns of a grid, the first included.
downscale Downscale (grid: Grid, factor: Int) -> Grid, pure, "downscale(I, TWO)";
/// Two grids side by side.
hconcat Hconcat (a: Grid, b: Grid) -> Grid, pure, "hconcat(I, vmirror(I))";
/// Two grids one above the other.
vconcat Vconcat (a: Grid, b: Grid) -> Grid, pure, "vconcat(I, hmirror(I))";
/// The part of a grid that a patch's bounding box covers.
subgrid Subgrid (patch: Patch, grid: Grid) -> Grid, pure, "subgrid(ofcolor(I, ONE), I)";
/// A grid cut into a number of parts side by side.
hsplit Hsplit (grid: Grid, n: Int) -> Tup<Grid>, pure, "hsplit(I, TWO)";
/// A grid cut into a number of parts one above the other.
vsplit Vsplit (grid: Grid, n: Int) -> Tup<Grid>, pure, "vsplit(I, TWO)";
/// The cells where two grids agree, a fallback colour elsewhere.
cellwise Cellwise (a: Grid, b: Grid, fallback: Int) -> Grid, pure, "cellwise(I, hmirror(I), FIVE)";
/// A grid with one colour replaced by another.
replace Replace (grid: Grid, replacee: Int, replacer: Int) -> Grid, pure, "replace(I, ONE, FIVE)";
/// A grid with two colours exchanged.
switch Switch (grid: Grid, a: Int, b: Int) -> Grid, pure, "switch(I, ONE, TWO)";
/// The middle of the bounding box.
center Center (patch: Patch) -> IJ, pure, "center(ofcolor(I, ONE))";
/// The direction from the middle of one patch to that of another.
position Position (a: Patch, b: Patch) -> IJ, pure, "position(ofcolor(I, ONE), ofcolor(I, TWO))";
/// The colour at a location; null outside the grid.
index Index (grid: Grid, loc: IJ) -> Int, pure, "index(I, UNITY)";
/// A grid of one colour.
canvas Canvas (value: Int, dimensions: IJ) -> Grid, pure, "canvas(THREE, TWO_BY_TWO)";
/// The four corners of the bounding box.
corners Corners (patch: Patch) -> Indices, pure, "corners(asindices(I))";
/// The straight or diagonal line between two locations.
connect Connect (a: IJ, b: IJ) -> Indices, pure, "connect(ORIGIN, THREE_BY_THREE)";
/// A grid with the background colour at the locations of a patch.
cover Cover (grid: Grid, patch: Patch) -> Grid, pure, "cover(I, ofcolor(I, TWO))";
/// A grid without its outermost rows and columns.
trim Trim (grid: Grid) -> Grid, pure, "trim(I)";
/// A grid with an object taken away and drawn again elsewhere.
r#move Move (grid: Grid, obj: Object, offset: IJ) -> Grid, pure, "move(I, recolor(TWO, ofcolor(I, TWO)), UP)";
/// The upper half.
tophalf Tophalf (grid: Grid) -> Grid, pure, "tophalf(I)";
/// The lower half.
bottomhalf Bottomhalf (grid: Grid) -> Grid, pure, "bottomhalf(I)";
/// The left half.
lefthalf Lefthalf (grid: Grid) -> Grid, pure, "lefthalf(I)";
/// The right half.
righthalf Righthalf (grid: Grid) -> Grid, pure, "righthalf(I)";
// lines, boxes and what repeats
/// The column of a location, rows 0 to 29.
vfrontier Vfrontier (location: IJ) -> Indices, pure, "toobject(vfrontier(UNITY), I)";
/// The row of a location, columns 0 to 29.
hfrontier Hfrontier (location: IJ) -> Indices, pure, "toobject(hfrontier(UNITY), I)";
/// All locations of the bounding box.
backdrop Backdrop (patch: Patch) -> Indices, pure, "backdrop(ofcolor(I, ONE))";
/// The locations of the bounding box that the patch leaves free.
delta Delta (patch: Patch) -> Indices, pure, "delta(ofcolor(I, ONE))";
/// The step that moves one patch until it lies next to another.
gravitate Gravitate (source: Patch, destination: Patch) -> IJ, pure, "gravitate(ofcolor(I, TWO), ofcolor(I, ONE))";
/// The outline one step inside the bounding box.
inbox Inbox (patch: Patch) -> Indices, pure, "inbox(asindices(I))";
/// The outline one step outside the bounding box.
outbox Outbox (patch: Patch) -> Indices, pure, "outbox(ofcolor(I, TWO))";
/// The outline of the bounding box.
r#box Box (patch: Patch) -> Indices, pure, "box(asindices(I))";
/// The line from a location in a direction, 42 steps far.
shoot Shoot (start: IJ, direction: IJ) -> Indices, pure, "toobject(shoot(ORIGIN, UNITY), I)";
/// The locations where an object occurs in a grid.
occurrences Occurrences (grid: Grid, obj: Object) -> Indices, pure, "occurrences(I, recolor(ONE, initset(ORIGIN)))";
/// The rows and columns of one colour, as objects.
frontiers Frontiers (grid: Grid) -> Set<Object>, pure, "frontiers(I)";
/// A grid without its rows and columns of one colour.
compress Compress (grid: Grid) -> Grid, pure, "compress(I)";
/// The smallest horizontal shift that maps an object onto itself.
hperiod Hperiod (obj: Object) -> Int, pure, "hperiod(asobject(I))";
/// The smallest vertical shift that maps an object onto itself.
vperiod Vperiod (obj: Object) -> Int, pure, "vperiod(asobject(I))";
// beyond arc-dsl: objects, palettes and ranks
/// `objects` with its three flags in one number: 4 one colour, 2 diagonal, 1 without background.
o_g OG (grid: Grid, mode: Int) -> Set<Object>, pure, "o_g(I, R5)";
/// `o_g` as a tuple, in canonical order.
o_g_t OGT (grid: Grid, mode: Int) -> Tup<Object>, pure, "o_g_t(I, R5)", also o_g_tuple;
/// `objects` as a tuple, in canonical order.
objects_t ObjectsT (grid: Grid, univalued: Bool, diagonal: Bool, without_bg: Bool) -> Tup<Object>, pure, "objects_t(I, T, F, T)", also objects_g;
/// The colours of a grid as a tuple, ascending.
p_g PG (grid: Grid) -> Tup<Int>, pure, "p_g(I)";
/// The colours of an object as a tuple, ascending.
p_o PO (obj: Object) -> Tup<Int>, pure, "p_o(asobject(I))";
/// The colours of an object as a set.
p_f PF (obj: Object) -> Set<Int>, pure, "p_f(asobject(I))";
/// The second item.
second Second (container: Cont<A>) -> A, pure, "second(I)";
/// The item of a tuple at a rank; negative ranks count from the end.
get_nth_t GetNthT (container: Tup<A>, rank: Int) -> A, pure, "get_nth_t(I, L1)";
/// The item of a container at a rank; negative ranks count from the end.
get_nth_f GetNthF (container: Cont<A>, rank: Int) -> A, pure, "get_nth_f(palette(I), F1)";
/// The item of a container at a rank after a stable ascending sort by a key, as `get_nth_by_key_f`.
get_nth_by_key_t GetNthByKeyT (container: Cont<A>, rank: Int, key: fn(A) -> Any) -> A, runs, "get_nth_by_key_t(o_g_t(I, R5), L1, size)";
/// The item of a container at a rank after a stable ascending sort by a key.
get_nth_by_key_f GetNthByKeyF (container: Cont<A>, rank: Int, key: fn(A) -> Any) -> A, runs, "get_nth_by_key_f(o_g(I, R5), F0, size)";
/// The items of one container that another does not hold, as `difference`.
difference_tuple DifferenceTuple (a: Cont<A>, b: Cont<A>) -> Cont<A>, pure, "difference_tuple(p_g(I), first(I))", also difference_t;
/// The demo pairs whose input differs from their output.
dedupe_pair_tuple DedupePairTuple (S: Pairs) -> Pairs, pure, "size(dedupe_pair_tuple(S))";
/// What f finds in the demo inputs and not in the demo outputs.
c_iz CIz (S: Pairs, f: fn(Grid) -> Cont<A>) -> Tup<A>, runs, "c_iz(S, p_g)";
/// What f finds in the demo outputs and not in the demo inputs.
c_zo CZo (S: Pairs, f: fn(Grid) -> Cont<A>) -> Tup<A>, runs, "c_zo(S, p_g)";
/// What pick takes from `c_iz`.
c_iz_n CIzN (S: Pairs, f: fn(Grid) -> Cont<A>, pick: fn(Tup<A>) -> A) -> A, runs, "c_iz_n(S, p_g, rbind(get_nth_t, F0))";
/// What pick takes from `c_zo`.
c_zo_n CZoN (S: Pairs, f: fn(Grid) -> Cont<A>, pick: fn(Tup<A>) -> A) -> A, runs, "c_zo_n(S, p_g, rbind(get_nth_t, F0))";
/// A grid mirrored or turned, by number: hmirror, dmirror, vmirror, cmirror, rot90, rot180, rot270, as it is.
mir_rot_t MirRotT (grid: Grid, orientation: Int) -> Grid, pure, "mir_rot_t(I, A4)";
/// A patch mirrored, by number: hmirror, dmirror, vmirror, cmirror, as it is.
mir_rot_f MirRotF (patch: Patch, orientation: Int) -> Patch, pure, "mir_rot_f(ofcolor(I, ONE), A2)";
/// The first orientation that maps every demo input to its output.
a_mr AMr (S: Pairs) -> Int, pure, "a_mr(S)";
/// The colour of a grid at a rank, commonest first.
get_color_rank_t GetColorRankT (grid: Grid, rank: Int) -> Int, pure, "get_color_rank_t(I, F1)";
/// The colour of an object at a rank, commonest first.
get_color_rank_f GetColorRankF (obj: Object, rank: Int) -> Int, pure, "get_color_rank_f(asobject(I), L1)";
/// The int at a rank, largest first.
get_rank GetRank (ints: Cont<Int>, rank: Int) -> Int, pure, "get_rank(palette(I), F0)";
/// The item at a rank by a key, largest first.
get_arg_rank GetArgRank (container: Cont<A>, f: fn(A) -> Int, rank: Int) -> A, runs, "get_arg_rank(o_g(I, R5), size, F0)", on container;
/// The key at a rank, smallest first.
get_val_rank GetValRank (container: Cont<A>, f: fn(A) -> Int, rank: Int) -> Int, runs, "get_val_rank(o_g(I, R5), size, F0)", on container;
/// The distinct item at a rank by how often it occurs, rarest first.
get_common_rank GetCommonRank (container: Cont<A>, rank: Int) -> A, pure, "get_common_rank(first(I), F0)", on container;
/// A corner of the bounding box: upper left, upper right, lower left, lower right.
corner Corner (patch: Patch, which: Int) -> IJ, pure, "corner(ofcolor(I, ONE), R3)";
/// A side of the bounding box: lowermost, uppermost, leftmost, rightmost.
col_row ColRow (patch: Patch, which: Int) -> Int, pure, "col_row(ofcolor(I, ONE), R1)";
/// A cell from a location and a colour.
ascell Ascell (ij: IJ, color: Int) -> Cell, pure, "ascell(UNITY, FIVE)";
/// The location of a cell; of a tuple of ints, its first two.
toij Toij (cell: Cell) -> IJ, pure, "toij(first(asobject(I)))";
/// A tuple of three ints.
astriple Astriple (i: Int, j: Int, color: Int) -> Tup<Int>, pure, "astriple(ONE, TWO, THREE)";
/// True unless the value is a tuple of tuples of ints.
is_no_grid IsNoGrid (x: Any) -> Bool, pure, "is_no_grid(I)";
// beyond arc-dsl: what a cell sees, holes, panels and tiles
/// The colour that each cell sees first in a direction, looking through one colour.
ray Ray (grid: Grid, through: Int, direction: IJ) -> Object, pure, "ray(I, ZERO, RIGHT)";
/// The free cells that a patch encloses.
interior Interior (patch: Patch) -> Indices, pure, "interior(box(asindices(I)))";
/// How many holes a patch has.
holes Holes (patch: Patch) -> Int, pure, "holes(box(asindices(I)))";
/// The parts of a grid between its full rows and columns of one colour, row by row.
panels Panels (grid: Grid, divider: Int) -> Tup<Object>, pure, "panels(I, ZERO)";
/// A grid with one colour filled in from the smallest tile that repeats.
tiled Tiled (grid: Grid, hidden: Int) -> Grid, pure, "tiled(hconcat(I, replace(I, TWO, FIVE)), FIVE)";
/// A grid with one colour filled in by its mirror symmetry.
mended Mended (grid: Grid, hidden: Int) -> Grid, pure, "mended(hconcat(I, replace(vmirror(I), TWO, FIVE)), FIVE)";
// beyond arc-dsl: containers and cells
/// The items as a set.
toset Toset (container: Cont<A>) -> Set<A>, pure, "toset(first(I))";
/// Cells from a tuple of locations and a tuple of colours, as many as the shorter one has.
celltuple Celltuple (locations: Tup<IJ>, colors: Tup<Int>) -> Tup<Cell>, pure, "celltuple(totuple(ofcolor(I, TWO)), first(I))";
        }
    };
}
