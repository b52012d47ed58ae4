//! Types of the dialects, and what upstream's are asked for.

use super::ffi::{
    pldCommCtxTypeGet, pldDTensorTypeGet, pldShapedTypeGet, pldTileTypeGet, pldTypeIsACommCtx,
    pldTypeIsADTensor, pldTypeIsATile, pldTypeIsAWindowBuffer, pldWindowBufferTypeGet,
};
use crate::types;
use melior::{
    Context,
    ir::{Type, TypeLike},
};
use mlir_sys::{MlirContext, MlirType};
use std::slice;

/// Calls a type constructor of the bridge.
fn shaped_type<'c>(
    make: unsafe extern "C" fn(MlirContext, isize, *const i64, MlirType) -> MlirType,
    context: &'c Context,
    shape: &[i64],
    element: Type<'c>,
) -> Type<'c> {
    // SAFETY: context, shape and element are alive; the result belongs to the context.
    unsafe {
        Type::from_raw(make(
            context.to_raw(),
            shape.len() as isize,
            shape.as_ptr(),
            element.to_raw(),
        ))
    }
}

pub(crate) fn tile_type<'c>(context: &'c Context, shape: &[i64], element: Type<'c>) -> Type<'c> {
    shaped_type(pldTileTypeGet, context, shape, element)
}

pub(crate) fn dtensor_type<'c>(context: &'c Context, shape: &[i64], element: Type<'c>) -> Type<'c> {
    shaped_type(pldDTensorTypeGet, context, shape, element)
}

pub(crate) fn window_buffer_type(context: &Context) -> Type<'_> {
    // SAFETY: the context is alive and has the dialect loaded (see `crate::context`).
    unsafe { Type::from_raw(pldWindowBufferTypeGet(context.to_raw())) }
}

pub(crate) fn comm_ctx_type(context: &Context) -> Type<'_> {
    // SAFETY: as above.
    unsafe { Type::from_raw(pldCommCtxTypeGet(context.to_raw())) }
}

/// Whether `type` is `!pl.tile`.
pub fn is_tile(r#type: Type) -> bool {
    // SAFETY: a `Type` is never null.
    unsafe { pldTypeIsATile(r#type.to_raw()) }
}

/// Whether `type` is `!pld.dtensor`.
pub fn is_dtensor(r#type: Type) -> bool {
    // SAFETY: a `Type` is never null.
    unsafe { pldTypeIsADTensor(r#type.to_raw()) }
}

/// Whether `type` is `!pld.window_buffer`.
pub fn is_window_buffer(r#type: Type) -> bool {
    // SAFETY: a `Type` is never null.
    unsafe { pldTypeIsAWindowBuffer(r#type.to_raw()) }
}

/// Whether `type` is `!pld.comm_ctx`.
pub fn is_comm_ctx(r#type: Type) -> bool {
    // SAFETY: a `Type` is never null.
    unsafe { pldTypeIsACommCtx(r#type.to_raw()) }
}

/// Level, shape and element type of a memref, window, ranked tensor or tile.
pub(crate) fn take_apart<'c>(r#type: Type<'c>) -> Option<(types::Level, &'c [i64], Type<'c>)> {
    use types::Level::{Memory, Tensor, Tile, Window};
    let (mut shape, mut rank) = (std::ptr::null(), 0);
    let mut element = r#type.to_raw();
    // SAFETY: the type is alive and the out-pointers are valid; shape and element type
    // belong to the context.
    unsafe {
        let level = pldShapedTypeGet(
            r#type.to_raw(),
            &raw mut shape,
            &raw mut rank,
            &raw mut element,
        );
        let level = match level {
            1 => Memory,
            2 => Window,
            3 => Tensor,
            4 => Tile,
            _ => return None,
        };
        let shape = if rank == 0 {
            &[]
        } else {
            slice::from_raw_parts(shape, rank)
        };
        Some((level, shape, Type::from_raw(element)))
    }
}

/// Whether a memref has the identity layout.
pub fn has_identity_layout(memref: Type) -> bool {
    // SAFETY: only asked of a memref type.
    unsafe {
        !mlir_sys::mlirTypeIsAMemRef(memref.to_raw())
            || mlir_sys::mlirAffineMapIsIdentity(mlir_sys::mlirMemRefTypeGetAffineMap(
                memref.to_raw(),
            ))
    }
}

/// Whether a memref has the identity layout and no memory space.
pub fn is_plain_memref(memref: Type) -> bool {
    // SAFETY: the memory space is asked of a memref only.
    has_identity_layout(memref)
        && unsafe {
            !mlir_sys::mlirTypeIsAMemRef(memref.to_raw())
                || mlir_sys::mlirMemRefTypeGetMemorySpace(memref.to_raw())
                    .ptr
                    .is_null()
        }
}

/// Whether a type is a scalar float of any width.
pub fn is_float(r#type: Type) -> bool {
    // SAFETY: a `Type` is never null.
    unsafe { mlir_sys::mlirTypeIsAFloat(r#type.to_raw()) }
}
