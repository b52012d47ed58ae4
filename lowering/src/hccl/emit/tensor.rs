//! Tiles as arguments of statements, in loops over their rows.

use super::{
    kernel::Kernel,
    text::{Num, Text},
};
use crate::hccl::{
    layout::Layout,
    statement::{Place, home},
};
use melior::ir::{
    Value,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::pass::Reported;

/// Bytes of a block.
const BLOCK: i64 = 32;

/// What a statement reads or writes.
pub struct Tensor<'c, 'a> {
    /// The tensor.
    pub text: Text<'c, 'a>,
    /// How it lies.
    pub layout: Layout,
}

impl<'c, 'a> Tensor<'c, 'a> {
    /// An operand of an operation.
    pub fn operand(
        kernel: &Kernel<'c, 'a>,
        op: OperationRef<'c, 'a>,
        index: usize,
    ) -> Result<Self, Reported> {
        Self::of(kernel, op, op.operand(index).map_err(|_| Reported)?)
    }

    /// The result of an operation.
    pub fn result(kernel: &Kernel<'c, 'a>, op: OperationRef<'c, 'a>) -> Result<Self, Reported> {
        Self::of(kernel, op, op.result(0).map_err(|_| Reported)?.into())
    }

    /// A tile as its own type has it, whatever it is kept as.
    fn of(
        kernel: &Kernel<'c, 'a>,
        op: OperationRef<'c, 'a>,
        value: Value<'c, 'a>,
    ) -> Result<Self, Reported> {
        let layout = Layout::of(kernel.profile, value).ok_or(Reported)?;
        let text = kernel.tensor_of(op, Place::Tile(home(value)), layout.element)?;
        Ok(Self { text, layout })
    }

    /// Scratch of an operation.
    pub fn scratch(
        kernel: &Kernel<'c, 'a>,
        op: OperationRef<'c, 'a>,
        place: Place<'c, 'a>,
    ) -> Result<Self, Reported> {
        Ok(Self {
            text: Text::default().value(kernel.tensor(op, place)?),
            layout: kernel.layout(place)?,
        })
    }

    /// From an element on, written as an expression.
    pub fn at(&self, index: impl AsRef<str>) -> Text<'c, 'a> {
        match index.as_ref() {
            "0" => self.text.clone(),
            index => self.text.clone().lit(format!("[{index}]")),
        }
    }

    /// From an element on.
    pub fn from(&self, index: Num<'c, 'a>) -> Text<'c, 'a> {
        match index {
            Num::Known(index) => self.at(index.to_string()),
            _ => self.text.clone().lit("[").num(index).lit("]"),
        }
    }

    /// From the start of a row on.
    pub fn row(&self) -> Text<'c, 'a> {
        self.at(self.row_index())
    }

    /// The element at which a row starts, as an expression.
    pub fn row_index(&self) -> String {
        match self.layout.rows {
            1 => "0".into(),
            _ => format!("row * {}", self.layout.pitch_elements()),
        }
    }

    /// The first element of a row as a scalar.
    pub fn element_of_row(&self) -> Text<'c, 'a> {
        self.text
            .clone()
            .lit(format!(".GetValue({})", self.row_index()))
    }

    /// Elements of a block.
    pub fn block(&self) -> i64 {
        BLOCK / self.layout.element.bytes()
    }
}

/// `for` over `rows`, in front of a statement.
pub fn each_row<'c, 'a>(first: i64, rows: i64) -> Text<'c, 'a> {
    if rows - first == 1 && first == 0 {
        return Text::default();
    }
    Text::new(format!(
        "for (uint32_t row = {first}; row < {rows}; ++row) "
    ))
}

/// A statement that calls AscendC.
pub fn call<'c, 'a>(name: &str, arguments: &[Text<'c, 'a>]) -> Text<'c, 'a> {
    let mut text = Text::new(format!("AscendC::{name}("));
    for (index, argument) in arguments.iter().enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        text = text.lit(separator).text(argument.clone());
    }
    text.lit(");")
}

/// An argument that is known.
pub fn number<'c, 'a>(number: i64) -> Text<'c, 'a> {
    Text::new(number.to_string())
}

/// Copies a rectangle of whole blocks between tiles, each from an element on. There are no
/// tiles of more rows than a copy takes pieces (4095), of which one is wider than a block.
pub fn copy_blocks<'c, 'a>(
    (to, to_first): (&Tensor<'c, 'a>, Num<'c, 'a>),
    (from, from_first): (&Tensor<'c, 'a>, Num<'c, 'a>),
    (rows, blocks): (i64, i64),
) -> Text<'c, 'a> {
    let gap = |tensor: &Tensor| tensor.layout.pitch / BLOCK - blocks;
    let what = if rows == 1 || gap(to) == 0 && gap(from) == 0 {
        number(rows * blocks * to.block())
    } else {
        let (source, destination) = (gap(from), gap(to));
        Text::new(format!(
            "AscendC::DataCopyParams{{{rows}, {blocks}, {source}, {destination}}}"
        ))
    };
    let arguments = [to.from(to_first), from.from(from_first), what];
    call("DataCopy", &arguments)
}
