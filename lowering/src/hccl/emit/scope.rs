//! What each value of the program is in the emitted code.

use super::{
    cpp::{self, Side},
    text::{Num, call},
};
use melior::ir::{
    Type, Value, ValueLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    bridge, diag,
    emit::Emitter,
    pass::Reported,
    types::{self, Element, Shaped},
    view::{self, Mixed},
};
use std::collections::HashMap;

/// An array or window in emitted code.
#[derive(Clone, Debug)]
pub struct Memory<'c, 'a> {
    /// Its address.
    pub base: Base<'c, 'a>,
    /// Extents.
    pub dims: Vec<Num<'c, 'a>>,
    /// Element type.
    pub element: Element,
    /// The communication context, if it is a window.
    pub context: Option<Group<'c, 'a>>,
    /// Name of the object for ordering: equal names may overlap.
    pub object: String,
}

/// Where an address comes from.
#[derive(Clone, Debug)]
pub enum Base<'c, 'a> {
    /// A value.
    Address(Value<'c, 'a>),
    /// On the host: slice of world array `argument`, of this index.
    Shard(usize, Value<'c, 'a>),
    /// On the host: the rank's copy of an array argument.
    Replica(usize),
    /// On the host: the rank's part of a world array that the host allocated.
    OwnSlice(Value<'c, 'a>),
    /// On the host: slice of such an array, of this index.
    OwnShard(Value<'c, 'a>, Value<'c, 'a>),
}

/// The group of a window: what its context and its ranks are called.
#[derive(Clone, Debug, Default)]
pub struct Group<'c, 'a> {
    /// In a kernel: the name of the context.
    pub name: String,
    /// On the host: address of the context, rank and size. All ranks if absent.
    pub host: Option<[Value<'c, 'a>; 3]>,
    /// On the host, where the window is made: members of the group.
    pub members: Option<Vec<i64>>,
}

/// Values by what they are.
#[derive(Debug)]
pub struct Scope<'c, 'a> {
    /// Where the code runs.
    pub side: Side,
    scalars: HashMap<usize, Value<'c, 'a>>,
    memories: HashMap<usize, Memory<'c, 'a>>,
}

impl<'c, 'a> Scope<'c, 'a> {
    /// An empty one.
    pub fn new(side: Side) -> Self {
        Self {
            side,
            scalars: HashMap::new(),
            memories: HashMap::new(),
        }
    }

    /// Says what a scalar is.
    pub fn bind(&mut self, value: Value<'c, 'a>, emitted: Value<'c, 'a>) {
        self.scalars.insert(bridge::value_key(value), emitted);
    }

    /// Emits a call that knows the result of an operation; `args` are literal.
    ///
    /// # Errors
    ///
    /// The operation has no result.
    pub fn bind_call(
        &mut self,
        at: &Emitter<'c, 'a>,
        op: OperationRef<'c, 'a>,
        name: &str,
        callee: &str,
        args: &[String],
    ) -> Result<(), Reported> {
        let value = call(at, callee, args, at.int_type(64), name);
        self.bind(
            op.result(0).map_err(|_| Reported)?.into(),
            value.result(0).map_err(|_| Reported)?.into(),
        );
        Ok(())
    }

    /// Says what an array or window is.
    pub fn bind_memory(&mut self, value: Value<'c, 'a>, memory: Memory<'c, 'a>) {
        self.memories.insert(bridge::value_key(value), memory);
    }

    /// The emitted scalar.
    ///
    /// # Errors
    ///
    /// `value` has not been emitted: `op` uses what only exists elsewhere.
    pub fn scalar(
        &self,
        op: OperationRef,
        value: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Reported> {
        let found = self.scalars.get(&bridge::value_key(value)).copied();
        found.ok_or_else(|| {
            unsupported(
                op,
                &format!("a value of {} from where it stands", value.r#type()),
            )
        })
    }

    /// The emitted array or window.
    ///
    /// # Errors
    ///
    /// As [`Scope::scalar`].
    pub fn memory(
        &self,
        op: OperationRef,
        value: Value<'c, 'a>,
    ) -> Result<Memory<'c, 'a>, Reported> {
        let found = self.memories.get(&bridge::value_key(value)).cloned();
        found.ok_or_else(|| unsupported(op, &format!("{} from where it stands", value.r#type())))
    }

    /// An entry of a mixed list.
    pub fn mixed(&self, op: OperationRef, entry: Mixed<'c, 'a>) -> Result<Num<'c, 'a>, Reported> {
        Ok(match entry {
            Mixed::Static(value) => Num::Known(value),
            Mixed::Dynamic(value) => match view::constant(value) {
                Some(value) => Num::Known(value),
                None => Num::Value(self.scalar(op, value)?),
            },
        })
    }

    /// The emitted type of a scalar.
    pub fn scalar_type(
        &self,
        op: OperationRef<'c, 'a>,
        r#type: Type<'c>,
    ) -> Result<Type<'c>, Reported> {
        let context = bridge::context_of(&op);
        cpp::scalar(context, self.side, r#type)
            .ok_or_else(|| unsupported(op, &format!("scalars of {type}")))
    }
}

impl<'c, 'a> Memory<'c, 'a> {
    /// An array or window of this type whose run-time extents `dim` tells, one after another.
    pub fn new(
        r#type: Type<'c>,
        base: Base<'c, 'a>,
        object: &str,
        mut dim: impl FnMut(usize) -> Result<Num<'c, 'a>, Reported>,
    ) -> Option<Result<Self, Reported>> {
        let shaped = Shaped::of(r#type).filter(Shaped::is_memory)?;
        let element = shaped.element()?;
        let dims = shaped
            .shape
            .iter()
            .enumerate()
            .map(|(index, &extent)| match extent {
                types::DYNAMIC => dim(index),
                extent => Ok(Num::Known(extent)),
            });
        Some(dims.collect::<Result<_, _>>().map(|dims| Self {
            base,
            dims,
            element,
            context: None,
            object: object.into(),
        }))
    }

    /// The address, where it is a value.
    pub fn address(&self, op: OperationRef) -> Result<Value<'c, 'a>, Reported> {
        match self.base {
            Base::Address(value) => Ok(value),
            _ => Err(unsupported(op, "a host array in place of an address")),
        }
    }

    /// The element number of an index of this array.
    pub fn linear(&self, at: &Emitter<'c, 'a>, index: &[Num<'c, 'a>]) -> Num<'c, 'a> {
        index
            .iter()
            .zip(&self.dims)
            .fold(Num::Known(0), |sum, (&entry, &dim)| {
                sum.mul(at, dim).add(at, entry)
            })
    }

    /// Elements from one row to the next.
    pub fn row_pitch(&self) -> Num<'c, 'a> {
        self.dims.last().copied().unwrap_or(Num::Known(1))
    }
}

/// Reports what the backend cannot emit.
pub fn unsupported<'c: 'a, 'a>(op: impl OperationLike<'c, 'a>, what: &str) -> Reported {
    diag::failure(
        op.location(),
        format!(
            "'{}' uses {what}, which the AscendC backend cannot emit",
            view::name(&op)
        ),
    )
    .emit();
    Reported
}
