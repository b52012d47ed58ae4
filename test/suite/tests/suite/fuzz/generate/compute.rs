//! Tiles and tensors, and what is computed on them.

use super::{
    Function, Type, Value,
    types::{BITS, ELEMENTS, FLOATS, INTEGERS},
};

impl Function<'_> {
    /// The tile or tensor type of this shape.
    fn shaped(&mut self, rows: i64, cols: i64, element: &'static str) -> Type {
        let tensor = self.in_at != self.odd();
        Type::Value {
            tensor,
            rows,
            cols,
            element,
        }
    }

    pub(super) fn some_type(&mut self, element: &'static str) -> Type {
        let (rows, cols) = (self.extent(), self.extent());
        self.shaped(rows, cols, element)
    }

    /// A value of this type: in scope, or new.
    pub(super) fn value(&mut self, of: Type) -> Value {
        if self.chance(60)
            && let Some(found) = self.find(|value| value.of == of)
        {
            return found;
        }
        match of {
            Type::Value { element, .. } if self.chance(25) => {
                let scalar = self.scalar(element);
                self.result(of.clone(), &format!("pl.full {} : {of}", scalar.name))
            }
            Type::Value { element, .. } if INTEGERS.contains(&element) && self.chance(30) => {
                self.result(of.clone(), &format!("pl.iota : {of}"))
            }
            _ => self.load(of),
        }
    }

    pub(super) fn some_value(&mut self, element: &'static str) -> Value {
        let found =
            self.find(|value| matches!(value.of, Type::Value { element: of, .. } if of == element));
        match found {
            Some(found) if self.chance(50) => found,
            _ => {
                let of = self.some_type(element);
                self.value(of)
            }
        }
    }

    pub(super) fn compute(&mut self) {
        match self.random.u8(..16) {
            0 | 1 => self.same_type(&["add", "sub", "mul", "div", "max", "min"], 2, ELEMENTS),
            2 => self.same_type(&["and", "or", "xor"], 2, BITS),
            3 => self.same_type(&["shl", "shr"], 2, INTEGERS),
            4 => self.same_type(&["neg", "abs", "relu"], 1, ELEMENTS),
            5 => self.same_type(&["exp", "log", "sqrt", "rsqrt", "recip"], 1, FLOATS),
            6 => self.same_type(&["not"], 1, BITS),
            7 => self.with_scalar(),
            8 => self.compare(),
            9 => self.cast(),
            10 => self.reduce(),
            11 => self.broadcast(),
            12 => self.part(),
            13 => self.rearrange(),
            14 => self.gather(),
            _ => self.matmul(),
        }
    }

    fn same_type(&mut self, names: &[&str], operands: usize, elements: &[&'static str]) {
        let (name, element) = (self.pick(names), self.element(elements));
        let a = self.some_value(element);
        let b = self.value(a.of.clone());
        let operands = if operands == 2 {
            format!("{}, {}", a.name, b.name)
        } else {
            a.name
        };
        self.result(a.of.clone(), &format!("pl.{name} {operands} : {}", a.of));
    }

    fn with_scalar(&mut self) {
        let name = self.pick(&["adds", "subs", "muls", "divs", "maxs", "mins"]);
        let element = self.element(ELEMENTS);
        let (a, s) = (self.some_value(element), self.scalar(element));
        let text = format!("pl.{name} {}, {} : {}, {}", a.name, s.name, a.of, s.of);
        self.result(a.of, &text);
    }

    fn compare(&mut self) {
        let element = self.element(ELEMENTS);
        let (rows, cols) = (self.extent(), self.extent());
        let (of, mask) = (
            self.shaped(rows, cols, element),
            self.shaped(rows, cols, "i1"),
        );
        let (a, b) = (self.value(of.clone()), self.value(of));
        let how = self.pick(&["eq", "ne", "lt", "le", "gt", "ge"]);
        let text = format!("pl.cmp {how}, {}, {} : {} -> {mask}", a.name, b.name, a.of);
        let mask = self.result(mask, &text);
        let text = format!(
            "pl.select {}, {}, {} : {}, {}",
            mask.name, a.name, b.name, mask.of, a.of
        );
        self.result(a.of, &text);
    }

    fn cast(&mut self) {
        let (rows, cols) = (self.extent(), self.extent());
        let (from, to) = (self.element(ELEMENTS), self.element(ELEMENTS));
        if from == to && !self.odd() {
            return;
        }
        let (from, to) = (self.shaped(rows, cols, from), self.shaped(rows, cols, to));
        let a = self.value(from);
        let mode = self.pick(&["none", "rint", "round", "floor", "ceil", "trunc"]);
        let text = format!("pl.cast {mode} {} : {} -> {to}", a.name, a.of);
        self.result(to, &text);
    }

    fn reduce(&mut self) {
        let (rows, cols, element) = (self.extent(), self.extent(), self.element(ELEMENTS));
        let (along, how) = (
            self.pick(&["row", "col"]),
            self.pick(&["sum", "max", "min", "prod"]),
        );
        let of = self.shaped(rows, cols, element);
        let to = if along == "row" {
            self.shaped(rows, 1, element)
        } else {
            self.shaped(1, cols, element)
        };
        let a = self.value(of);
        let text = format!("pl.{along}_{how} {} : {} -> {to}", a.name, a.of);
        self.result(to, &text);
    }

    fn broadcast(&mut self) {
        let (rows, cols, element) = (self.extent(), self.extent(), self.element(ELEMENTS));
        let along = self.pick(&["row", "col"]);
        let whole = self.shaped(rows, cols, element);
        let vector = if along == "row" {
            self.shaped(rows, 1, element)
        } else {
            self.shaped(1, cols, element)
        };
        let v = self.value(vector);
        if self.chance(30) {
            let text = format!("pl.{along}_expand {} : {} -> {whole}", v.name, v.of);
            self.result(whole, &text);
            return;
        }
        let a = self.value(whole);
        let how = self.pick(&["add", "sub", "mul", "div", "max", "min"]);
        let text = format!(
            "pl.{along}_expand_{how} {}, {} : {}, {}",
            a.name, v.name, a.of, v.of
        );
        self.result(a.of, &text);
    }

    fn part(&mut self) {
        let element = self.element(ELEMENTS);
        let (rows, cols) = (self.extent(), self.extent());
        let whole = self.shaped(rows, cols, element);
        let whole = self.value(whole);
        let inner =
            [rows, cols].map(|extent| self.number(extent.saturating_sub(1)).saturating_add(1));
        let [inner_rows, inner_cols] = inner;
        let part = self.shaped(inner_rows, inner_cols, element);
        let rooms = [
            rows.saturating_sub(inner_rows),
            cols.saturating_sub(inner_cols),
        ];
        let outer = rooms.map(|room| match self.chance(25) {
            true => self.scalar("index").name,
            false => self.number(room).to_string(),
        });
        let offsets = format!("[{}, {}]", outer[0], outer[1]);
        if self.random.bool() {
            let text = format!(
                "pl.extract_slice {}{offsets} : {} -> {part}",
                whole.name, whole.of
            );
            self.result(part, &text);
        } else {
            let part = self.value(part);
            let text = format!(
                "pl.insert_slice {} into {}{offsets} : {} into {}",
                part.name, whole.name, part.of, whole.of
            );
            self.result(whole.of, &text);
        }
    }

    fn rearrange(&mut self) {
        let element = self.element(ELEMENTS);
        let (rows, cols, more) = (self.extent(), self.extent(), self.extent());
        let of = self.shaped(rows, cols, element);
        let a = self.value(of);
        match self.random.u8(..4) {
            0 => {
                let to = self.shaped(cols, rows, element);
                self.result(
                    to.clone(),
                    &format!("pl.transpose {} : {} -> {to}", a.name, a.of),
                );
            }
            1 => {
                let to = self.shaped(1, rows.saturating_mul(cols), element);
                self.result(
                    to.clone(),
                    &format!("pl.reshape {} : {} -> {to}", a.name, a.of),
                );
            }
            kind => {
                let dim = kind - 2;
                let sum = |extent: i64| extent.saturating_add(more);
                let (b, to) = if dim == 0 {
                    (
                        self.shaped(more, cols, element),
                        self.shaped(sum(rows), cols, element),
                    )
                } else {
                    (
                        self.shaped(rows, more, element),
                        self.shaped(rows, sum(cols), element),
                    )
                };
                let b = self.value(b);
                let dim = if self.odd() {
                    self.number(3)
                } else {
                    dim.into()
                };
                let text = format!(
                    "pl.concat {}, {} dim {dim} : {}, {} -> {to}",
                    a.name, b.name, a.of, b.of
                );
                self.result(to, &text);
            }
        }
    }

    fn gather(&mut self) {
        let element = self.element(ELEMENTS);
        let (rows, cols, count) = (self.extent(), self.extent(), self.extent());
        let (of, index, to) = (
            self.shaped(rows, cols, element),
            self.shaped(count, 1, "i32"),
            self.shaped(count, cols, element),
        );
        let (a, index) = (self.value(of), self.value(index));
        let text = format!(
            "pl.gather {}, {} : {}, {} -> {to}",
            a.name, index.name, a.of, index.of
        );
        self.result(to, &text);
    }

    fn matmul(&mut self) {
        let element = self.element(&["f16", "bf16", "f32", "i8"]);
        let product = if element == "i8" { "i32" } else { "f32" };
        let (rows, inner, cols) = (self.extent(), self.extent(), self.extent());
        let mut operand = |rows, cols, name| {
            let transposed = self.random.bool();
            let (rows, cols) = if transposed {
                (cols, rows)
            } else {
                (rows, cols)
            };
            let of = self.shaped(rows, cols, element);
            (self.value(of), if transposed { name } else { "" })
        };
        let (a, transpose_a) = operand(rows, inner, " transpose_a");
        let (b, transpose_b) = operand(inner, cols, " transpose_b");
        let to = self.shaped(rows, cols, product);
        let (name, acc) = if self.random.bool() {
            let acc = self.value(to.clone());
            ("matmul_acc", format!("{}, ", acc.name))
        } else {
            ("matmul", String::new())
        };
        let text = format!(
            "pl.{name} {acc}{}, {}{transpose_a}{transpose_b} : {}, {} -> {to}",
            a.name, b.name, a.of, b.of
        );
        self.result(to, &text);
    }
}
