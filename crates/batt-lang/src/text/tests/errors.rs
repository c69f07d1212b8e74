//! Everything that cannot be read, and the words for it.

use std::fmt::Write;

use crate::text::{Problem, parse, parse_bytes, parse_expression};

/// Message and hint of every problem in a function over I with these lines.
fn complaints(lines: &[&str]) -> String {
    let mut out = String::new();
    for line in lines {
        let source = format!("def f(I):\n    x1 = hmirror(I)\n    {line}\n    return x1\n");
        let module = parse(&source);
        assert!(module.definitions.is_empty(), "no problem in {line}");
        let _ = writeln!(out, "{line}");
        for Problem { column, message, hint, function, .. } in module.problems {
            assert_eq!(function.as_deref(), Some("f"));
            let _ = writeln!(out, "  {column}: {message}");
            if let Some(hint) = hint {
                let _ = writeln!(out, "     hint: {hint}");
            }
        }
    }
    out
}

fn rendered(source: &str) -> String {
    let module = parse(source);
    let texts: Vec<String> =
        module.problems.iter().map(|p| p.render("file.py", source, false)).collect();
    texts.join("\n\n")
}

#[test]
fn unsupported_python() {
    insta::assert_snapshot!(complaints(&[
        "x = lambda a: a",
        "for a in I:",
        "while T:",
        "if T:",
        "with open(I) as x:",
        "class A:",
        "def g(I):",
        "global x",
        "import dsl",
        "assert x1",
        "x = x1 + 1",
        "x = x1 - 1",
        "x = -x1",
        "x = not x1",
        "x = x1 == I",
        "x = x1 and I",
        "x = x1 % I",
        "x = x1 if T else I",
        "x = (y := x1)",
        "x = (y for y in x1)",
        "x = [y for y in x1]",
        "x = {1, 2}",
        "x = x1[0]",
        "x = x1.y",
        "x = dsl.hmirror(I)",
        "x = 'text'",
        "x = f'text'",
        "x = 1.5",
        "x = 1e-5",
        "x = 007",
        "x = size(*x1)",
        "x = size(**x1)",
        "x += 1",
        "x, y = x1",
        "x1[0] = 2",
        "(x) = 2",
        "lambda = 3",
        "None = 3",
        "yield x1",
        "x = $",
        "x = 'open",
        "x = '''open",
        "x = ",
        "x",
        "x: Grid",
        "x = (x1",
        "x = size(x1",
        "x = size(x1))",
        "x = size(x1 x1)",
        "x = 5 5",
        "x = (x1, 1, 2, 3)",
        "x = (x1,)",
        "return",
    ]));
}

#[test]
fn names_and_arguments() {
    insta::assert_snapshot!(complaints(&[
        "x = hmiror(I)",
        "x = fill(I, NIEN, I)",
        "x = size(x11)",
        "x = len(I)",
        "x = qqqqqqqqq(I)",
        "x = S",
        "x = f(I)",
        "x = size(y); y = I",
        "size = size(I)",
        "x = fill(I, ONE)",
        "x = hmirror()",
        "x = canvas(1, 2, 3)",
        "x = canvas(1, colour=2)",
        "x = canvas(1, value=2)",
        "x = canvas(value=1, 2)",
        "x = x1(a=2)",
        "x = ONE(I)",
        "x = 5(I)",
        "x = 2147483648",
        "x = -2147483649",
        "x = 0xFFFFFFFFFFFFFFFFFFFF",
    ]));
}

#[test]
fn files() {
    insta::assert_snapshot!(rendered(
        "\
x = 3
y = 4
def solve_a(I):
    x1 = objects(I, T, F)
    return fist(x1)

def solve_b(I):
    return hmirror(I)

def solve_b(I):
    return vmirror(I)

@cache
def decorated(I):
    return I

class Thing:
    def solve_c(self, I):
        return I

def no_return(I):
    x = hmirror(I)

def wrong(grid):
    return grid

def none():
    return ONE

def twice(I, I):
    return I

def star(*I):
    return I

def open(I:
    return I

def bracket(I):
    x1 = fill(I, ONE,
    x2 = hmirror(x1)
    return x2

def empty(I):
def indented(I):
    x = I
      y = I
    try:
    z = I
\tw = z
   return z
  def inner(I):
    return I
"
    ));
}

#[test]
fn tabs_and_spaces() {
    let source = "def f(I):\n        x = hmirror(I)\n\treturn x\n";
    insta::assert_snapshot!(rendered(source));
}

#[test]
fn generated_form() {
    insta::assert_snapshot!(rendered(
        "\
def a(task_id, S, I, C, log_path):
    o.append((1, False, 'x', I))
    o = []
    o.append((1, 'x', I))
    o.append((x, False, 'x', I))
    o.append((1, False, x, I))
    o.append(I)
    x = size(o)
    y = size(task_id)
    z = []
    return o

def b(task_id, S, I, C, log_path):
    s = []
    return I

def c(task_id, S, I, C, log_path):
    s = []
"
    ));
}

#[test]
fn a_bad_function_hides_no_other() {
    let source = "def a(I):\n    return hmirror((I\n\ndef b(I):\n    return I\ndef c(I):\n    return '''x\ndef d(I):\n    return I\n";
    let module = parse(source);
    let lines: Vec<u32> = module.problems.iter().map(|p| p.line).collect();
    assert_eq!((module.definitions.len(), lines), (2, vec![2, 7]));
}

#[test]
fn one_mistake_is_one_problem() {
    let source = "def f(I):\n    x = oops(I)\n    y = size(x)\n    for a in I:\n        z = y\n    return size(z)\n";
    assert_eq!(parse(source).problems.len(), 2);
    let many = format!("def f(I):\n{}    return I\n", "    x = oops\n".repeat(1000));
    assert_eq!(parse(&many).problems.len(), 20);
}

#[test]
fn files_without_programs() {
    for empty in ["", "\n\n", "# nothing\n", "import dsl\n"] {
        let module = parse(empty);
        assert_eq!(module.problems.len(), 1);
        assert_eq!(module.problems[0].message, "no functions in this file");
        assert!(module.problems[0].render("a.py", empty, false).contains("a.py:1:1"));
    }
    let binary = parse_bytes(b"def f(I):\n  \0\xff");
    assert_eq!(binary.problems[0].to_string(), "2:3: this is a binary file");
    let latin = parse_bytes(b"# caf\xe9\n");
    assert_eq!(latin.problems[0].to_string(), "1:6: this is not UTF-8 text");
}

#[test]
fn deep_nesting_is_refused_without_recursion() {
    for depth in [201, 10_000, 100_000] {
        for open in ["hmirror(", "(", "[", "((I),", "-"] {
            let nested = open.repeat(depth);
            assert!(parse_expression(&nested).is_err(), "{open}");
            assert_eq!(
                parse(&format!("def f(I):\n    x = {nested}\n    return x\n")).definitions,
                []
            );
        }
    }
    let nested = |n: usize| format!("{}I{}", "hmirror(".repeat(n), ")".repeat(n));
    assert!(parse_expression(&nested(200)).is_ok());
    let problem = &parse_expression(&nested(201)).unwrap_err()[0];
    assert_eq!(problem.message, "more than 200 brackets inside each other");
    // Calls one after the other are not inside each other.
    assert!(parse_expression(&format!("first{}", "(I)".repeat(10_000))).is_ok());
    let blocks: Vec<String> = (1..300).map(|n| " ".repeat(n) + "try:\n").collect();
    let blocks = blocks.concat();
    assert_eq!(parse(&format!("def f(I):\n{blocks}")).definitions, []);
}

#[test]
fn a_long_line_is_shown_in_part() {
    let source =
        format!("def f(I):\n    return fill(I{}, é, oops(3), I)\n", ", I".repeat(3_000_000));
    let problem = &parse(&source).problems[0];
    insta::assert_snapshot!(problem.render("long.py", &source, false));
    let name = "x".repeat(10_000_000);
    assert!(parse_expression(&name).unwrap_err()[0].render("x", &name, true).len() < 2_000);
}

#[test]
fn a_problem_can_be_shown_on_another_text() {
    let source = "def f(I):\n    return oops\n";
    for problem in parse(source).problems {
        for other in ["", "é", "def f(I):\n    ééééééééé"] {
            assert!(problem.render("x", other, false).contains("unknown name"));
        }
    }
}

#[test]
fn expressions_end() {
    for source in ["", "# x", "I; I", "I\nI", "I)", "x = I", "return I"] {
        assert_eq!(parse_expression(source).unwrap_err().len(), 1, "{source}");
    }
}
