//! `pl-verify-target`: what the target cannot do, said before anything is changed.
//!
//! | code | what is checked |
//! | --- | --- |
//! | pld-302 | rows and columns where copies of whole blocks rearrange tiles |
//! | pld-303 | element types of vector operations, casts, fills, moves and atomic adds |
//! | pld-304 | ranks, blocks and window bytes |
//!
//! On-core memory (pld-301) is checked by the planner.

use super::{
    forms,
    profile::{Profile, Round},
    rearrange,
};
use melior::ir::{
    Value, ValueLike,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{
    Kind, bridge,
    diag::{self, Code},
    enclosing_function, entry_arguments, function_kind,
    pass::{OptionSpec, Options, Pass, Reported},
    types::{self, Element, Shaped},
    view::{self, Access, AllocWindowBuffer},
};
use pld_passes::layout_windows;

/// The pass.
pub const PASS: Pass = Pass {
    argument: "pl-verify-target",
    description: "Refuse what the target cannot do: parts of tiles that are no whole blocks \
                  (pld-302), element types, casts and atomics it lacks (pld-303), more ranks, blocks or window bytes than it has (pld-304). Changes nothing.",
    options: &[ARCH],
    run,
};

/// Option: which target.
pub const ARCH: OptionSpec = OptionSpec {
    name: "arch",
    description: "target profile: a2a3 or a5",
    default: "a2a3",
};

/// The profile that the option names.
pub fn profile(module: OperationRef, options: &Options) -> Result<&'static Profile, Reported> {
    let name = options.get("arch");
    Profile::named(name).ok_or_else(|| {
        let names = Profile::names();
        diag::failure(
            module.location(),
            format!("arch={name} is no target profile, expected one of: {names}"),
        )
        .emit();
        Reported
    })
}

fn run(module: OperationRef, options: &Options) -> Result<(), Reported> {
    let profile = profile(module, options)?;
    let mut fine = true;
    for op in bridge::collect(module, |_| true) {
        fine &= operation(profile, op);
    }
    fine &= window_bytes(profile, module);
    if fine { Ok(()) } else { Err(Reported) }
}

fn operation(profile: &Profile, op: OperationRef) -> bool {
    let name = view::name(&op);
    match name {
        "pl.cast" => cast(profile, op),
        "pl.full" | "pl.row_expand" => fill(profile, op),
        "pl.matmul" | "pl.matmul_acc" => product(profile, op, name),
        "pl.spmd" => blocks(profile, op),
        "func.func" if function_kind(&op) == Some(Kind::Host) => ranks(profile, op),
        _ if rearrange::knows(name) => match rearrange::refusal(profile, op) {
            Some((reason, mend)) => refuse(op, 302, &reason, &mend),
            None => true,
        },
        _ if forms::computes(profile, name) => vector(profile, op, name),
        _ => Access::of(op).is_none_or(|access| moves(profile, &access)),
    }
}

fn refuse(op: OperationRef, code: u16, what: &str, mend: &str) -> bool {
    diag::error(&op, Code(code), what).note(mend).emit();
    false
}

fn element(value: Option<Value>) -> Option<Element> {
    let r#type = value?.r#type();
    Shaped::of(r#type).map_or_else(|| Element::of(r#type), |shaped| shaped.element())
}

fn result<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    op.result(0).ok().map(Into::into)
}

fn cast(profile: &Profile, op: OperationRef) -> bool {
    let (Some(from), Some(to), Some(mode)) = (
        element(op.operand(0).ok()),
        element(result(op)),
        Round::of(op),
    ) else {
        return true;
    };
    match forms::cast(profile, from, to, mode) {
        Ok(_) => true,
        Err(refusal) => refuse(
            op,
            303,
            &format!(
                "casts {from} to {to}, but on {} {}",
                profile.name, refusal.reason
            ),
            &refusal.mend,
        ),
    }
}

fn vector(profile: &Profile, op: OperationRef, name: &str) -> bool {
    let tile = match name {
        "pl.cmp" => op.operand(0).ok(),
        _ => result(op),
    };
    let Some(element) = element(tile) else {
        return true;
    };
    match forms::compute(profile, name, element) {
        Ok(_) => true,
        Err(refusal) => refuse(
            op,
            303,
            &format!("{} on {}", refusal.reason, profile.name),
            &refusal.mend,
        ),
    }
}

fn product(profile: &Profile, op: OperationRef, name: &str) -> bool {
    let side = op.operand(usize::from(name == "pl.matmul_acc")).ok();
    let Some(element) = element(side).filter(|side| !profile.products.contains(side)) else {
        return true;
    };
    let products = forms::list(profile.products);
    let what = format!(
        "multiplies {element}, but code for {} multiplies {products}",
        profile.name
    );
    refuse(op, 303, &what, "use arch=a2a3, or vector operations")
}

fn fill(profile: &Profile, op: OperationRef) -> bool {
    let Some(element) = element(result(op)) else {
        return true;
    };
    let small = || {
        op.operand(0)
            .ok()
            .and_then(view::constant)
            .is_some_and(|value| i32::try_from(value).is_ok())
    };
    if profile.fill.contains(&element) || element == Element::I64 && small() {
        return true;
    }
    let fills = forms::list(profile.fill);
    refuse(
        op,
        303,
        &format!(
            "fills a tile of {element}, but {} fills {fills}",
            profile.name
        ),
        "an i64 tile is filled with a constant of 32 bits only: fill an i32 tile and cast it to i64",
    )
}

fn moves(profile: &Profile, access: &Access) -> bool {
    let Some(element) = element(Some(access.memory)) else {
        return true;
    };
    if !profile.moves.contains(&element) {
        return refuse(
            access.op,
            303,
            &format!(
                "moves {element}, but {} moves {}",
                profile.name,
                forms::list(profile.moves)
            ),
            "keep masks as i8 in memory",
        );
    }
    if access.atomic && !profile.atomic.contains(&element) {
        return refuse(
            access.op,
            303,
            &format!(
                "adds {element} atomically, but {} adds {}",
                profile.name,
                forms::list(profile.atomic)
            ),
            "use one of these element types",
        );
    }
    let zero = |pad| view::constant(pad) == Some(0);
    if element == Element::I64 && access.pad.is_some_and(|pad| !zero(pad)) {
        return refuse(
            access.op,
            303,
            &format!(
                "pads i64 with a value that is not a constant 0, but {} pads 64-bit types with 0 only",
                profile.name
            ),
            "leave the pad value out",
        );
    }
    true
}

/// World sizes that the host function is written for, and static leading dims.
fn ranks(profile: &Profile, host: OperationRef) -> bool {
    let sizes = view::integers(&host, "pld.world_sizes").unwrap_or_default();
    let sharded = bridge::collect(host, |name| name == "pl.shard");
    let arguments = entry_arguments(host);
    let leading = sharded.iter().filter_map(|shard| {
        let source = shard
            .operand(0)
            .ok()
            .filter(|source| arguments.contains(source))?;
        let extent = *Shaped::of(source.r#type())?.shape.first()?;
        (extent != types::DYNAMIC).then_some(extent)
    });
    let smallest = sizes.iter().copied().min().into_iter().chain(leading).max();
    match smallest {
        Some(size) if size > profile.ranks => refuse(
            host,
            304,
            &format!(
                "is written for {size} ranks, but a communicator of {} has at most {}",
                profile.name, profile.ranks
            ),
            "admit a smaller world",
        ),
        _ => true,
    }
}

/// Blocks of a launch; those that wait for each other or for peers run at once, on a core each.
fn blocks(profile: &Profile, spmd: OperationRef) -> bool {
    let Some(count) = spmd.operand(0).ok().and_then(view::constant) else {
        return true;
    };
    let called = |wanted: &dyn Fn(&str) -> bool| {
        let calls = bridge::collect(spmd, |name| name == "func.call");
        let callees: Vec<_> = calls
            .iter()
            .filter_map(|call| view::symbol(call, "callee"))
            .collect();
        let module = enclosing_function(spmd).and_then(|function| function.parent_operation());
        let functions = module.map(|module| bridge::collect(module, |name| name == "func.func"));
        functions.into_iter().flatten().any(|function| {
            view::string(&function, "sym_name").is_some_and(|name| callees.contains(&name))
                && !bridge::collect(function, wanted).is_empty()
        })
    };
    if count > profile.blocks {
        let (name, most) = (profile.name, profile.blocks);
        let what = format!("has {count} blocks, but a launch on {name} has at most {most}");
        return refuse(spmd, 304, &what, "let each block do more");
    }
    let multiplies = called(&|name| matches!(name, "pl.matmul" | "pl.matmul_acc"));
    let cores = if multiplies {
        profile.cube_cores
    } else {
        profile.cores
    };
    if count > cores && called(&is_waiting) {
        let name = profile.name;
        let what = format!(
            "has {count} blocks that wait, but {name} runs {cores} at once, one on each core"
        );
        return refuse(spmd, 304, &what, "let each block do more");
    }
    true
}

fn is_waiting(name: &str) -> bool {
    matches!(name, "pl.sync_blocks" | "pld.wait")
}

/// Bytes of all windows of static size.
fn window_bytes(profile: &Profile, module: OperationRef) -> bool {
    let mut total = 0i64;
    for op in bridge::collect(module, |name| name == "pld.alloc_window_buffer") {
        let Some(alloc) = AllocWindowBuffer::of(op) else {
            continue;
        };
        let Some(bytes) = alloc.static_bytes() else {
            continue;
        };
        // Of a world whose size is not known, the least.
        let ranks = alloc.ranks.map_or(1, |ranks| ranks.len() as i64);
        let bytes = layout_windows::cost(bytes, ranks).unwrap_or(i64::MAX);
        total = total.saturating_add(bytes);
        if total > profile.window_bytes {
            return refuse(
                op,
                304,
                &format!(
                    "brings the windows of a rank to {total} bytes, but {} has {} by default",
                    profile.name, profile.window_bytes
                ),
                "use smaller windows, or move the data in pieces",
            );
        }
    }
    true
}
