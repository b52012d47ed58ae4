//! Loops and branches.

use super::{Printer, unprintable};
use crate::hccl::emit::cpp;
use melior::ir::{
    BlockLike, RegionLike, Value, ValueLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{bridge, pass::Reported, view};

impl Printer {
    pub(super) fn for_loop(&mut self, op: OperationRef) -> Result<(), Reported> {
        let block = op
            .region(0)
            .ok()
            .and_then(|region| region.first_block())
            .ok_or(Reported)?;
        let counter: Value = block.argument(0).map_err(|_| Reported)?.into();
        let r#type = self.r#type(op, counter.r#type())?;
        let name =
            bridge::location_name(counter.location()).map_or_else(|| "i".into(), cpp::identifier);
        let name = self.names.fresh(&name);
        let (from, to, step) = (
            self.whole_operand(op, 0)?,
            self.operand(op, 1)?,
            self.whole_operand(op, 2)?,
        );
        let step = if step == "1" {
            format!("++{name}")
        } else {
            format!("{name} += {step}")
        };
        self.statement(
            op,
            &format!("for ({type} {name} = {from}; {name} < {to}; {step}) {{"),
        );
        self.values.insert(bridge::value_key(counter), name);
        self.region(op, 0)?;
        self.statement(op, "}");
        Ok(())
    }

    pub(super) fn conditional(&mut self, op: OperationRef) -> Result<(), Reported> {
        let head = format!("if ({}) {{", self.whole_operand(op, 0)?);
        self.statement(op, &head);
        self.region(op, 0)?;
        let otherwise = op.region(1).ok().and_then(|region| region.first_block());
        let empty = otherwise
            .and_then(|block| block.first_operation())
            .is_none_or(|first| view::is(&first, "emitc.yield"));
        if !empty {
            self.statement(op, "} else {");
            self.region(op, 1)?;
        }
        self.statement(op, "}");
        Ok(())
    }

    /// The condition is an expression of one variable.
    pub(super) fn do_loop(&mut self, op: OperationRef) -> Result<(), Reported> {
        self.statement(op, "do {");
        self.region(op, 0)?;
        let test = op
            .region(1)
            .ok()
            .and_then(|region| region.first_block()?.first_operation());
        let test =
            test.filter(|test| view::is(test, "emitc.expression") && test.operand_count() == 1);
        let test = test.ok_or_else(|| unprintable(op, "has a condition that is no variable"))?;
        let text = format!("}} while ({});", self.operand(test, 0)?);
        self.statement(op, &text);
        Ok(())
    }

    pub(super) fn switch(&mut self, op: OperationRef) -> Result<(), Reported> {
        let head = format!("switch ({}) {{", self.operand(op, 0)?);
        self.statement(op, &head);
        let cases = view::integers(&op, "cases").unwrap_or_default();
        let labels = cases
            .iter()
            .map(|case| format!("case {case}: {{"))
            .chain(["default: {".into()]);
        self.depth += 1;
        for (index, label) in labels.enumerate() {
            // The default region comes first in the operation, last in the text.
            let region = if index == cases.len() { 0 } else { index + 1 };
            self.statement(op, &label);
            self.region(op, region)?;
            self.depth += 1;
            self.statement(op, "break;");
            self.depth -= 1;
            self.statement(op, "}");
        }
        self.depth -= 1;
        self.statement(op, "}");
        Ok(())
    }
}
