//! A module that holds every operation of both dialects, with its optional parts.

use pld::{
    Element::{BF16, F16, F32, I1, I8, I32},
    build::{
        Body, Cmp, DYNAMIC, Module, NotifyKind, Part, Reduce, Round, Transfer, Value, WaitCmp,
        index, inout, input, memref, output, scalar, tensor, tile, window,
    },
};

pub fn module(m: &Module) {
    tiles(m);
    communication(m);
    transfers(m);
    device(m);
    host(m);
}

fn tiles(m: &Module) {
    let parameters = [
        input(memref([37, 29], F32)).fill("ramp"),
        inout(memref([64, 64], F32)),
        input(index()),
        input(scalar(F32)),
    ];
    m.incore("tiles", parameters, |f, [x, y, i, v]| {
        let t = tile([8, 64], F32);
        let part = Part::valid((i, 29)).pad(v);
        let a = f.load_part(x, (i, 0), &t, part);
        let b = f.load_part(y, [i, i], &t, Part::valid([8, 64]).pad(-1));
        elementwise(f, a, b, v);
        vectors(f, a);
        shapes(f, a, b);
        let sums = f.for_carrying(0, i, 2, [a, b], |f, k, [a, b]| {
            let in_range = f.cmpi(Cmp::Lt, k, f.muli(f.minsi(i, 5), 3));
            f.if_else(
                in_range,
                |f| f.store(a, y, (k, 0)),
                |f| f.store(b, y, (0, 0)),
            );
            [f.add(a, b), b]
        });
        let [chosen] = f.if_giving(f.cmpi(Cmp::Gt, i, 3), [&t], |_| [a], |f| [f.neg(b)]);
        let [grown, _] = f.while_carrying(
            [chosen, i],
            |f, [_, k]| f.cmpi(Cmp::Lt, k, 9),
            |f, [t, k]| [f.add(t, t), f.addi(k, 1)],
        );
        let [switched] = f.index_switch(i, [&t], &[0, 5], |f, case| match case {
            Some(0) => [a],
            Some(_) => [grown],
            None => [f.abs(grown)],
        });
        f.store(switched, y, [8, 0]);
        f.store_part(sums[0], y, [0, 0], Part::valid((i, 64)).atomic_add());
        let first = f.read(y, (i, 3));
        f.write(first, y, [0, 0]);
        f.write(0.5, y, (f.dim(x, 0), 0));
    });
}

fn elementwise<'c, 'a>(f: &Body<'c, 'a>, a: Value<'c, 'a>, b: Value<'c, 'a>, v: Value<'c, 'a>) {
    for of_two in [
        Body::add,
        Body::sub,
        Body::mul,
        Body::div,
        Body::max,
        Body::min,
    ] {
        of_two(f, a, b);
    }
    let of_one = [
        Body::neg,
        Body::abs,
        Body::relu,
        Body::exp,
        Body::log,
        Body::sqrt,
        Body::rsqrt,
        Body::recip,
    ];
    for of_one in of_one {
        of_one(f, a);
    }
    f.adds(f.subs(f.muls(a, v), 2), 0.5);
    f.divs(f.maxs(f.mins(a, 3), v), v);
    let n = f.iota(&tile([8, 64], I32));
    let m = f.full(7, &tile([8, 64], I32));
    for of_two in [Body::and, Body::or, Body::xor, Body::shl, Body::shr] {
        of_two(f, n, m);
    }
    f.not(n);
    let mask = f.cmp(Cmp::Le, a, b);
    f.not(mask);
    f.select(mask, a, f.full(v, &tile([8, 64], F32)));
    f.cast(Round::Rint, a, BF16);
    f.cast(Round::Trunc, a, I32);
}

fn vectors<'c, 'a>(f: &Body<'c, 'a>, a: Value<'c, 'a>) {
    let column = f.row_sum(a);
    for reduce in [Body::row_max, Body::row_min, Body::row_prod] {
        reduce(f, a);
    }
    let row = f.col_sum(a);
    for reduce in [Body::col_max, Body::col_min, Body::col_prod] {
        reduce(f, a);
    }
    f.row_expand(column, 16);
    f.col_expand(row, 4);
    let along_rows = [
        Body::row_expand_add,
        Body::row_expand_sub,
        Body::row_expand_mul,
        Body::row_expand_div,
        Body::row_expand_max,
        Body::row_expand_min,
    ];
    for expand in along_rows {
        expand(f, a, column);
    }
    let along_columns = [
        Body::col_expand_add,
        Body::col_expand_sub,
        Body::col_expand_mul,
        Body::col_expand_div,
        Body::col_expand_max,
        Body::col_expand_min,
    ];
    for expand in along_columns {
        expand(f, a, row);
    }
}

fn shapes<'c, 'a>(f: &Body<'c, 'a>, a: Value<'c, 'a>, b: Value<'c, 'a>) {
    let half = f.extract_slice(a, [0, 32], [8, 32]);
    f.insert_slice(half, b, (0, f.index(16)));
    f.concat(half, a, 1);
    f.concat(b, a, 0);
    let turned = f.transpose(a);
    f.reshape(a, [16, 32]);
    let rows = f.full(2, &tile([4, 1], I32));
    f.gather(a, rows);
    let product = f.matmul(a, turned, [false, false]);
    f.matmul_acc(product, a, b, [false, true]);
    let small = f.cast(Round::Round, f.cast(Round::None, a, F16), I8);
    f.matmul(small, small, [true, false]);
}

fn communication(m: &Module) {
    let parameters = [
        input(window([4, 64], F32)),
        input(window([4, 64], F32)),
        input(window([4, 1], I32)),
        input(window([4, 1], I32)),
        input(memref([4, 1], I32)),
    ];
    m.incore(
        "communication",
        parameters,
        |f, [data, all, signal, counts, send]| {
            let t = tile([1, 64], F32);
            let ctx = f.get_comm_ctx(data);
            let (me, n) = (f.rank(ctx), f.nranks(ctx));
            let previous = f.remsi(f.subi(f.addi(me, n), 1), n);
            let mine = f.load(data, (me, 0), &t);
            f.remote_store_part(mine, data, (me, 0), previous, Part::whole().atomic_add());
            f.remote_store(mine, data, [0, 0], 0);
            f.notify(NotifyKind::Add, 1, signal, (me, 0), previous);
            f.wait(WaitCmp::Ge, 1, signal, (f.divsi(me, 2), 0));
            f.barrier(signal);
            f.sync_blocks();
            let part = Part::valid((1, me)).pad(0.25);
            f.remote_load_part(data, (me, 0), previous, &t, part);
            f.remote_load(data, [3, 0], f.maxsi(me, 1), &t);
            f.allreduce(Reduce::Max, data, signal, "ring");
            f.broadcast(data, signal, 2);
            f.reduce_scatter(Reduce::Sum, data, signal);
            f.all_to_all(data, all, signal);
            f.all_to_all_v(data, all, signal, send, counts);
        },
    );
}

fn transfers(m: &Module) {
    let parameters = [
        inout(memref([8, 64], F32)),
        input(window([16, 64], F32)),
        input(window([8, 64], F32)),
        input(index()),
    ];
    m.incore("transfers", parameters, |f, [x, w, whole, i]| {
        let region = Transfer::region([0, 0], (i, 0), [8, 64]);
        let chunked = region.chunk_rows(4).chunk_cols(64).pipeline();
        f.put(x, w, i, chunked.atomic_add());
        f.put(x, whole, 0, Transfer::whole());
        let region = Transfer::region((i, 0), [0, 0], (i, 64)).chunk_rows(2);
        f.get(w, x, 1, region);
    });
}

fn device(m: &Module) {
    let parameters = [
        input(memref([128, 128], F32)),
        output(memref([128, 128], F32)),
        input(window([64, 64], F32)),
    ];
    m.device("device", parameters, |f, [x, y, w]| {
        let rank = f.rank(f.get_comm_ctx(w));
        f.core_group(|f| {
            let v = f.slice(x, [0, 64], &tensor([64, 64], F32));
            let e = f.row_expand_sub(f.exp(v), f.row_sum(v));
            f.assemble(e, y, [64, 0]);
            f.remote_store(e, w, [0, 0], rank);
        });
        f.spmd(4, |f| {
            f.addi(f.block_idx(), f.block_num());
        });
    });
    let helper = m.function(
        Some(pld::ir::Kind::InCore),
        "twice",
        [input(scalar(I32))],
        &[scalar(I32)],
        |f, [v]| vec![f.addi(v, v)],
    );
    assert!(helper.op().to_string().contains("-> i32"));
    m.incore("uses_it", [input(memref([1, 1], I32))], |f, [x]| {
        let v = f.read(x, [0, 0]);
        let twice = f.call_for("twice", &[v], &[scalar(I32)]);
        let wide = f.index_cast(twice[0], &index());
        let one = f.constant(1, I1);
        f.if_then(one, |f| {
            f.addi(wide, f.index_cast(twice[0], &index()));
        });
    });
}

fn host(m: &Module) {
    let world = memref([DYNAMIC, 128, 128], F32);
    let parameters = [input(world.clone()), output(world)];
    let host = m.host("main", parameters, |f, [x, y]| {
        let n = f.world_size();
        let data = f.alloc_window_buffer([4, 64], F32);
        let group = f.alloc_window_buffer_of([4, 64], F32, &[0, 1]);
        let chunks = f.alloc_window_buffer([1, 64], F32);
        let sized = f.alloc_window_buffer((n, 64), F32);
        let data = f.window(data, &window([4, 64], F32), &[]);
        f.window(group, &window([2, 128], F32), &[]);
        f.window_tail(group, &window([1, 1], I32), &[]);
        let chunk = f.window(chunks, &window([1, 64], F32), &[]);
        let squares = f.alloc_window_buffer([64, 64], F32);
        let square = f.window(squares, &window([64, 64], F32), &[]);
        let rows = f.window(sized, &window([DYNAMIC, 64], F32), &[n]);
        f.for_loop(0, n, 1, |f, r| {
            let (xr, yr) = (f.shard(x, r), f.shard(y, r));
            f.dispatch("device", &[xr, yr, square], r);
        });
        f.allgather(chunk, rows, None);
        f.broadcast(data, None, 0);
    });
    host.world_sizes(&[4]);
}
