//! Plans that are broken on purpose are caught, and what is refused is handed back.

use batt_cpu::Set;
use batt_lang::card::Options;
use batt_lang::graph::Root;
use batt_ptx::Emulator;

use super::*;
use crate::engine::cpu::plan::tests::dealt;
use crate::engine::cuda::Device;
use crate::engine::shortcuts::Roots;
use crate::engine::{Phase, cpu, cuda};
use crate::programs;

const SOURCE: &str = "def solve_a(I):
    x1 = objects(I, T, F, T)
    x2 = compose(size, toindices)
    x3 = apply(x2, x1)
    x4 = first(x3)
    O = canvas(x4, UNITY)
    return O

def solve_b(I):
    O = hmirror(I)
    return O
";

fn cuda_plan(battery: &Battery, device: &dyn Device, refused: &Refused) -> cuda::plan::Plan {
    let (roots, pass) = (Roots::outputs(battery), Phase::Outputs.pass(battery));
    cuda::plan::Plan::new(battery, pass, &roots, device, true, refused).unwrap()
}

/// What is wrong with the steps for a sample when some are left out, changed or moved.
fn broken(change: impl FnOnce(&Battery, &mut Vec<cuda::step::Step>)) -> String {
    let device = Emulator::new(1 << 20).unwrap();
    let battery = dealt(SOURCE, Options::default());
    let mut plan = cuda_plan(&battery, &device, &Refused::default());
    assert_eq!(plan.check(&battery), Ok(()));
    change(&battery, &mut plan.steps[Root::Sample as usize]);
    plan.check(&battery).unwrap_err().to_string()
}

fn at(steps: &[cuda::step::Step], label: &str) -> usize {
    steps.iter().position(|step| step.label().starts_with(label)).unwrap()
}

#[test]
fn what_is_wrong_with_a_plan_is_told_by_step_and_slot() {
    use cuda::step::Step;
    // Nothing opens the frame of the loop.
    let told = broken(|_, steps| drop(steps.remove(at(steps, "the opening"))));
    assert!(told.starts_with("calls (t") && told.contains("needs frame 3, which is not open"));
    // The first call is left out.
    let told = broken(|_, steps| drop(steps.remove(at(steps, "calls"))));
    assert!(told.starts_with("the opening of frames (t"), "{told}");
    assert!(told.contains(" reads t") && told.ends_with(", which is not computed"), "{told}");
    // The items are dropped as soon as they are there.
    let told = broken(|battery, steps| {
        let open = at(steps, "the opening");
        let item = battery.element(FrameId(3), 0).unwrap();
        steps.insert(open + 1, Step::Drop(item));
    });
    assert!(told.starts_with("calls (t") && told.ends_with(", which was dropped"), "{told}");
    // A frame is closed after it was left.
    let told = broken(|_, steps| {
        let close = at(steps, "the closing");
        steps.insert(close, Step::Leave(FrameId(3)));
    });
    assert!(told.starts_with("the closing of a frame (t"), "{told}");
    assert!(told.ends_with("needs frame 3, which is not open"), "{told}");
    // Something is computed once more.
    let told = broken(|_, steps| {
        let close = steps.remove(at(steps, "the closing"));
        let Step::Close(mut close) = close else { panic!("it closes a frame") };
        let again = steps.iter().find_map(|step| match step {
            Step::Calls(calls) => Some(calls[0].out),
            _ => None,
        });
        close.out = again.unwrap();
        steps.insert(at(steps, "the end of frame"), Step::Close(close));
    });
    assert!(told.contains(" computes t") && told.ends_with(" once more"), "{told}");
    // A result is not there at the end.
    let told = broken(|_, steps| drop(steps.pop()));
    assert!(told.starts_with("the report reads t"), "{told}");
}

#[test]
fn rows_that_do_not_know_their_parents_are_found() {
    let device = Emulator::new(1 << 20).unwrap();
    let source = "def solve_a(I):\n    x1 = height(I)\n    x2 = rbind(greater, x1)\n    \
                  x3 = compose(x2, size)\n    x4 = objects(I, T, F, T)\n    \
                  O = sfilter(x4, x3)\n    return O\n";
    let battery = dealt(source, Options::default());
    let mut plan = cuda_plan(&battery, &device, &Refused::default());
    assert_eq!(plan.check(&battery), Ok(()));
    plan.above.fill(0);
    let told = plan.check(&battery).unwrap_err().to_string();
    assert!(told.contains(" where frame 3 does not find it"), "{told}");
}

#[test]
fn loops_in_pieces_keep_what_the_next_piece_reads() {
    let source = "def solve_a(I):\n    x1 = height(I)\n    x2 = rbind(greater, x1)\n    \
                  x3 = compose(x2, size)\n    x4 = objects(I, T, F, T)\n    \
                  O = sfilter(x4, x3)\n    return O\n";
    let battery = dealt(source, Options::default());
    let pass = Phase::Outputs.pass(&battery);
    let check = |change: &dyn Fn(&mut cpu::step::Region)| {
        let plan = cpu::plan::Plan::new(&battery, pass, Set::Portable, &Refused::default());
        let mut plan = plan;
        for step in plan.steps.iter_mut().flatten() {
            if let cpu::step::Step::Region(region) = step {
                change(region);
            }
        }
        let mut check = Check::new(&battery, Layout::Cpu, &plan.above, &plan.counted);
        plan.steps.iter().try_for_each(|steps| check.steps(steps))
    };
    assert_eq!(check(&|_| {}), Ok(()));
    let told = check(&|region| {
        let outside = region.open.over[0].slot;
        region.body.push(cpu::step::Step::Drop(outside));
    });
    let told = told.unwrap_err().to_string();
    assert!(told.starts_with("the drop of t") && told.ends_with("which is not its own"), "{told}");
}

/// All of them are checked as they are made.
#[test]
fn plans_of_the_embedded_programs_can_be_run() {
    let device = Emulator::new(1 << 20).unwrap();
    for policy in [batt_lang::card::Policy::Strict, batt_lang::card::Policy::Safe] {
        for fuse in [true, false] {
            let mut card = batt_lang::card::Card::new(Options { policy, fuse });
            for program in programs::parsed() {
                card.add(&program);
            }
            let battery = card.deal();
            for apart in [true, false] {
                let (roots, pass) = (Roots::outputs(&battery), Phase::Outputs.pass(&battery));
                let none = Refused::default();
                let plan =
                    cuda::plan::Plan::new(&battery, pass, &roots, &device, apart, &none).unwrap();
                assert_eq!(plan.check(&battery), Ok(()));
            }
        }
    }
}

#[test]
fn what_is_refused_is_handed_back_and_the_rest_can_be_run() {
    let device = Emulator::new(1 << 20).unwrap();
    let battery = dealt(SOURCE, Options::default());
    let all: Vec<SlotId> = (0..battery.slot_count() as u32).map(SlotId).collect();
    let roots = Roots::outputs(&battery).slots;
    for slot in all.iter().filter(|slot| battery.outputs().needs(**slot)) {
        let mut refused = Refused::default();
        // The plan says of whatever it computes that it is wrong, until that is refused.
        let (plan, wrong) = settled(
            &roots,
            &mut refused,
            |refused| Ok::<_, ()>((cuda_plan(&battery, &device, refused), refused.clone())),
            |(plan, refused)| {
                if refused.has(*slot) {
                    return plan.check(&battery);
                }
                let what = Wrong::Missing(*slot);
                Err(Inconsistent { step: "a test".to_string(), slots: vec![*slot], what })
            },
        )
        .unwrap();
        assert_eq!(wrong.len(), 1);
        assert_eq!(plan.0.check(&battery), Ok(()));
    }
}

#[test]
fn a_plan_that_stays_wrong_computes_nothing() {
    let battery = dealt(SOURCE, Options::default());
    let roots = Roots::outputs(&battery).slots;
    let mut refused = Refused::default();
    let wrong = Inconsistent {
        step: "a test".to_string(),
        slots: Vec::new(),
        what: Wrong::NotOpen(FrameId(3)),
    };
    let made = settled(&roots, &mut refused, |_| Ok::<_, ()>(()), |()| Err(wrong.clone()));
    assert!(!made.unwrap().1.is_empty());
    assert!(roots.iter().all(|root| refused.has(*root)));
}
