//! Functions of one value made of expressions: what an expression says of a value that is not known yet,
//! written without a variable.

use batt_lang::Op;
use batt_lang::program::{Callee, Expr, NodeId};
use rustc_hash::FxHashMap as HashMap;

use crate::store::Store;

/// The function of what stands at `hole` that an expression is; `None` where calls of it cannot be bound.
pub fn function_of(store: &mut Store, node: NodeId, hole: NodeId) -> Option<NodeId> {
    let (mut depends, mut functions) = (HashMap::default(), HashMap::default());
    if depends_on(store, node, hole, &mut depends) {
        made(store, node, hole, &mut depends, &mut functions)
    } else {
        None
    }
}

/// The function put to use again and again, beginning with a value.
pub fn repeated(store: &mut Store, function: NodeId, times: NodeId, start: NodeId) -> NodeId {
    let power = store.call(Op::Power, &[function, times]);
    store.add(Expr::Call { callee: Callee::Node(power), args: vec![start] })
}

fn depends_on(
    store: &Store,
    node: NodeId,
    hole: NodeId,
    known: &mut HashMap<NodeId, bool>,
) -> bool {
    if node == hole {
        return true;
    }
    if let Some(depends) = known.get(&node) {
        return *depends;
    }
    let depends = match &store.body().nodes[node.index()].expr {
        Expr::Call { callee, args } => {
            let of_callee = match callee {
                Callee::Node(f) => depends_on(store, *f, hole, known),
                Callee::Prim(_) => false,
            };
            of_callee || args.iter().any(|arg| depends_on(store, *arg, hole, known))
        }
        _ => false,
    };
    known.insert(node, depends);
    depends
}

fn made(
    store: &mut Store,
    node: NodeId,
    hole: NodeId,
    depends: &mut HashMap<NodeId, bool>,
    functions: &mut HashMap<NodeId, NodeId>,
) -> Option<NodeId> {
    if node == hole {
        return Some(store.prim(Op::Identity));
    }
    if let Some(function) = functions.get(&node) {
        return Some(*function);
    }
    let Expr::Call { callee: Callee::Prim(prim), args } =
        store.body().nodes[node.index()].expr.clone()
    else {
        return None;
    };
    let open: Vec<bool> = args.iter().map(|arg| depends_on(store, *arg, hole, depends)).collect();
    let mut of = Vec::with_capacity(args.len());
    for (arg, open) in args.iter().zip(&open) {
        of.push(if *open { made(store, *arg, hole, depends, functions)? } else { *arg });
    }
    let callee = store.add(Expr::Prim(prim));
    let is_fill = callee == store.prim(Op::Fill);
    let function = match open[..] {
        [true] => after(store, callee, of[0]),
        [true, true] => store.call(Op::Fork, &[callee, of[0], of[1]]),
        [false, true] => {
            let bound = store.call(Op::Lbind, &[callee, of[0]]);
            after(store, bound, of[1])
        }
        [true, false] => {
            let bound = store.call(Op::Rbind, &[callee, of[1]]);
            after(store, bound, of[0])
        }
        [true, false, false] => {
            let bound = store.call(Op::Rbind, &[callee, of[2]]);
            let bound = store.call(Op::Rbind, &[bound, of[1]]);
            after(store, bound, of[0])
        }
        [false, false, true] => {
            let bound = store.call(Op::Lbind, &[callee, of[0]]);
            let bound = store.call(Op::Lbind, &[bound, of[1]]);
            after(store, bound, of[2])
        }
        // What is filled depends on it as well as where: then it is painted with cells in that colour.
        [true, false, true] if is_fill => {
            let (recolor, paint) = (store.prim(Op::Recolor), store.prim(Op::Paint));
            let recolor = store.call(Op::Lbind, &[recolor, of[1]]);
            let cells = after(store, recolor, of[2]);
            store.call(Op::Fork, &[paint, of[0], cells])
        }
        _ => return None,
    };
    functions.insert(node, function);
    Some(function)
}

/// A function of what another one gives.
fn after(store: &mut Store, outer: NodeId, inner: NodeId) -> NodeId {
    if inner == store.prim(Op::Identity) {
        return outer;
    }
    store.call(Op::Compose, &[outer, inner])
}

#[cfg(test)]
mod tests {
    use batt_lang::program::Input;

    use super::*;
    use crate::store::Given;

    fn written(source: &str) -> Option<String> {
        let mut store = Store::default();
        let hole = store.add(Expr::Input(Input::C));
        let given = Given { input: Store::INPUT, container: Some(hole) };
        let node = store.read(source, given).unwrap();
        let function = function_of(&mut store, node, hole)?;
        let times = store.int(3);
        let root = repeated(&mut store, function, times, Store::INPUT);
        Some(batt_lang::text::print(&store.program(root, "own")))
    }

    #[test]
    fn expressions_become_functions() {
        let text = written("fill(C, ONE, shift(ofcolor(C, TWO), DOWN))").unwrap();
        let step = "compose(rbind(shift, DOWN), rbind(ofcolor, TWO))";
        let printed: String = text.split_whitespace().collect();
        assert!(printed.contains("power("), "{text}");
        assert!(text.contains("paint") && text.contains("recolor"), "{text} lacks {step}");
        assert!(written("fill(I, ONE, ofcolor(I, TWO))").is_none());
        assert!(written("branch(ONE, C, I)").is_none());
    }
}
