//! Every form that people have.

use super::{printed, program};
use crate::ops::Prim;
use crate::program::{Callee, Definition, Expr, Input};
use crate::text::{parse, parse_bytes, parse_expression, print};
use crate::value::Value;

/// The body of a function over I, printed without its first line.
fn body(lines: &str) -> String {
    let text = printed(&format!("def f(S, I, C):\n{lines}"));
    text.lines().skip(1).map(str::trim).collect::<Vec<_>>().join("; ")
}

#[test]
fn solvers_with_x_variables() {
    let source = "from dsl import *\n\n\ndef solve_0a1b2c3d(I):\n    x1 = ofcolor(I, TWO)\n    O = fill(I, ONE, x1)\n    return O\n";
    let program = program(source);
    assert_eq!((program.name.as_str(), program.line), ("solve_0a1b2c3d", 4));
    assert_eq!(program.task.as_deref(), Some("0a1b2c3d"));
    let names: Vec<_> = program.body.bindings.iter().map(|b| (b.name.as_str(), b.line)).collect();
    assert_eq!(names, [("x1", 5), ("O", 6)]);
    assert_eq!(program.output, program.body.bindings[1].node);
    assert_eq!(program.body.node(program.output).line, 6);
}

#[test]
fn verifiers_with_annotations() {
    let program = program("def verify_ab(I: Grid) -> Tuple[Grid, 'x']:\n    return hmirror(I)\n");
    assert_eq!(program.task.as_deref(), Some("ab"));
    assert_eq!(print(&program), "def verify_ab(I):\n    t1 = hmirror(I)\n    return t1\n");
}

#[test]
fn functions_over_s_i_and_c() {
    let source = "def differ(S, I, C):\n    t1 = p_g(C)\n    t2 = difference_tuple(t1, p_g(I))\n    return t2\n";
    let program = program(source);
    assert_eq!(program.task, None);
    assert!(program.reads(Input::C) && !program.reads(Input::S));
    assert!(print(&program).starts_with("def differ(S, I, C):\n"));
}

const GENERATED: &str = "\
def batt(task_id, S, I, C, log_path):
    s = []
    o = []
    try:
        t1 = hmirror(I)
    except Exception as e:
        t1 = (f'{e}' for e in x)
        log($)
    try: t2 = size(t1)
    except: t2 = 0
    o.append((1, True, 'ab', t1))
    s.append((2, 'None', \"it's\", t2))
    s.append((3, 'ab', 'rows', size(palette(I))))
    return s, o
";

#[test]
fn the_generated_form() {
    let module = parse(GENERATED);
    assert_eq!(module.problems, []);
    let [Definition::Generated(batt)] = &module.definitions[..] else { panic!("{module:?}") };
    let [o] = &batt.outputs[..] else { panic!("one output") };
    assert_eq!((o.slot, o.mutated, o.task.as_str()), (1, true, "ab"));
    let [a, b] = &batt.scores[..] else { panic!("two scores") };
    assert_eq!((a.slot, a.task.as_deref(), a.differ.as_str()), (2, None, "it's"));
    assert_eq!((b.slot, b.task.as_deref(), b.differ.as_str()), (3, Some("ab"), "rows"));
    let canonical = printed(GENERATED);
    assert_eq!(
        canonical,
        "\
def batt(task_id, S, I, C, log_path):
    s = []
    o = []
    t1 = hmirror(I)
    t2 = size(t1)
    t3 = palette(I)
    t4 = size(t3)
    o.append((1, True, 'ab', t1))
    s.append((2, 'None', 'it\\'s', t2))
    s.append((3, 'ab', 'rows', t4))
    return o, s
"
    );
    assert_eq!(printed(&canonical), canonical);
}

#[test]
fn programs_of_a_generated_function_print_under_their_task() {
    let module = parse(GENERATED);
    let [Definition::Generated(batt)] = &module.definitions[..] else { panic!("{module:?}") };
    assert_eq!(
        print(&batt.programs()[0]),
        "def solve_ab(I):\n    t1 = hmirror(I)\n    return t1\n"
    );
}

#[test]
fn calls_nest_and_call_what_calls_return() {
    assert_eq!(
        body("    return fill(I, ONE, ofcolor(I, TWO))\n"),
        "t1 = ofcolor(I, TWO); t2 = fill(I, ONE, t1); return t2"
    );
    assert_eq!(
        body("    x = compose(size, palette)\n    return x(I)\n"),
        body("    return compose(size, palette)(I)\n")
    );
    assert_eq!(body("    return power(rbind(lbind, I), 2)(fill)(ONE)\n").matches('=').count(), 4);
}

#[test]
fn keyword_arguments_take_their_place() {
    assert_eq!(
        body("    return canvas(dimensions=UNITY, value=3)\n"),
        "t1 = canvas(3, UNITY); return t1"
    );
}

#[test]
fn literals() {
    assert_eq!(body("    return (1, -2)\n"), "return (1, -2)");
    assert_eq!(body("    return 1, (2, 3)\n"), "return (1, (2, 3))");
    assert_eq!(
        body("    return ((1,), (), None, True, (0x1F), 1_000)\n"),
        "return ((1,), (), None, True, 31, 1000)"
    );
    assert_eq!(body("    return -2147483648\n"), "return -2147483648");
    let program = program("def f(I):\n    return (1, (2, 3))\n");
    assert_eq!(program.body.node(program.output).expr, Expr::Literal(Value::Cell(1, 2, 3)));
}

#[test]
fn computed_tuples_become_calls() {
    assert_eq!(body("    return (ONE, 2)\n"), "t1 = astuple(ONE, 2); return t1");
    assert_eq!(body("    return I, 2, T\n"), "t1 = astriple(I, 2, T); return t1");
}

#[test]
fn names_follow_pythons_scopes() {
    // Later uses see the later value, parameters included.
    assert_eq!(
        body("    x = hmirror(I)\n    I = vmirror(x)\n    x = rot90(I)\n    return x\n"),
        "t1 = hmirror(I); t2 = vmirror(t1); t3 = rot90(t2); return t3"
    );
    // A variable may be called like a primitive or a constant.
    assert_eq!(
        body("    size = palette(I)\n    ONE = size\n    return first(ONE)\n"),
        "t1 = palette(I); t2 = first(t1); return t2"
    );
    assert_eq!(
        body("    a = b = hmirror(I)\n    return equality(a, b)\n"),
        "t1 = hmirror(I); t2 = equality(t1, t1); return t2"
    );
}

#[test]
fn an_alias_is_the_same_node() {
    let program = program("def f(I):\n    x1 = hmirror(I)\n    x2 = x1\n    return x2\n");
    let [a, b] = &program.body.bindings[..] else { panic!("two bindings") };
    assert_eq!(a.node, b.node);
}

#[test]
fn primitives_are_values() {
    let program = program("def f(I):\n    g = first_t\n    return g(I)\n");
    let Expr::Call { callee: Callee::Node(f), .. } = &program.body.node(program.output).expr else {
        panic!("a call of a variable")
    };
    assert_eq!(program.body.node(*f).expr, Expr::Prim(Prim::named("first_t").unwrap()));
    assert_eq!(print(&program), "def f(I):\n    t1 = first_t\n    t2 = t1(I)\n    return t2\n");
}

#[test]
fn aliases_print_under_the_plain_name() {
    assert_eq!(body("    return f_ofcolor(I, ONE)\n"), "t1 = ofcolor(I, ONE); return t1");
}

#[test]
fn lines_that_nothing_needs_are_not_printed() {
    assert_eq!(body("    x = hmirror(I)\n    size(x)\n    return I\n"), "return I");
}

#[test]
fn what_python_allows_around_the_code() {
    let source = "\u{feff}'''A module\ndef no(I): pass\n'''\r\nimport a, b\r\n__all__ = ['x']\r\n\r\n# c\r\n\
        def f(S: Any, I=None, C: Grid = None):  # c\r\n\t\"\"\"Doc\n\ttext\"\"\"\r\n\
        \tpass; x: Grid = fill(I, # why\r\n  ONE,\r\n\r\nofcolor(I, \\\r\n  TWO,),\r\n)\r\n\t\r\n# c\r\n\treturn (x);\r\n\
        if __name__ == '__main__':\r\n    main(f)\r\n";
    let text = printed(source);
    assert_eq!(
        text,
        "def f(I):\n    t1 = ofcolor(I, TWO)\n    t2 = fill(I, ONE, t1)\n    return t2\n"
    );
    assert_eq!(
        printed("def f(I): x = hmirror(I); return x"),
        "def f(I):\n    t1 = hmirror(I)\n    return t1\n"
    );
}

#[test]
fn code_after_the_return_is_dead() {
    assert_eq!(body("    return I\n    for x in y: pass\n"), "return I");
}

#[test]
fn bytes_are_read_as_text() {
    assert_eq!(parse_bytes("def f(I):\n    return I  # é\n".as_bytes()).definitions.len(), 1);
}

#[test]
fn every_example_of_the_table_is_an_expression() {
    for &op in crate::ops::Op::ALL {
        let example = op.info().example;
        if let Err(problems) = parse_expression(example) {
            panic!("{}", problems[0].render(op.info().name, example, false));
        }
    }
}

#[test]
fn expressions_may_read_all_inputs() {
    let program = parse_expression(" astriple(S, I,\n C)\n").unwrap();
    assert!([Input::S, Input::I, Input::C].iter().all(|input| program.reads(*input)));
}

/// What a generated function with these lines says, and the notes on it.
fn generated(lines: &str) -> (String, Vec<String>) {
    let source = format!(
        "def batt(task_id, S, I, C, log_path):\n    s = []\n    o = []\n{lines}    return o, s\n"
    );
    let module = parse(&source);
    assert_eq!(module.problems, [], "in\n{source}");
    let notes = module.notes.iter().map(|note| format!("{}: {}", note.line, note.message));
    let notes = notes.collect();
    (super::print_all(&module), notes)
}

#[test]
fn several_names_before_one_sign() {
    let (text, notes) = generated(
        "    t1, t2, t3, t4 = batch_process_samples_gpu(S)\n    t5, t6 = I, t4\n    t7, t8 = shape(I)\n\
         \x20   t9 = canvas(t8, astuple(t7, size(t6)))\n    o.append((9, False, 'a', t9))\n",
    );
    assert_eq!(notes, [""; 0]);
    for line in ["apply(second, S)", "mapply(p_g, ", "get_nth_f(", "canvas("] {
        assert!(text.contains(line), "{line} in\n{text}");
    }
    assert!(!text.contains("apply(first, S)"), "nothing needs it\n{text}");
}

#[test]
fn lambdas_are_combinators() {
    let line = |lambda: &str| {
        let (text, _) =
            generated(&format!("    t1 = apply({lambda}, S)\n    o.append((1, 'a', t1))\n"));
        text.lines()
            .filter(|line| line.contains(" = ") && !line.contains("[]"))
            .fold(String::new(), |all, line| all + line.trim().split_once(" = ").unwrap().1 + "; ")
    };
    assert_eq!(line("lambda g: g"), "apply(identity, S); ");
    assert_eq!(line("lambda g: o_g(g, 5)"), "rbind(o_g, 5); apply(t1, S); ");
    assert_eq!(line("lambda g: fill(I, ONE, g)"), "lbind(fill, I); lbind(t1, ONE); apply(t2, S); ");
    assert_eq!(line("lambda g: rot90(first(g))"), "compose(rot90, first); apply(t1, S); ");
    assert_eq!(
        line("lambda g: hconcat(first(g), last(g))"),
        "fork(hconcat, first, last); apply(t1, S); "
    );
}

#[test]
fn functions_for_many_samples_mean_the_same_for_each() {
    let source = "def batt_batch(task_ids, Ss, Is, Cs, log_paths):\n    s = []\n    o = []\n    t1s = batch_mapply(p_g, Ss)\n    \
                  t2s = batch_apply(first, [Ss])[0]\n    t3s = batch_fill(Is, ONE, t1s)\n    o.append((3, False, 'a', t3))\n    \
                  o.append((2, False, 'b', t2s))\n    return o, s\n";
    let text = printed(source);
    for line in ["mapply(p_g, S)", "apply(first, S)", "fill(I, ONE, "] {
        assert!(text.contains(line), "{line} in\n{text}");
    }
}

#[test]
fn lines_that_nothing_needs_may_be_unreadable() {
    let (text, notes) = generated(
        "    t1 = no_such_name(I)\n    t2 = rot90(t1)\n    t3 = size[0]\n    t4 = rot90(I)\n\
         \x20   s.append((2, 'None', 'd', t2))\n    o.append((4, False, 'a', t4))\n",
    );
    assert!(text.contains("rot90(I)") && !text.contains("s.append"), "{text}");
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(notes[0].contains("`d` is left out: unknown name `no_such_name`"), "{notes:?}");
    // An output that needs one is a problem, and hides no other.
    let source = "def batt(task_id, S, I, C, log_path):\n    s = []\n    o = []\n    t1 = no_such_name(I)\n    \
                  o.append((1, False, 'a', t1))\n    o.append((2, False, 'b', I))\n    return o, s\n";
    let module = parse(source);
    assert_eq!((module.definitions.len(), module.problems.len()), (1, 1));
    assert_eq!(module.problems[0].line, 4);
}

#[test]
fn what_generated_files_hold_beside_their_function() {
    let source = "from pile import *\ntry:\n    import gpu\n    on = True\nexcept ImportError:\n    on = False\n\n\
                  def batch_process_samples_gpu(S):\n    if not on:\n        return [x for x in S]\n\n\
                  def batt(task_id, S, I, C, log_path):\n    s = []\n    o = []\n    try:\n        t1 = p_g(C)\n    \
                  except TypeError:\n        t1 = ()\n    o.append((1, False, 'a', t1))\n    return o, s\n";
    let module = parse(source);
    assert_eq!(module.problems, []);
    assert!(module.tries);
    let [Definition::Generated(generated)] = &module.definitions[..] else {
        panic!("one function")
    };
    // C is None for an output.
    assert!(!generated.programs()[0].reads(Input::C));
    assert!(module.notes[0].message.contains("1 output reads C"), "{:?}", module.notes);
    let safe = "from safe_dsl import x\ndef batt(task_id, S, I, C, log_path):\n    o = []\n    s = []\n    \
                o.append((1, False, 'a', I))\n    return o, s\n";
    assert!(parse(safe).tries && !parse("def f(I):\n    return I\n").tries);
}

#[test]
fn of_two_functions_of_a_name_the_one_that_can_be_read_is_kept() {
    let module = parse("def f(I):\n    return nothing(I)\n\ndef f(I):\n    return rot90(I)\n");
    assert_eq!((module.definitions.len(), module.problems.len()), (1, 1));
    let module = parse("def f(I):\n    return rot90(I)\n\ndef f(I):\n    return nothing(I)\n");
    assert!(module.problems[0].message.contains("defined twice"));
}
