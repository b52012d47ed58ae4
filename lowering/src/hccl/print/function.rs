//! `emitc.func`: its head, and the names in it.

use super::{Printer, expression::literal_arguments, inline::uses};
use crate::hccl::names::Names;
use melior::ir::{
    BlockLike, RegionLike, Value, ValueLike,
    attribute::ArrayAttribute,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{arg_attribute_of, bridge, pass::Reported, pl::NAME, view};

impl Printer {
    pub(super) fn function(&mut self, op: OperationRef) -> Result<(), Reported> {
        self.names = Names::default();
        self.values.clear();
        self.bindings.clear();
        self.uses = uses(op);
        self.said = None;
        let mut mentioned = Names::default();
        self.assigned.clear();
        for inner in bridge::collect(op, |_| true) {
            match view::name(&inner) {
                "emitc.verbatim" => {
                    mentioned.mention(&view::string(&inner, "value").unwrap_or_default())
                }
                "emitc.call_opaque" => {
                    mentioned.mention(&view::string(&inner, "callee").unwrap_or_default());
                    literal_arguments(inner)
                        .iter()
                        .for_each(|argument| mentioned.mention(argument));
                }
                "emitc.assign" => {
                    let variable = inner.operand(0).map_err(|_| Reported)?;
                    self.assigned.insert(bridge::value_key(variable));
                }
                _ => {}
            }
        }
        self.names.reserve(&mentioned);
        let block = op
            .region(0)
            .ok()
            .and_then(|region| region.first_block())
            .ok_or(Reported)?;
        let mut parameters = Vec::new();
        for index in 0..block.argument_count() {
            let argument: Value = block.argument(index).map_err(|_| Reported)?.into();
            let r#type = self.r#type(op, argument.r#type())?;
            let wanted = arg_attribute_of(&op, index, NAME).and_then(bridge::string_value);
            let wanted = wanted.unwrap_or("arg").to_owned();
            // Texts may speak of a parameter by its own name.
            let spoken = mentioned.knows(&wanted);
            let name = if spoken {
                wanted
            } else {
                self.names.fresh(&wanted)
            };
            let used = spoken || bridge::has_uses(argument);
            parameters.push(if used {
                format!("{type} {name}")
            } else {
                r#type
            });
            self.values.insert(bridge::value_key(argument), name);
        }
        let result = pld_dialects::signature(&op).and_then(|signature| signature.result(0).ok());
        let result = match result {
            Some(r#type) => self.r#type(op, r#type)?,
            None => "void".into(),
        };
        let name = view::string(&op, "sym_name").unwrap_or_default();
        let head = format!(
            "{}{result} {name}({}) {{",
            specifiers(op),
            parameters.join(", ")
        );
        self.statement(op, &head);
        self.region(op, 0)?;
        self.statement(op, "}");
        if op.next_in_block().is_some() {
            self.text.push('\n');
        }
        Ok(())
    }
}

fn specifiers(op: OperationRef) -> String {
    let list = op
        .attribute("specifiers")
        .ok()
        .and_then(|list| ArrayAttribute::try_from(list).ok());
    let Some(list) = list else {
        return String::new();
    };
    (0..list.len())
        .filter_map(|index| bridge::string_value(list.element(index).ok()?))
        .map(|specifier| format!("{specifier} "))
        .collect()
}
