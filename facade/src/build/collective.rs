//! The collectives of `pld`. The signal may be left out on the host: `None`.

use super::{Body, Reduce, Value, pl::enumerator};

impl<'c, 'a> Body<'c, 'a> {
    /// `pld.allreduce`: in place on every rank's slice. `algorithm` is `auto`, `mesh` or
    /// `ring`.
    #[track_caller]
    pub fn allreduce(
        &self,
        kind: Reduce,
        data: Value<'c, 'a>,
        signal: impl Into<Option<Value<'c, 'a>>>,
        algorithm: &str,
    ) {
        let at = self.at();
        let attributes = [
            ("op", enumerator(&at, kind as i64)),
            ("algorithm", at.str_attr(algorithm)),
        ];
        let operands = optional(&[data], signal);
        at.op("pld.allreduce", &operands, &[], &attributes);
    }

    /// `pld.broadcast`: the root's slice to all.
    #[track_caller]
    pub fn broadcast(
        &self,
        data: Value<'c, 'a>,
        signal: impl Into<Option<Value<'c, 'a>>>,
        root: i64,
    ) {
        let at = self.at();
        let root = at.int_attr(at.int_type(64), root);
        let operands = optional(&[data], signal);
        at.op("pld.broadcast", &operands, &[], &[("root", root)]);
    }

    /// `pld.reduce_scatter`: row `rank` ends reduced.
    #[track_caller]
    pub fn reduce_scatter(
        &self,
        kind: Reduce,
        data: Value<'c, 'a>,
        signal: impl Into<Option<Value<'c, 'a>>>,
    ) {
        let at = self.at();
        let kind = enumerator(&at, kind as i64);
        let operands = optional(&[data], signal);
        at.op("pld.reduce_scatter", &operands, &[], &[("op", kind)]);
    }

    /// `pld.allgather`: every rank's chunk to every rank.
    #[track_caller]
    pub fn allgather(
        &self,
        chunk: Value<'c, 'a>,
        all: Value<'c, 'a>,
        signal: impl Into<Option<Value<'c, 'a>>>,
    ) {
        let operands = optional(&[chunk, all], signal);
        self.at().op("pld.allgather", &operands, &[], &[]);
    }

    /// `pld.all_to_all`: row d to row `rank` of rank d.
    #[track_caller]
    pub fn all_to_all(
        &self,
        source: Value<'c, 'a>,
        destination: Value<'c, 'a>,
        signal: impl Into<Option<Value<'c, 'a>>>,
    ) {
        let operands = optional(&[source, destination], signal);
        self.at().op("pld.all_to_all", &operands, &[], &[]);
    }

    /// `pld.all_to_all_v`: as many rows as `send` counts; `receive` gets the counts of peers.
    #[track_caller]
    pub fn all_to_all_v(
        &self,
        source: Value<'c, 'a>,
        destination: Value<'c, 'a>,
        signal: impl Into<Option<Value<'c, 'a>>>,
        send: Value<'c, 'a>,
        receive: Value<'c, 'a>,
    ) {
        let mut operands = optional(&[source, destination], signal);
        operands.extend([send, receive]);
        self.at().op("pld.all_to_all_v", &operands, &[], &[]);
    }
}

/// Operands, and one that may be left out.
fn optional<'c, 'a>(
    operands: &[Value<'c, 'a>],
    last: impl Into<Option<Value<'c, 'a>>>,
) -> Vec<Value<'c, 'a>> {
    let mut all = operands.to_vec();
    all.extend(last.into());
    all
}
