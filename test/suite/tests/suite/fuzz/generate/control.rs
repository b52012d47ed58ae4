//! Control flow, regions, calls, and arithmetic on indices.
//!
//! Conditions and bounds are arguments of their own, each used once: so no pass can know
//! which way they go, and none may drop what stands inside.

use super::{Function, Kind, Type, Value};

impl Function<'_> {
    fn unknown(&mut self, of: &'static str) -> String {
        self.argument(Type::Scalar(of), false).name
    }

    pub(super) fn control(&mut self) {
        if self.depth > 2 {
            return;
        }
        match self.random.u8(..4) {
            0 => {
                let [low, high, step] = [(); 3].map(|()| self.unknown("index"));
                let counter = self.name();
                self.line(&format!(
                    "scf.for {counter} = {low} to {high} step {step} {{"
                ));
                self.leaking(|inner| {
                    inner.values.push(Value {
                        name: counter,
                        of: Type::Scalar("index"),
                        writable: false,
                    });
                    inner.operations();
                });
            }
            1 => {
                let condition = self.unknown("i1");
                self.line(&format!("scf.if {condition} {{"));
                self.nested(Self::operations);
                if self.random.bool() {
                    self.line("} else {");
                    self.nested(Self::operations);
                }
            }
            2 => {
                let index = self.unknown("index");
                self.line(&format!("scf.index_switch {index}"));
                for case in 0..self.random.usize(..3) {
                    self.line(&format!("case {case} {{"));
                    self.nested(Self::operations);
                    self.line("  scf.yield");
                    self.line("}");
                }
                self.line("default {");
                self.nested(Self::operations);
            }
            _ => {
                self.line("scf.while : () -> () {");
                self.nested(Self::operations);
                let condition = self.unknown("i1");
                self.line(&format!("  scf.condition({condition})"));
                self.line("} do {");
                self.nested(Self::operations);
                self.line("  scf.yield");
            }
        }
        self.line("}");
    }

    /// One of two values of a type, by a branch or a loop.
    pub(super) fn choose(&mut self) {
        let Some(a) = self.find(|_| true) else {
            return;
        };
        let Some(b) = self.find(|value| value.of == a.of && value.writable == a.writable) else {
            return;
        };
        let (of, condition) = (&a.of, self.unknown("i1"));
        let (left, right) = (&a.name, &b.name);
        let text = match self.random.u8(..3) {
            0 => format!("arith.select {condition}, {left}, {right} : {of}"),
            1 => format!(
                "scf.if {condition} -> ({of}) {{ scf.yield {left} : {of} }} else {{ scf.yield {right} : {of} }}"
            ),
            _ => {
                let [low, high, step] = [(); 3].map(|()| self.unknown("index"));
                let (counter, carried) = (self.name(), self.name());
                format!(
                    "scf.for {counter} = {low} to {high} step {step} iter_args({carried} = {left}) -> ({of}) {{ scf.yield {right} : {of} }}"
                )
            }
        };
        self.result(a.of.clone(), &text);
        if let Some(chosen) = self.values.last_mut() {
            chosen.writable = a.writable;
        }
    }

    pub(super) fn at(&mut self) {
        if self.in_at && !self.odd() {
            return;
        }
        let outer = std::mem::replace(&mut self.in_at, true);
        self.line("pl.at core_group {");
        self.leaking(Self::operations);
        self.line("}");
        self.in_at = outer;
    }

    pub(super) fn spmd(&mut self) {
        if (self.in_spmd || self.in_at || self.depth > 2) && !self.odd() {
            return;
        }
        let outer = std::mem::replace(&mut self.in_spmd, true);
        let count = self.scalar("index").name;
        self.line(&format!("pl.spmd {count} {{"));
        self.leaking(Self::operations);
        self.line("}");
        self.in_spmd = outer;
    }

    /// A value of exactly the type of a parameter.
    pub(super) fn actual(&mut self, parameter: &Value) -> Value {
        // A window of its own for each: the callee must not get one twice.
        let found = self.find(|value| {
            value.of == parameter.of
                && !matches!(value.of, Type::Memory { window: true, .. })
                && (value.writable || !parameter.writable)
        });
        match (found, &parameter.of) {
            (Some(found), _) if self.chance(50) => found,
            (
                _,
                Type::Memory {
                    window,
                    shape,
                    element,
                },
            ) => self.new_memory(*window, parameter.writable, shape.clone(), element),
            (_, of) => self.argument(of.clone(), parameter.writable),
        }
    }

    /// Some function of this kind.
    pub(super) fn callee(&mut self, kind: Kind) -> Option<super::Callee> {
        let anything = self.odd();
        let fit = self
            .callees
            .iter()
            .filter(|callee| anything || callee.kind == kind);
        let fit: Vec<_> = fit.cloned().collect();
        (!fit.is_empty()).then(|| fit[self.random.usize(..fit.len())].clone())
    }

    pub(super) fn call(&mut self) {
        let Some(callee) = self.callee(Kind::InCore) else {
            return;
        };
        let actuals: Vec<_> = callee
            .parameters
            .iter()
            .map(|parameter| self.actual(parameter))
            .collect();
        let names: Vec<_> = actuals.iter().map(|value| value.name.clone()).collect();
        let types: Vec<_> = actuals.iter().map(|value| value.of.to_string()).collect();
        let result = if callee.returns { "index" } else { "()" };
        let text = format!(
            "func.call {}({}) : ({}) -> {result}",
            callee.name,
            names.join(", "),
            types.join(", ")
        );
        if callee.returns {
            self.result(Type::Scalar("index"), &text);
        } else {
            self.line(&text);
        }
    }

    pub(super) fn index_arithmetic(&mut self) {
        let (a, b) = (self.scalar("index").name, self.scalar("index").name);
        let name = if self.odd() {
            self.pick(&["addf", "cmpi", "extsi"])
        } else {
            self.pick(&[
                "addi", "subi", "muli", "remsi", "divsi", "remui", "minsi", "xori",
            ])
        };
        let text = format!("arith.{name} {a}, {b} : index");
        self.result(Type::Scalar("index"), &text);
    }
}
