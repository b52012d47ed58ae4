//! What is open at a point of a kernel: accesses that some pipe does not know complete.

use super::{
    super::{
        emit::{alias, text::Effects},
        statement::Pipe,
    },
    kernel::{Memory, Whose},
    places::Place,
};

/// What a statement does, and whose memory it touches.
#[derive(Clone, Copy, Debug)]
pub struct Touch<'k> {
    /// What it does.
    pub effects: &'k Effects,
    /// Whose memory it touches.
    pub whose: Whose,
    /// Where in it.
    pub place: Option<&'k Place>,
}

impl<'k> Touch<'k> {
    /// Of a statement.
    pub fn of(effects: &'k Effects, memory: &'k Memory) -> Self {
        Self {
            effects,
            whose: memory.whose,
            place: memory.place.as_ref(),
        }
    }
}

impl<'k> From<&'k Effects> for Touch<'k> {
    fn from(effects: &'k Effects) -> Self {
        Self {
            effects,
            whose: Whose::Any,
            place: None,
        }
    }
}

/// An access that some pipe may not know complete.
#[derive(Clone, Copy, Debug)]
pub struct Access<'k> {
    touch: Touch<'k>,
    /// The statement's number, so that a loop's second walk finds it again.
    id: usize,
    /// Pipes that know it complete, by number.
    known: [bool; 4],
    /// Events that are set and carry its completion, one bit each.
    carried: u64,
    /// The outermost loop around it that has begun another round since.
    crossed: Option<usize>,
}

impl PartialEq for Access<'_> {
    fn eq(&self, other: &Self) -> bool {
        // The statement says what it touches, if not in which case.
        let key = |access: &Self| {
            let place = access.touch.place.map(std::ptr::from_ref);
            let touch = (access.id, access.touch.whose, place);
            (touch, access.known, access.carried, access.crossed)
        };
        key(self) == key(other)
    }
}

/// What is open at a point of the walk.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State<'k>(Vec<Access<'k>>);

/// A flag whose two ends stand apart, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Which of them.
    pub number: usize,
    /// The pipe that sets it.
    pub from: Pipe,
    /// The pipe that waits for it.
    pub to: Pipe,
}

impl Event {
    /// How many there may be.
    pub const MOST: usize = 64;
}

/// An order to insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// A flag, set and waited for.
    Flag(Pipe, Pipe),
    /// A barrier of one pipe.
    Barrier(Pipe),
    /// A barrier of all pipes.
    Fence,
    /// Sets an event.
    Set(Event),
    /// Waits for an event, which is no longer set then.
    Wait(Event),
}

impl<'k> State<'k> {
    /// What must be inserted before a statement: for its latest conflict first, since that
    /// order covers earlier ones on the way.
    pub fn missing<'n>(&self, next: impl Into<Touch<'n>>) -> Vec<Order> {
        let next = next.into();
        let to = next.effects.pipe;
        let mut state = self.clone();
        state.pass_on(to);
        let mut orders = Vec::new();
        let is_open = |access: &&Access<'k>| !access.known[to as usize] && conflict(access, next);
        while let Some(access) = state.0.iter().rev().find(is_open) {
            let from = access.touch.effects.pipe;
            let order = if from == to {
                Order::Barrier(to)
            } else {
                Order::Flag(from, to)
            };
            orders.push(order);
            state.apply(order);
        }
        orders
    }

    /// After an order, its destination knows what its source knew, and the source's own.
    pub fn apply(&mut self, order: Order) {
        for access in &mut self.0 {
            let sent = |from| access.touch.effects.pipe == from || access.known[from as usize];
            match order {
                Order::Flag(from, to) if sent(from) => access.known[to as usize] = true,
                Order::Barrier(pipe) if sent(pipe) => access.known[pipe as usize] = true,
                Order::Fence => access.known = [true; 4],
                Order::Set(event) if sent(event.from) => access.carried |= 1 << event.number,
                Order::Wait(event) if access.carried & (1 << event.number) != 0 => {
                    access.known[event.to as usize] = true;
                    access.carried &= !(1 << event.number);
                }
                _ => {}
            }
        }
        self.forget();
    }

    /// What the scalar unit knows complete is so when it issues to `pipe`. Its own accesses are
    /// known to itself alone, until a flag.
    fn pass_on(&mut self, pipe: Pipe) {
        for access in &mut self.0 {
            let passed_on = access.touch.effects.pipe != Pipe::S && pipe != Pipe::All;
            if passed_on && access.known[Pipe::S as usize] {
                access.known[pipe as usize] = true;
            }
        }
    }

    /// Issues a statement.
    pub fn issue(&mut self, id: usize, touch: impl Into<Touch<'k>>) {
        let touch = touch.into();
        let effects = touch.effects;
        self.pass_on(effects.pipe);
        if effects.fence {
            return self.0.clear();
        }
        self.forget();
        let mut known = [false; 4];
        // The scalar unit is in order with itself.
        known[Pipe::S as usize] = effects.pipe == Pipe::S;
        let access = Access {
            touch,
            id,
            known,
            carried: 0,
            crossed: None,
        };
        self.0.retain(|other| *other != access);
        self.0.push(access);
    }

    /// Numbers of the statements of pipe `from` that conflict with one and that its pipe does
    /// not know complete.
    pub fn sources<'s>(&'s self, from: Pipe, next: Touch<'s>) -> impl Iterator<Item = usize> + 's {
        let open = move |access: &&Access<'k>| {
            access.touch.effects.pipe == from
                && !access.known[next.effects.pipe as usize]
                && conflict(access, next)
        };
        self.0.iter().filter(open).map(|access| access.id)
    }

    /// Whether all that is open here is open there.
    pub fn is_within(&self, other: &Self) -> bool {
        // Mostly both are in one order.
        let mut behind = &other.0[..];
        self.0.iter().all(|access| {
            match behind.iter().position(|other| other == access) {
                Some(at) => behind = &behind[at + 1..],
                None => return other.0.contains(access),
            }
            true
        })
    }

    /// Whether a signal tells a peer, or another block, of accesses to memory that the DMA which
    /// carries it does not know complete.
    pub fn needs_release(&self) -> bool {
        let mut state = self.clone();
        state.pass_on(Pipe::Mte3);
        let told = |object: &Option<String>| {
            let object = object.as_deref();
            object.is_some_and(|object| !object.starts_with(alias::OWN))
        };
        state.0.iter().any(|access| {
            let effects = access.touch.effects;
            let shared = told(&effects.gm_read) || told(&effects.gm_write);
            shared && !access.known[Pipe::Mte3 as usize]
        })
    }

    /// Another round of a loop begins.
    pub fn cross(&mut self, node: usize) {
        for access in &mut self.0 {
            let loops = access.touch.place.map(|place| &place.loops[..]);
            let around = |of| loops.and_then(|loops| loops.iter().position(|&other| other == of));
            let Some(own) = around(node) else {
                continue;
            };
            let outer = access.crossed.and_then(around);
            if outer.is_none_or(|outer| own < outer) {
                access.crossed = Some(node);
            }
        }
        let mut once = Self::default();
        once.join(self);
        *self = once;
    }

    /// Drops what every pipe knows complete.
    fn forget(&mut self) {
        self.0.retain(|access| access.known.contains(&false));
    }

    /// What may be open when either may have happened.
    pub fn join(&mut self, other: &Self) {
        for access in &other.0 {
            if !self.0.contains(access) {
                self.0.push(*access);
            }
        }
    }
}

/// Whether any two ranges meet, of lists in order.
fn overlap(one: &[(i64, i64)], other: &[(i64, i64)]) -> bool {
    let (mut a, mut b) = (one, other);
    while let ([x, rest_of_a @ ..], [y, rest_of_b @ ..]) = (a, b) {
        if x.0 < y.1 && y.0 < x.1 {
            return true;
        }
        if x.1 <= y.0 {
            a = rest_of_a;
        } else {
            b = rest_of_b;
        }
    }
    false
}

fn same(one: &Option<String>, other: &Option<String>) -> bool {
    one.is_some() && one == other
}

/// Whether both touch memory of different ranks, or bytes of one argument and none in common.
fn apart(one: &Access, other: Touch) -> bool {
    let (one, crossed) = (one.touch, one.crossed);
    if let (Some(earlier), Some(later)) = (one.place, other.place)
        && earlier.is_apart(later, crossed)
    {
        return true;
    }
    if let (Whose::Own, Whose::Other) | (Whose::Other, Whose::Own) = (one.whose, other.whose) {
        return true;
    }
    match (one.effects.gm_bytes, other.effects.gm_bytes) {
        (Some([a, begin, end]), Some([b, from, to])) => a == b && (end <= from || to <= begin),
        _ => false,
    }
}

/// Whether two statements, in this order, must not overlap in time.
fn conflict(first: &Access, second: Touch) -> bool {
    let same = |one, other| same(one, other) && !apart(first, second);
    let (first, second) = (first.touch.effects, second.effects);
    let write_write = overlap(&first.writes, &second.writes);
    let read_after_write = overlap(&first.writes, &second.reads);
    let write_after_read = overlap(&first.reads, &second.writes);
    let gm_write_write = same(&first.gm_write, &second.gm_write)
        && !(first.atomic && second.atomic && first.pipe == second.pipe);
    match (first.pipe, second.pipe) {
        (Pipe::S, Pipe::S) => false,
        (Pipe::V, Pipe::V) => write_write || read_after_write,
        (Pipe::Mte2, Pipe::Mte2) => write_write,
        (Pipe::Mte3, Pipe::Mte3) => gm_write_write,
        _ => {
            write_write
                || read_after_write
                || write_after_read
                || gm_write_write
                || same(&first.gm_write, &second.gm_read)
                || same(&first.gm_read, &second.gm_write)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn effects(pipe: Pipe, reads: &[(i64, i64)], writes: &[(i64, i64)]) -> Effects {
        Effects {
            pipe,
            reads: reads.to_vec(),
            scalars: vec![],
            writes: writes.to_vec(),
            gm_read: None,
            gm_write: None,
            gm_bytes: None,
            gm_extent: None,
            atomic: false,
            fence: false,
        }
    }

    fn store(object: &str, bytes: Option<[i64; 3]>) -> Effects {
        Effects {
            gm_write: Some(object.into()),
            gm_bytes: bytes,
            ..effects(Pipe::Mte3, &[], &[])
        }
    }

    /// Parts of one array are apart where both are known; any two may be the same otherwise.
    #[test]
    fn parts_of_memory() {
        let barrier = [Order::Barrier(Pipe::Mte3)];
        for (first, second, expected) in [
            (Some([0, 0, 64]), Some([0, 64, 96]), &[][..]),
            (Some([0, 64, 96]), Some([0, 0, 64]), &[]),
            (Some([0, 0, 65]), Some([0, 64, 96]), &barrier),
            (Some([0, 0, 64]), Some([1, 64, 96]), &barrier),
            (Some([0, 0, 64]), None, &barrier),
        ] {
            let (first, second) = (store("window0", first), store("window0", second));
            let mut state = State::default();
            state.issue(0, &first);
            assert_eq!(state.missing(&second), expected, "{first:?} {second:?}");
        }
    }

    /// A signal needs a fence for what others see and its DMA does not know complete.
    #[test]
    fn releases() {
        let after = |effects: &Effects, orders: &[Order]| {
            let mut state = State::default();
            state.issue(0, effects);
            orders.iter().for_each(|&order| state.apply(order));
            state.needs_release()
        };
        let load = Effects {
            gm_read: Some("window0".into()),
            ..effects(Pipe::Mte2, &[], &[(0, 32)])
        };
        assert!(after(&load, &[]));
        assert!(!after(&load, &[Order::Flag(Pipe::Mte2, Pipe::Mte3)]));
        assert!(after(&load, &[Order::Flag(Pipe::Mte2, Pipe::V)]));
        assert!(after(&store("window0", None), &[]));
        assert!(after(&store("shared0", None), &[]));
        assert!(!after(&store("array0", None), &[]));
        assert!(!after(&effects(Pipe::V, &[], &[(0, 32)]), &[]));
    }

    /// What the scalar unit reads to issue a statement orders it after the read's source, and
    /// before whatever overwrites it later.
    #[test]
    fn scalars_of_a_statement() {
        let by_column = Effects {
            scalars: vec![(0, 32)],
            ..effects(Pipe::V, &[(32, 64)], &[(64, 96)])
        };
        let source = effects(Pipe::V, &[], &[(0, 32)]);
        let read = by_column.of_scalar_unit();
        let mut state = State::default();
        state.issue(2, &source);
        assert_eq!(state.missing(&read), [Order::Flag(Pipe::V, Pipe::S)]);
        state.apply(Order::Flag(Pipe::V, Pipe::S));
        state.issue(4, &read);
        assert_eq!(state.missing(&by_column), []);
        state.issue(6, &by_column);
        assert_eq!(
            state.missing(&effects(Pipe::V, &[], &[(0, 32)])),
            [Order::Flag(Pipe::S, Pipe::V)]
        );
    }

    /// An event carries what its source had issued when it was set, and nothing later.
    #[test]
    fn an_event_carries_what_came_before_it() {
        let event = Event {
            number: 3,
            from: Pipe::Mte2,
            to: Pipe::V,
        };
        let loads = [(0, 32), (32, 64)].map(|range| effects(Pipe::Mte2, &[], &[range]));
        let mut state = State::default();
        state.issue(0, &loads[0]);
        state.apply(Order::Set(event));
        state.issue(2, &loads[1]);
        state.apply(Order::Wait(event));
        let use_of = |range| effects(Pipe::V, &[range], &[]);
        assert_eq!(state.missing(&use_of((0, 32))), []);
        let flag = [Order::Flag(Pipe::Mte2, Pipe::V)];
        assert_eq!(state.missing(&use_of((32, 64))), flag);
    }
}
