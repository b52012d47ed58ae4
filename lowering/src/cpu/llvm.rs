//! Short forms of the llvm-dialect operations that the lowering emits.

use melior::{
    dialect::llvm::r#type,
    ir::{
        Attribute, Identifier, Type, TypeLike, Value, ValueLike,
        attribute::{
            BoolAttribute, DenseElementsAttribute, DenseI32ArrayAttribute, DenseI64ArrayAttribute,
            FloatAttribute, IntegerAttribute, StringAttribute, TypeAttribute,
        },
        operation::OperationBuilder,
        r#type::FunctionType,
    },
};
use pld_dialects::{emit::Emitter, types::Element, view};

/// The entry of `rawConstantIndices` that stands for a run-time index.
const DYNAMIC_INDEX: i32 = i32::MIN;

/// `seq_cst` in the llvm dialect's numbers of orderings.
const SEQ_CST: i64 = 7;

/// Operations on `i64`, pointers and vectors.
pub(super) trait Llvm<'c: 'a, 'a> {
    /// The emitter these build with.
    fn at(&self) -> &Emitter<'c, 'a>;

    /// `!llvm.ptr`.
    fn ptr_type(&self) -> Type<'c> {
        r#type::pointer(self.at().context, 0)
    }

    /// `i64`.
    fn word_type(&self) -> Type<'c> {
        self.at().int_type(64)
    }

    /// `llvm.mlir.constant`: most operations emitted are constants, and those of `arith` would
    /// have to be converted.
    fn constant(&self, r#type: Type<'c>, value: Attribute<'c>) -> Value<'c, 'a> {
        let attributes = [("value", value)];
        self.at()
            .value("llvm.mlir.constant", &[], r#type, &attributes)
    }

    /// An `i64` constant.
    fn word(&self, value: i64) -> Value<'c, 'a> {
        let r#type = self.word_type();
        self.constant(r#type, self.at().int_attr(r#type, value))
    }

    /// An `index` as an `i64`; an `i64` as it is.
    fn to_i64(&self, value: Value<'c, 'a>) -> Value<'c, 'a> {
        if value.r#type().is_index() {
            self.at()
                .value("arith.index_cast", &[value], self.word_type(), &[])
        } else {
            value
        }
    }

    /// An `i64` as an `index`.
    fn to_index(&self, value: Value<'c, 'a>) -> Value<'c, 'a> {
        let index = self.at().index_type();
        self.at().value("arith.index_cast", &[value], index, &[])
    }

    /// Sum of two `i64`; folded, so that the output is readable and quick to compile.
    fn add(&self, left: Value<'c, 'a>, right: Value<'c, 'a>) -> Value<'c, 'a> {
        match (view::constant(left), view::constant(right)) {
            (Some(left), Some(right)) => self.word(left.wrapping_add(right)),
            (Some(0), None) => right,
            (None, Some(0)) => left,
            _ => self.at().binary("llvm.add", left, right),
        }
    }

    /// Product of two `i64`; folded.
    fn mul(&self, left: Value<'c, 'a>, right: Value<'c, 'a>) -> Value<'c, 'a> {
        match (view::constant(left), view::constant(right)) {
            (Some(left), Some(right)) => self.word(left.wrapping_mul(right)),
            (Some(0), None) | (None, Some(1)) => left,
            (Some(1), None) | (None, Some(0)) => right,
            _ => self.at().binary("llvm.mul", left, right),
        }
    }

    /// `arith.select`.
    fn select(
        &self,
        condition: Value<'c, 'a>,
        yes: Value<'c, 'a>,
        no: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        self.at()
            .value("arith.select", &[condition, yes, no], yes.r#type(), &[])
    }

    /// The address `offset` bytes behind `base`.
    fn gep(&self, base: Value<'c, 'a>, offset: Value<'c, 'a>) -> Value<'c, 'a> {
        if view::constant(offset) == Some(0) {
            return base;
        }
        let context = self.at().context;
        let indices = DenseI32ArrayAttribute::new(context, &[DYNAMIC_INDEX]).into();
        let byte = TypeAttribute::new(self.at().int_type(8)).into();
        self.at().value(
            "llvm.getelementptr",
            &[base, offset],
            self.ptr_type(),
            &[("rawConstantIndices", indices), ("elem_type", byte)],
        )
    }

    /// Loads a value; `alignment` in bytes.
    fn load(&self, address: Value<'c, 'a>, r#type: Type<'c>, alignment: i64) -> Value<'c, 'a> {
        let alignment = self.at().int_attr(self.word_type(), alignment);
        let attributes = [("alignment", alignment)];
        self.at()
            .value("llvm.load", &[address], r#type, &attributes)
    }

    /// Stores a value; `alignment` in bytes.
    fn store(&self, value: Value<'c, 'a>, address: Value<'c, 'a>, alignment: i64) {
        let alignment = self.at().int_attr(self.word_type(), alignment);
        let attributes = [("alignment", alignment)];
        self.at()
            .op("llvm.store", &[value, address], &[], &attributes);
    }

    /// Asks for a line of memory that will be read; nothing happens if there is none.
    fn prefetch(&self, address: Value<'c, 'a>) {
        let number = |value| self.at().int_attr(self.at().int_type(32), value);
        let [read, all_levels, data] = [0, 3, 1].map(number);
        let attributes = [("rw", read), ("hint", all_levels), ("cache", data)];
        self.at()
            .op("llvm.intr.prefetch", &[address], &[], &attributes);
    }

    /// Keeps what is loaded behind here behind here: a fence for this thread alone, so no
    /// instruction. The code generator else moves loads that lie near each other together.
    fn keep_order(&self) {
        let scope = StringAttribute::new(self.at().context, "singlethread").into();
        let ordering = self.at().int_attr(self.word_type(), SEQ_CST);
        let attributes = [("ordering", ordering), ("syncscope", scope)];
        self.at().op("llvm.fence", &[], &[], &attributes);
    }

    /// Copies bytes between ranges that do not overlap.
    fn memcpy(&self, to: Value<'c, 'a>, from: Value<'c, 'a>, bytes: i64) {
        self.copy("llvm.intr.memcpy", to, from, bytes);
    }

    /// Copies bytes between ranges that may overlap.
    fn memmove(&self, to: Value<'c, 'a>, from: Value<'c, 'a>, bytes: i64) {
        self.copy("llvm.intr.memmove", to, from, bytes);
    }

    /// Copies bytes by an intrinsic function.
    fn copy(&self, name: &str, to: Value<'c, 'a>, from: Value<'c, 'a>, bytes: i64) {
        let bytes = self.word(bytes);
        let volatile = BoolAttribute::new(self.at().context, false).into();
        let attributes = [("isVolatile", volatile)];
        self.at().op(name, &[to, from, bytes], &[], &attributes);
    }

    /// Field `path` of a struct.
    fn extract(&self, aggregate: Value<'c, 'a>, path: &[i64], field: Type<'c>) -> Value<'c, 'a> {
        let path = DenseI64ArrayAttribute::new(self.at().context, path).into();
        self.at().value(
            "llvm.extractvalue",
            &[aggregate],
            field,
            &[("position", path)],
        )
    }

    /// A struct with field `path` replaced.
    fn insert(
        &self,
        aggregate: Value<'c, 'a>,
        path: &[i64],
        value: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        let path = DenseI64ArrayAttribute::new(self.at().context, path).into();
        self.at().value(
            "llvm.insertvalue",
            &[aggregate, value],
            aggregate.r#type(),
            &[("position", path)],
        )
    }

    /// `builtin.unrealized_conversion_cast`, which a later pass removes.
    fn cast_to(&self, value: Value<'c, 'a>, r#type: Type<'c>) -> Value<'c, 'a> {
        self.at()
            .value("builtin.unrealized_conversion_cast", &[value], r#type, &[])
    }

    /// A vector with one value in all lanes; the value is converted to the element type, which
    /// is a float of any width or an integer.
    fn splat(&self, vector: Type<'c>, element: Type<'c>, value: Number) -> Value<'c, 'a> {
        let context = self.at().context;
        let one: Attribute = match value {
            Number::Float(value) => FloatAttribute::new(context, element, value).into(),
            Number::Int(value) => IntegerAttribute::new(element, value).into(),
        };
        let all = DenseElementsAttribute::new(vector, &[one]).expect("a vector is shaped");
        self.constant(vector, all.into())
    }

    /// A scalar in all lanes.
    fn broadcast(&self, scalar: Value<'c, 'a>, lanes: i64) -> Value<'c, 'a> {
        let vector = vector_type(scalar.r#type(), lanes);
        self.at().value("vector.broadcast", &[scalar], vector, &[])
    }

    /// The zero of an element type.
    fn zero(&self, element: Element) -> Value<'c, 'a> {
        let r#type = element.mlir(self.at().context);
        if element.is_float() {
            self.at().float(r#type, 0.0)
        } else {
            self.at().int(r#type, 0)
        }
    }

    /// Room for `words` 64-bit words on the stack; call it in the entry block only.
    fn alloca(&self, words: i64) -> Value<'c, 'a> {
        let count = self.word(words.max(1));
        let element = TypeAttribute::new(self.word_type()).into();
        let alignment = self.at().int_attr(self.word_type(), 8);
        self.at().value(
            "llvm.alloca",
            &[count],
            self.ptr_type(),
            &[("elem_type", element), ("alignment", alignment)],
        )
    }

    /// Calls `@callee`, an `llvm.func`.
    fn call(
        &self,
        callee: &str,
        arguments: &[Value<'c, 'a>],
        result: Option<Type<'c>>,
    ) -> Option<Value<'c, 'a>> {
        let context = self.at().context;
        let callee = melior::ir::attribute::FlatSymbolRefAttribute::new(context, callee).into();
        let sizes = [arguments.len() as i32, 0];
        let id = |name| Identifier::new(context, name);
        let op = self.at().build(
            OperationBuilder::new("llvm.call", self.at().location)
                .add_operands(arguments)
                .add_results(result.as_slice())
                .add_attributes(&[
                    (id("callee"), callee),
                    (
                        id("operandSegmentSizes"),
                        DenseI32ArrayAttribute::new(context, &sizes).into(),
                    ),
                    (
                        id("op_bundle_sizes"),
                        DenseI32ArrayAttribute::new(context, &[]).into(),
                    ),
                ]),
        );
        result.and_then(|_| op.result(0).ok().map(Into::into))
    }

    /// The address of the function `@name` of this signature.
    fn function_address(&self, name: &str, signature: FunctionType<'c>) -> Value<'c, 'a> {
        let context = self.at().context;
        let name = melior::ir::attribute::FlatSymbolRefAttribute::new(context, name).into();
        let function = self
            .at()
            .value("func.constant", &[], signature.into(), &[("value", name)]);
        self.cast_to(function, self.ptr_type())
    }
}

impl<'c, 'a> Llvm<'c, 'a> for Emitter<'c, 'a> {
    fn at(&self) -> &Emitter<'c, 'a> {
        self
    }
}

/// A constant of a float or integer type.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number {
    Float(f64),
    Int(i64),
}

/// `vector<LANESxELEMENT>`.
pub(super) fn vector_type(element: Type, lanes: i64) -> Type {
    Type::vector(&[lanes.unsigned_abs()], element)
}

/// The struct that a memref of this rank is in LLVM: two pointers, an offset, sizes, strides.
pub(super) fn descriptor_type(context: &melior::Context, rank: usize) -> Type<'_> {
    let pointer = r#type::pointer(context, 0);
    let word: Type = melior::ir::r#type::IntegerType::new(context, 64).into();
    let mut fields = vec![pointer, pointer, word];
    if rank > 0 {
        let extents = r#type::array(word, rank as u32);
        fields.extend([extents, extents]);
    }
    r#type::r#struct(context, &fields, false)
}
