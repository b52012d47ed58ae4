//! Equal expressions of a function become one: what they are made of never changes.

use super::super::print::is_number;
use melior::ir::{
    BlockLike, BlockRef, RegionLike, Value, ValueLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{bridge, view};
use std::collections::HashMap;

/// Calls without operands that give the same number each time.
const CONSTANT_CALLS: [&str; 5] = [
    "static_cast<int64_t>",
    "AscendC::GetBlockIdx",
    "AscendC::GetBlockNum",
    "rank.id",
    "rank.ranks",
];

/// Lets every expression of an `emitc.func` stand once, where it is first computed on the way.
pub fn share(function: OperationRef) {
    regions(function, &mut Vec::new());
}

type Scopes<'c, 'a> = Vec<HashMap<String, Value<'c, 'a>>>;

fn regions<'c, 'a>(op: OperationRef<'c, 'a>, scopes: &mut Scopes<'c, 'a>) {
    for region in op.regions() {
        let mut next = region.first_block();
        while let Some(block) = next {
            next = block.next_in_region();
            scopes.push(HashMap::new());
            self::block(block, scopes);
            scopes.pop();
        }
    }
}

fn block<'c, 'a>(block: BlockRef<'c, 'a>, scopes: &mut Scopes<'c, 'a>) {
    let mut next = block.first_operation();
    while let Some(op) = next {
        next = op.next_in_block();
        let Some((key, result)) = key(op) else {
            if !view::is(&op, "emitc.expression") {
                regions(op, scopes);
            }
            continue;
        };
        if let Some(&known) = scopes.iter().find_map(|scope| scope.get(&key)) {
            bridge::replace_all_uses(result, known);
            bridge::erase(op);
        } else if let Some(scope) = scopes.last_mut() {
            scope.insert(key, result);
        }
    }
}

/// What an expression computes and its result; `None` for what is no expression of constants.
fn key<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<(String, Value<'c, 'a>)> {
    let name = view::name(&op);
    let result: Value = op.result(0).ok()?.into();
    let numbers = op.operands().all(|value| is_number(value.r#type()));
    let is_constant = match name {
        "emitc.call_opaque" => {
            let callee = view::string(&op, "callee")?;
            CONSTANT_CALLS.contains(&&*callee) && op.operand_count() == 0
        }
        "emitc.constant" => true,
        _ => super::super::print::is_arithmetic(name),
    };
    if !is_constant || !numbers || !is_number(result.r#type()) {
        return None;
    }
    let attributes = ["predicate", "value", "callee", "args"]
        .map(|attribute| op.attribute(attribute).map(|value| value.to_string()).ok());
    let operands: Vec<_> = op.operands().map(bridge::value_key).collect();
    let r#type = result.r#type();
    Some((format!("{name} {type} {attributes:?} {operands:?}"), result))
}
