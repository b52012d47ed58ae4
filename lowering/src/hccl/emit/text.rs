//! Statements as text with values in it, and integers that may be known.

use super::super::statement::Pipe;
use melior::{
    Context,
    ir::{Attribute, Value, operation::OperationRef},
};
use pld_dialects::{
    bridge,
    emit::Emitter,
    pl::{EFFECTS, NAME},
};
use std::fmt::Write;

/// An integer, known now or at run time (i64).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Num<'c, 'a> {
    /// Known.
    Known(i64),
    /// An i64.
    Value(Value<'c, 'a>),
}

use Num::Known;

impl<'c, 'a> Num<'c, 'a> {
    /// As an i64 value.
    pub fn value(self, at: &Emitter<'c, 'a>) -> Value<'c, 'a> {
        match self {
            Known(value) => constant(at, value),
            Num::Value(value) => value,
        }
    }

    fn binary(self, at: &Emitter<'c, 'a>, op: &str, other: Self) -> Self {
        let operands = [self.value(at), other.value(at)];
        Num::Value(at.value(op, &operands, at.int_type(64), &[]))
    }

    /// Sum.
    pub fn add(self, at: &Emitter<'c, 'a>, other: Self) -> Self {
        match (self, other) {
            (Known(0), other) => other,
            (one, Known(0)) => one,
            (Known(a), Known(b)) => Known(a.saturating_add(b)),
            _ => self.binary(at, "emitc.add", other),
        }
    }

    /// Difference.
    pub fn sub(self, at: &Emitter<'c, 'a>, other: Self) -> Self {
        match (self, other) {
            (one, Known(0)) => one,
            (Known(a), Known(b)) => Known(a.saturating_sub(b)),
            _ => self.binary(at, "emitc.sub", other),
        }
    }

    /// Product.
    pub fn mul(self, at: &Emitter<'c, 'a>, other: Self) -> Self {
        match (self, other) {
            (Known(0), _) | (_, Known(0)) => Known(0),
            (Known(1), other) => other,
            (one, Known(1)) => one,
            (Known(a), Known(b)) => Known(a.saturating_mul(b)),
            _ => self.binary(at, "emitc.mul", other),
        }
    }

    /// Quotient by a positive number, rounded up; both are at least 0.
    pub fn ceil_div(self, at: &Emitter<'c, 'a>, by: i64) -> Self {
        match self {
            Known(a) => Known((a + by - 1) / by),
            _ => self
                .add(at, Known(by - 1))
                .binary(at, "emitc.div", Known(by)),
        }
    }

    /// The number, but at least `low` and at most `high`.
    pub fn clamp(self, at: &Emitter<'c, 'a>, low: i64, high: i64) -> Self {
        match self {
            Known(a) => Known(a.clamp(low, high)),
            _ => {
                let pick = |number: Self, bound: i64, predicate| {
                    let (number, bound) = (number.value(at), constant(at, bound));
                    let test = compare(at, predicate, number, bound);
                    Num::Value(at.value(
                        "emitc.conditional",
                        &[test, bound, number],
                        at.int_type(64),
                        &[],
                    ))
                };
                pick(pick(self, low, Compare::Lt), high, Compare::Gt)
            }
        }
    }
}

/// Predicates of `emitc.cmp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// Equal.
    Eq = 0,
    /// Not equal.
    Ne = 1,
    /// Less.
    Lt = 2,
    /// Less or equal.
    Le = 3,
    /// Greater.
    Gt = 4,
    /// Greater or equal.
    Ge = 5,
}

/// `emitc.cmp`.
pub fn compare<'c, 'a>(
    at: &Emitter<'c, 'a>,
    predicate: Compare,
    left: Value<'c, 'a>,
    right: Value<'c, 'a>,
) -> Value<'c, 'a> {
    let predicate = at.int_attr(at.int_type(64), predicate as i64);
    at.value(
        "emitc.cmp",
        &[left, right],
        at.int_type(1),
        &[("predicate", predicate)],
    )
}

/// `emitc.constant` of i64.
pub fn constant<'c, 'a>(at: &Emitter<'c, 'a>, value: i64) -> Value<'c, 'a> {
    let r#type = at.int_type(64);
    at.value(
        "emitc.constant",
        &[],
        r#type,
        &[("value", at.int_attr(r#type, value))],
    )
}

/// `emitc.call_opaque` of one result, named; `args` are literal arguments.
pub fn call<'c, 'a>(
    at: &Emitter<'c, 'a>,
    callee: &str,
    args: &[String],
    result: melior::ir::Type<'c>,
    name: &str,
) -> OperationRef<'c, 'a> {
    let args: Vec<_> = args
        .iter()
        .map(|text| format!("#emitc.opaque<{text:?}>"))
        .collect();
    let args = parse(at.context, &format!("[{}]", args.join(", ")));
    let attributes = [
        ("callee", at.str_attr(callee)),
        ("args", args),
        (NAME, at.str_attr(name)),
    ];
    at.op("emitc.call_opaque", &[], &[result], &attributes)
}

/// Parses an attribute that is known to be well formed.
///
/// # Panics
///
/// If it is not: an error of the caller.
pub fn parse<'c>(context: &'c Context, text: &str) -> Attribute<'c> {
    Attribute::parse(context, text).unwrap_or_else(|| panic!("a well-formed attribute: {text}"))
}

/// A statement in the making.
#[derive(Clone, Debug, Default)]
pub struct Text<'c, 'a> {
    format: String,
    values: Vec<Value<'c, 'a>>,
}

impl<'c, 'a> Text<'c, 'a> {
    /// Begins with a literal.
    pub fn new(literal: impl AsRef<str>) -> Self {
        let text = Self {
            format: String::new(),
            values: Vec::new(),
        };
        text.lit(literal)
    }

    /// Appends a literal.
    pub fn lit(mut self, literal: impl AsRef<str>) -> Self {
        self.format.push_str(&literal.as_ref().replace('{', "{{"));
        self
    }

    /// Appends a value.
    pub fn value(mut self, value: Value<'c, 'a>) -> Self {
        self.format.push_str("{}");
        self.values.push(value);
        self
    }

    /// Appends a number.
    pub fn num(self, number: Num<'c, 'a>) -> Self {
        match number {
            Known(value) => self.lit(value.to_string()),
            Num::Value(value) => self.value(value),
        }
    }

    /// Appends a number that is passed as a narrower type.
    pub fn num_as(self, r#type: &str, number: Num<'c, 'a>) -> Self {
        match number {
            Known(_) => self.num(number),
            _ => self
                .lit(format!("static_cast<{type}>("))
                .num(number)
                .lit(")"),
        }
    }

    /// Appends a text.
    pub fn text(mut self, other: Self) -> Self {
        self.format.push_str(&other.format);
        self.values.extend(other.values);
        self
    }

    /// Emits `emitc.verbatim`, with effects if it is a statement of the table.
    pub fn emit(
        self,
        at: &Emitter<'c, 'a>,
        effects: Option<Attribute<'c>>,
    ) -> OperationRef<'c, 'a> {
        // Without values the text is taken as it is.
        let format = if self.values.is_empty() {
            self.format.replace("{{", "{")
        } else {
            self.format
        };
        let mut attributes = vec![("value", at.str_attr(&format))];
        attributes.extend(effects.map(|effects| (EFFECTS, effects)));
        at.op("emitc.verbatim", &self.values, &[], &attributes)
    }
}

/// A line without values.
pub fn line<'c>(at: &Emitter<'c, '_>, text: impl AsRef<str>) {
    Text::new(text).emit(at, None);
}

/// What a statement touches, in bytes of the unified buffer and names of global objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effects {
    /// What executes it.
    pub pipe: Pipe,
    /// Ranges read, first byte and past the last; those of a statement are in order.
    pub reads: Vec<(i64, i64)>,
    /// Ranges that the scalar unit reads in order to issue it.
    pub scalars: Vec<(i64, i64)>,
    /// Ranges written.
    pub writes: Vec<(i64, i64)>,
    /// Global object read.
    pub gm_read: Option<String>,
    /// Global object written.
    pub gm_write: Option<String>,
    /// Where in memory, if it is known: number of the argument, first byte and past the last.
    pub gm_bytes: Option<[i64; 3]>,
    /// How it lies there, if that is known.
    pub gm_extent: Option<Extent>,
    /// Whether the write adds atomically.
    pub atomic: bool,
    /// Whether everything before it is complete when it is.
    pub fence: bool,
}

/// How rows lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Elements from the first to past the last, at most.
    pub span: i64,
    /// Bytes from one row to the next; 0 if there is only one.
    pub pitch: i64,
    /// Bytes of an element.
    pub element: i64,
}

impl Pipe {
    const NAMES: [(Self, &'static str); 5] = [
        (Self::S, "S"),
        (Self::V, "V"),
        (Self::Mte2, "MTE2"),
        (Self::Mte3, "MTE3"),
        (Self::All, "ALL"),
    ];

    /// Its name in AscendC, without `PIPE_`.
    pub fn name(self) -> &'static str {
        Self::NAMES
            .iter()
            .find(|row| row.0 == self)
            .map_or("", |row| row.1)
    }

    fn named(name: &str) -> Option<Self> {
        Self::NAMES
            .iter()
            .find(|row| row.1 == name)
            .map(|row| row.0)
    }
}

impl Effects {
    /// What the scalar unit does before it issues the statement.
    pub fn of_scalar_unit(&self) -> Self {
        Self {
            pipe: Pipe::S,
            reads: self.scalars.clone(),
            scalars: Vec::new(),
            writes: Vec::new(),
            gm_read: None,
            gm_write: None,
            gm_bytes: None,
            gm_extent: None,
            atomic: false,
            fence: false,
        }
    }

    /// As an attribute.
    pub fn attribute<'c>(&self, context: &'c Context) -> Attribute<'c> {
        let ranges = |ranges: &[(i64, i64)]| {
            let numbers: Vec<_> = ranges
                .iter()
                .flat_map(|&(begin, end)| [begin.to_string(), end.to_string()])
                .collect();
            if numbers.is_empty() {
                "array<i64>".into()
            } else {
                format!("array<i64: {}>", numbers.join(", "))
            }
        };
        let mut text = format!(
            "{{pipe = {:?}, reads = {}, writes = {}",
            self.pipe.name(),
            ranges(&self.reads),
            ranges(&self.writes)
        );
        if !self.scalars.is_empty() {
            let _ = write!(text, ", scalars = {}", ranges(&self.scalars));
        }
        for (key, object) in [("gm_read", &self.gm_read), ("gm_write", &self.gm_write)] {
            if let Some(object) = object {
                let _ = write!(text, ", {key} = {object:?}");
            }
        }
        if let Some([argument, begin, end]) = self.gm_bytes {
            let _ = write!(text, ", gm_bytes = array<i64: {argument}, {begin}, {end}>");
        }
        if let Some(Extent {
            span,
            pitch,
            element,
        }) = self.gm_extent
        {
            let _ = write!(text, ", gm_extent = array<i64: {span}, {pitch}, {element}>");
        }
        for (key, set) in [("atomic", self.atomic), ("fence", self.fence)] {
            if set {
                let _ = write!(text, ", {key}");
            }
        }
        text.push('}');
        parse(context, &text)
    }

    /// Those of a statement; `None` if it has none.
    pub fn of(op: OperationRef) -> Option<Self> {
        use melior::ir::{
            attribute::{DenseI64ArrayAttribute, DictionaryAttribute},
            operation::OperationLike,
        };
        let all = DictionaryAttribute::try_from(op.attribute(EFFECTS).ok()?).ok()?;
        let string = |key| bridge::string_value(all.element_by_name(key)?).map(str::to_owned);
        let ranges = |key| {
            let list = DenseI64ArrayAttribute::try_from(all.element_by_name(key)?).ok()?;
            let ranges = (0..list.len() / 2).map(|index| {
                let ends = [2 * index, 2 * index + 1].map(|at| list.element(at).ok());
                Some((ends[0]?, ends[1]?))
            });
            let mut ranges = ranges.collect::<Option<Vec<_>>>()?;
            ranges.sort_unstable();
            Some(ranges)
        };
        let three = |key| {
            let list = DenseI64ArrayAttribute::try_from(all.element_by_name(key)?).ok()?;
            let number = |index| list.element(index).ok();
            Some([number(0)?, number(1)?, number(2)?])
        };
        let extent = three("gm_extent").map(|[span, pitch, element]| Extent {
            span,
            pitch,
            element,
        });
        Some(Self {
            pipe: Pipe::named(&string("pipe")?)?,
            reads: ranges("reads")?,
            scalars: ranges("scalars").unwrap_or_default(),
            writes: ranges("writes")?,
            gm_read: string("gm_read"),
            gm_write: string("gm_write"),
            gm_bytes: three("gm_bytes"),
            gm_extent: extent,
            atomic: all.element_by_name("atomic").is_some(),
            fence: all.element_by_name("fence").is_some(),
        })
    }
}
