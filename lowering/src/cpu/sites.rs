//! The table of source places that run-time reports name, kept in the module as the
//! attribute `pld.sites`.

use melior::ir::{
    Attribute, Location,
    attribute::{ArrayAttribute, IntegerAttribute},
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    bridge,
    emit::Emitter,
    pld::{FROM, SITES},
    view,
};
use pld_runtime::Site;
use std::collections::HashMap;

/// Sites in order of their number, each once.
#[derive(Debug, Default)]
pub(super) struct Sites {
    list: Vec<Site>,
    numbers: HashMap<Site, i64>,
}

impl Sites {
    /// The number of an operation's site: its name, or the name of the one that it was
    /// lowered from, and its place in the source.
    pub(super) fn number(&mut self, op: OperationRef) -> i64 {
        let name = view::string(&op, FROM).unwrap_or_else(|| view::name(&op).to_owned());
        let site = site(name, op.location());
        let next = self.list.len() as i64;
        *self.numbers.entry(site).or_insert_with_key(|site| {
            self.list.push(site.clone());
            next
        })
    }

    /// Writes the table to a module.
    pub(super) fn save(&self, module: OperationRef) {
        let Some(at) = body_emitter(module) else {
            return;
        };
        let rows: Vec<Attribute> = self
            .list
            .iter()
            .map(|site| {
                let number = |value: u32| at.int_attr(at.int_type(64), i64::from(value));
                let row = [
                    at.str_attr(&site.op),
                    at.str_attr(&site.file),
                    number(site.line),
                    number(site.column),
                ];
                ArrayAttribute::new(at.context, &row).into()
            })
            .collect();
        bridge::set_attribute(module, SITES, ArrayAttribute::new(at.context, &rows).into());
    }
}

fn site(op: String, location: Location) -> Site {
    let (file, line, column) = bridge::file_position(location).unwrap_or(("?", 0, 0));
    Site {
        op,
        file: file.to_owned(),
        line,
        column,
    }
}

fn body_emitter<'c, 'a>(module: OperationRef<'c, 'a>) -> Option<Emitter<'c, 'a>> {
    use melior::ir::RegionLike;
    let block = module.region(0).ok()?.first_block()?;
    let context = bridge::context_of(&module);
    Some(Emitter::at_end(context, module.location(), block))
}

/// Reads the table of a lowered module; empty if there is none.
pub(super) fn read(module: OperationRef) -> Vec<Site> {
    let table = module.attribute(SITES).ok();
    let Some(table) = table.and_then(|table| ArrayAttribute::try_from(table).ok()) else {
        return Vec::new();
    };
    (0..table.len())
        .filter_map(|index| row(table.element(index).ok()?))
        .collect()
}

fn row(attribute: Attribute) -> Option<Site> {
    let row = ArrayAttribute::try_from(attribute).ok()?;
    let text = |index| bridge::string_value(row.element(index).ok()?).map(str::to_owned);
    let number = |index| {
        let attribute = IntegerAttribute::try_from(row.element(index).ok()?).ok()?;
        u32::try_from(attribute.value()).ok()
    };
    Some(Site {
        op: text(0)?,
        file: text(1)?,
        line: number(2)?,
        column: number(3)?,
    })
}
