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
