//! Kernels with matrix products: what the vector core says, and the cube core's function.

use super::{
    cpp,
    function::Signature,
    kernel::Kernel,
    text::{Text, line},
};
use crate::hccl::{
    layout::Layout,
    product::{Workspace, products},
    statement::Row,
};
use melior::ir::{
    Attribute, Value,
    operation::{OperationLike, OperationRef},
};
use pld_dialects::{emit::Emitter, pass::Reported};

/// The name, in a kernel, of the address of the block's workspace.
pub const EXCHANGE: &str = "exchange";

/// `exchange` of this block.
pub fn prologue<'c, 'a>(at: &Emitter<'c, 'a>, workspace: Value<'c, 'a>, bytes: i64) {
    Text::new(format!("GM_ADDR {EXCHANGE} = "))
        .value(workspace)
        .lit(format!(" + AscendC::GetBlockIdx() * {bytes};"))
        .emit(at, None);
}

/// The end of the cube core's work.
pub fn epilogue(at: &Emitter) {
    line(at, format!("pld::EndCube({EXCHANGE}, signal_slot);"));
}

fn workspace(kernel: &Kernel) -> Result<Workspace, Reported> {
    Workspace::of(kernel.function).ok_or(Reported)
}

/// A side to the workspace.
pub fn put_side<'c, 'a>(
    kernel: &Kernel<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    row: &Row<'c, 'a>,
    index: usize,
    effects: Attribute<'c>,
) -> Result<(), Reported> {
    let workspace = workspace(kernel)?;
    let offset = if index == 0 {
        workspace.left
    } else {
        workspace.right
    };
    let place = *row.reads.first().ok_or(Reported)?;
    let side = op.operand(index).map_err(|_| Reported)?;
    let layout = Layout::of(kernel.profile, side).ok_or(Reported)?;
    Text::new(format!("pld::PutSide({EXCHANGE} + {offset}, "))
        .text(kernel.tensor_of(op, place, layout.element)?)
        .lit(format!(", {}, {});", layout.rows, layout.cols))
        .emit(at, Some(effects));
    Ok(())
}

/// The request for a product.
pub fn multiply<'c, 'a>(
    kernel: &Kernel<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    effects: Attribute<'c>,
) -> Result<(), Reported> {
    let place = products(kernel.function)
        .iter()
        .position(|&other| other == op);
    let number = place.ok_or(Reported)? + 1;
    Text::new(format!("pld::Multiply({EXCHANGE}, {number}, signal_slot);")).emit(at, Some(effects));
    Ok(())
}

/// The product from the workspace.
pub fn get_product<'c, 'a>(
    kernel: &Kernel<'c, 'a>,
    at: &Emitter<'c, 'a>,
    op: OperationRef<'c, 'a>,
    row: &Row<'c, 'a>,
    effects: Attribute<'c>,
) -> Result<(), Reported> {
    let place = *row.writes.first().ok_or(Reported)?;
    let layout = kernel.layout(place)?;
    let offset = workspace(kernel)?.result;
    Text::new("pld::GetProduct(")
        .value(kernel.tensor(op, place)?)
        .lit(format!(
            ", {EXCHANGE} + {offset}, {}, {});",
            layout.rows, layout.cols
        ))
        .emit(at, Some(effects));
    Ok(())
}

/// After the vector core's function: the cube core's, and the kernel that is both.
pub fn functions(kernel: &Kernel, at: &Emitter, signature: &Signature) -> Result<(), Reported> {
    let workspace = workspace(kernel)?;
    line(
        at,
        format!(
            "__aicore__ inline void {}(GM_ADDR workspace) {{",
            signature.cube
        ),
    );
    line(at, "  AscendC::TPipe pipe;");
    line(
        at,
        format!(
            "  GM_ADDR {EXCHANGE} = workspace + AscendC::GetBlockIdx() * {};",
            workspace.bytes
        ),
    );
    line(at, format!("  pld::Cube cube(pipe, {EXCHANGE});"));
    line(
        at,
        "  for (int32_t wanted = cube.Next(); wanted != 0; wanted = cube.Next()) {",
    );
    for (index, op) in products(kernel.function).into_iter().enumerate() {
        let [types, extents] = product(kernel, op)?;
        let [left, right, result] = [workspace.left, workspace.right, workspace.result]
            .map(|offset| format!("{EXCHANGE} + {offset}"));
        let number = index + 1;
        line(
            at,
            format!(
                "    if (wanted == {number}) cube.Product<{types}>({left}, {right}, {result}, {extents});"
            ),
        );
    }
    line(at, "    cube.Done();");
    line(at, "  }");
    line(at, "}");
    line(at, "");
    let params = signature.launch_params();
    let typed: Vec<_> = params
        .iter()
        .map(|(name, r#type)| format!("{} {name}", r#type.replace("uint8_t*", "GM_ADDR")))
        .collect();
    let names: Vec<_> = params.iter().map(|(name, _)| name.as_str()).collect();
    line(
        at,
        format!(
            "extern \"C\" __global__ __aicore__ void {}({}) {{",
            signature.name,
            typed.join(", ")
        ),
    );
    line(at, "  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1);");
    line(at, "  if ASCEND_IS_AIV {");
    line(
        at,
        format!("    {}({});", signature.vector, names.join(", ")),
    );
    line(at, "  }");
    line(at, "  if ASCEND_IS_AIC {");
    line(at, format!("    {}(workspace);", signature.cube));
    line(at, "  }");
    line(at, "}");
    Ok(())
}

/// Template arguments of `pld::Cube::Product`, and the extents: rows, columns, depth.
fn product(kernel: &Kernel, op: OperationRef) -> Result<[String; 2], Reported> {
    let side = op.operand(0).map_err(|_| Reported)?;
    let left = Layout::of(kernel.profile, side).ok_or(Reported)?;
    let result = op.result(0).map_err(|_| Reported)?.into();
    let result = Layout::of(kernel.profile, result).ok_or(Reported)?;
    let [turned_a, turned_b] = ["transpose_a", "transpose_b"].map(|name| op.has_attribute(name));
    let depth = if turned_a { left.rows } else { left.cols };
    let types = [left.element, result.element].map(cpp::element);
    Ok([
        format!("{}, {turned_a}, {turned_b}", types.join(", ")),
        format!("{}, {}, {depth}", result.rows, result.cols),
    ])
}
