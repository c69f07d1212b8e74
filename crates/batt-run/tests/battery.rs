//! Merged equals alone: every program of a battery gives what it gives by itself, on every sample,
//! under both policies, fused and unfused.

use batt_lang::Program;
use batt_lang::card::{Card, Options, Policy};
use batt_lang::program::Definition;
use batt_run::engine::reference::Reference;
use batt_run::run::plan::{Pair, Plan};
use batt_run::tasks::{self, Example, Grid, Task};
use batt_run::verify::{self, Case, Check, Report, Side, Work};
use batt_run::{programs, random};

fn read(sources: &[programs::Source]) -> Vec<Program> {
    let modules = sources.iter().map(|(_, source)| batt_lang::text::parse(source));
    let definitions = modules.flat_map(|module| {
        assert!(module.problems.is_empty(), "{:?}", module.problems);
        module.definitions
    });
    definitions
        .filter_map(|d| match d {
            Definition::Program(p) => Some(p),
            Definition::Generated(_) => None,
        })
        .collect()
}

fn cross(programs: usize, tasks: usize) -> Plan {
    let pairs =
        (0..programs).flat_map(|program| (0..tasks).map(move |task| Pair { program, task }));
    Plan { pairs: pairs.collect(), stray: Vec::new(), jobs: Vec::new() }
}

/// Deep functions need more stack than a test thread has.
fn on_large_stacks<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().stack_size(256 << 20).build().unwrap();
    pool.install(work)
}

/// Compares in both policies, fused and unfused; a difference is shrunk and shown.
fn merged_equals_alone(programs: &[Program], differs: &[Program], tasks: &[Task]) -> Report {
    let plan = cross(programs.len(), tasks.len());
    let work = Work { programs, differs, tasks, plan: &plan };
    let mut all = Report::default();
    for policy in [Policy::Strict, Policy::Safe] {
        for fuse in [true, false] {
            let merged = Side::Merged { engine: &Reference, fuse };
            let check = Check { left: Side::Alone, right: merged, policy };
            let report = verify::compare(&check, &work, &|| {});
            if let Some(first) = &report.first {
                let case = Case::of(first, &work);
                let small = verify::shrink(case, 3000, &|case| case.differs(&check));
                panic!(
                    "{policy:?}, fused {fuse}: {} of {} differ; alone {:?}, merged {:?}\n{}\n{}",
                    report.mismatches,
                    report.compared,
                    small.answer(check.left, policy),
                    small.answer(check.right, policy),
                    batt_lang::text::print(&small.program),
                    small.record("shrunk", policy),
                );
            }
            all.add(report);
        }
    }
    all
}

#[test]
fn random_programs_merge() {
    // An unoptimised build is some ten times slower.
    let usual = if cfg!(debug_assertions) { 60 } else { 300 };
    let batteries = std::env::var("BATT_BATTERIES").ok().and_then(|n| n.parse().ok());
    let batteries: u64 = batteries.unwrap_or(usual);
    let start = std::env::var("BATT_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let report = on_large_stacks(|| {
        let mut all = Report::default();
        for seed in start..start + batteries {
            let mut rng = random::rng(seed);
            let count = 10 + (seed % 31) as usize;
            // Every fourth battery has many errors.
            let ill_typed = if seed % 4 == 3 { 60 } else { 4 };
            let options = random::Options { ill_typed, ..random::Options::default() };
            let programs = random::programs(&mut rng, count, &options);
            let tasks = [random::task(&mut rng)];
            all.add(merged_equals_alone(&programs, &[], &tasks));
        }
        all
    });
    println!(
        "{} compared, {} values, {} handed back",
        report.compared, report.values, report.handed_back
    );
    assert!(report.handed_back * 100 < report.compared);
    assert!(report.values * 2 > report.compared);
}

#[test]
fn the_embedded_library_merges_with_its_scores() {
    let (programs, differs) = (read(programs::embedded()), read(programs::differs()));
    let tasks = tasks::embedded();
    let report = on_large_stacks(|| merged_equals_alone(&programs, &differs, tasks.tasks()));
    println!(
        "{} compared, {} values, {} handed back",
        report.compared, report.values, report.handed_back
    );
    assert!(report.handed_back * 100 < report.compared);
}

/// `BATT_ARC_DSL` is a checkout of the public programs, `BATT_ARC_DATA` what `--tasks` takes,
/// `BATT_ARC_EVERY` runs every n-th task only.
#[test]
fn public_programs_merge() {
    let (Ok(dir), Ok(data)) = (std::env::var("BATT_ARC_DSL"), std::env::var("BATT_ARC_DATA"))
    else {
        println!("BATT_ARC_DSL and BATT_ARC_DATA are not set: not checked");
        return;
    };
    let source = std::fs::read_to_string(format!("{dir}/solvers.py")).unwrap();
    let module = batt_lang::text::parse(&source);
    let programs: Vec<Program> = module
        .definitions
        .into_iter()
        .filter_map(|d| match d {
            Definition::Program(p) => Some(p),
            Definition::Generated(_) => None,
        })
        .collect();
    for policy in [Policy::Strict, Policy::Safe] {
        let mut card = Card::new(Options { policy, ..Options::default() });
        for program in &programs {
            card.add(program);
        }
        let battery = card.deal();
        let dynamic = battery.live().filter(|(id, _)| battery.is_dynamic(*id));
        let dynamic: Vec<String> = dynamic.map(|(id, _)| battery.expression(id)).collect();
        println!("{policy:?}: known only at run time: {dynamic:#?}");
    }
    let every = std::env::var("BATT_ARC_EVERY").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let set = tasks::load(&data).unwrap();
    let tasks: Vec<Task> = set.tasks().iter().step_by(every).cloned().collect();
    let report = on_large_stacks(|| merged_equals_alone(&programs, &[], &tasks));
    println!(
        "{} compared, {} values, {} handed back",
        report.compared, report.values, report.handed_back
    );
    assert!(report.handed_back * 100 < report.compared);
}

/// What random programs found, kept: each of these once differed from the program alone.
#[test]
fn differences_of_the_past_stay_away() {
    let source = "
def solve_items_of_outputs(S, I, C):
    t1 = apply(second, S)
    t2 = argmin(t1, size)
    return t2

def solve_not_a_container(I):
    x1 = leastcolor(I)
    O = mapply(identity, x1)
    return O
";
    let programs = read(&[("past.py", source)]);
    let tasks: Vec<Task> = tasks::embedded().tasks()[..3].to_vec();
    on_large_stacks(|| merged_equals_alone(&programs, &[], &tasks));
}

#[test]
fn loops_over_parts_merge() {
    let programs = read(&[("parts.py", include_str!("programs/parts.py"))]);
    let mut tasks: Vec<Task> = (0..12).map(|seed| random::task(&mut random::rng(seed))).collect();
    tasks.extend_from_slice(tasks::embedded().tasks());
    let report = on_large_stacks(|| merged_equals_alone(&programs, &[], &tasks));
    assert!(report.values * 2 > report.compared, "{} of {}", report.values, report.compared);
}

/// A count known at run time only, good and bad, called and not called.
#[test]
fn powers_with_a_computed_count_merge() {
    let source = "
def solve_called(I):
    x1 = decrement(first(first(I)))
    O = power(trim, x1)(I)
    return O
def solve_not_called(I):
    x1 = first(first(I))
    O = apply(power(trim, x1), sfilter(I, compose(flip, size)))
    return O
def solve_too_often(I):
    x1 = multiply(multiply(TEN, TEN), TEN)
    O = power(increment, multiply(x1, first(first(I))))(ONE)
    return O
def solve_below_one(I):
    O = power(increment, subtract(first(first(I)), TWO))(ONE)
    return O
def solve_in_a_loop(I):
    O = apply(power(increment, first(last(I))), first(I))
    return O
";
    let grid = |n| Grid::from_rows(&[[n, 1, 2, 3, 4], [0; 5], [5; 5], [6; 5], [n, 2, 3, 4, 5]]);
    merge_on("powers.py", source, [0, 1, 2, 3, 9].map(grid));
}

/// Compares programs on inputs of one task without demo pairs.
fn merge_on<const N: usize>(name: &'static str, source: &'static str, inputs: [Option<Grid>; N]) {
    let programs = read(&[(name, source)]);
    let test = |input: Option<Grid>| Example { input: input.unwrap(), output: None };
    let tests = inputs.into_iter().map(test).collect();
    let task = Task { id: "merge".to_string(), demos: Vec::new(), tests };
    on_large_stacks(|| merged_equals_alone(&programs, &[], &[task]));
}

/// Functions that are items of containers: known one by one, made for each item of a container, and
/// made inside bodies; over nothing, over sets, and with errors that only some items have.
#[test]
fn containers_of_functions_merge() {
    let source = "
def solve_scaled(I):
    x1 = apply(lbind(rbind, upscale), interval(ONE, FOUR, ONE))
    O = rapply(x1, I)
    return O
def solve_products(I):
    x1 = insert(rot90, insert(hmirror, initset(vmirror)))
    x2 = apply(lbind(rbind, upscale), interval(ONE, THREE, ONE))
    x3 = apply(fork(compose, first, last), product(x1, x2))
    O = rapply(x3, I)
    return O
def solve_ordered(I):
    x1 = combine(astuple(cmirror, dmirror), astuple(hmirror, vmirror))
    x2 = totuple(apply(fork(compose, first, last), product(x1, x1)))
    x3 = lbind(rapply, combine(x1, x2))
    O = apply(x3, objects(I, T, F, F))
    return O
def solve_tuple_and_set(I):
    x1 = combine(astuple(vmirror, rot90), insert(cmirror, initset(rot180)))
    O = rapply(x1, I)
    return O
def solve_of_a_set(I):
    x1 = apply(lbind(lbind, add), palette(I))
    O = rapply(x1, size(I))
    return O
def solve_of_a_tuple(I):
    x1 = apply(lbind(lbind, colorcount), astuple(I, rot90(I)))
    O = rapply(x1, first(first(I)))
    return O
def solve_mapped(I):
    x1 = apply(lbind(rbind, sfilter), astuple(even, positive))
    O = rapply(x1, first(I))
    return O
def solve_twice(I):
    x1 = apply(lbind(rbind, add), first(I))
    x2 = apply(lbind(compose, double), x1)
    O = rapply(x2, last(first(I)))
    return O
def solve_run_through(I):
    x1 = apply(lbind(lbind, divide), first(I))
    O = apply(lbind(lbind, apply)(identity), apply(rbind(rapply, TWO), initset(x1)))
    return O
def solve_mapply(I):
    x1 = apply(lbind(rbind, colorfilter), first(I))
    x2 = mapply(rbind(lbind(rapply, initset(identity)), ONE), x1)
    O = astuple(x2, x1)
    return O
def solve_zipped(I):
    x1 = apply(lbind(rbind, add), first(I))
    x2 = apply(lbind(lbind, multiply), last(I))
    x3 = papply(compose, x1, x2)
    x4 = apply(lbind(compose, double), x3)
    O = rapply(x4, TWO)
    return O
def solve_zipped_run(I):
    x1 = apply(lbind(matcher, identity), first(I))
    x2 = papply(sfilter, I, x1)
    O = mpapply(mapply, apply(lbind(lbind, repeat), first(I)), x2)
    return O
def solve_zipped_short(I):
    x1 = apply(chain(lbind(rbind, add), lbind(divide, TEN), identity), first(I))
    O = papply(apply, x1, astuple(first(I), last(I)))
    return O
def solve_zipped_with_a_set(I):
    x1 = apply(lbind(rbind, add), first(I))
    O = papply(apply, x1, apply(initset, palette(I)))
    return O
def solve_zipped_of_a_set(I):
    x1 = apply(lbind(rbind, add), palette(I))
    O = papply(apply, x1, I)
    return O
def solve_zipped_in_a_body(I):
    x1 = apply(lbind(lbind, add), first(I))
    O = apply(lbind(lbind(papply, apply), x1), I)
    return O
def solve_errors_of_some(I):
    x1 = apply(chain(lbind(rbind, add), lbind(divide, TEN), identity), first(I))
    O = rapply(x1, ONE)
    return O
def solve_errors_of_x(I):
    x1 = apply(lbind(rbind, add), sfilter(first(I), matcher(identity, NEG_ONE)))
    O = rapply(x1, first(sfilter(I, matcher(size, ZERO))))
    return O
def solve_errors_before_x(I):
    x1 = apply(compose(lbind(rbind, add), first), sfilter(I, compose(positive, first)))
    O = rapply(x1, size(I))
    return O
def solve_inside(I):
    x1 = compose(lbind(apply, lbind(rbind, add)), identity)
    x2 = fork(rapply, x1, size)
    O = apply(x2, I)
    return O
def solve_inside_twice(I):
    x1 = lbind(apply, lbind(rbind, add))
    x2 = compose(lbind(apply, lbind(compose, double)), x1)
    O = apply(fork(rapply, x2, size), I)
    return O
def solve_counted(I):
    x1 = compose(lbind(power, increment), first)
    x2 = chain(initset, first, lbind(rapply, initset(x1)))
    O = apply(compose(first, fork(rapply, x2, size)), I)
    return O
def solve_function_of_failure(I):
    x1 = compose(lbind(rbind, add), first)
    x2 = x1(first(I))
    x3 = sfilter(palette(I), matcher(identity, NEG_ONE))
    O = apply(x2, x3)
    return O
def solve_picked(I):
    x1 = astuple(rot90, rot180)
    x2 = first(x1)
    x3 = last(apply(lbind(rbind, upscale), interval(ONE, FOUR, ONE)))
    O = astuple(x2(I), x3(I))
    return O
def solve_no_container(I):
    x1 = apply(lbind(rbind, add), size(I))
    O = rapply(x1, ONE)
    return O
def solve_sizes(I):
    x1 = apply(lbind(rbind, add), palette(I))
    x2 = apply(lbind(rbind, even), palette(I))
    O = astuple(size(x1), size(x2))
    return O
";
    let grid = |n| Grid::from_rows(&[[n, 1, 2], [0, n, 3], [5, 5, n]]);
    merge_on("functions.py", source, [0, 1, 2, 9].map(grid));
}
