//! Places in sources, and diagnostics there.

use super::ffi::{pldEmitDiagnostic, pldLocationGetFile, string_ref, text_of};
use melior::ir::Location;

pub(crate) fn emit_diagnostic(
    location: Location,
    severity: i32,
    message: &str,
    notes: &[(Location, String)],
) {
    let locations: Vec<_> = notes
        .iter()
        .map(|(location, _)| location.to_raw())
        .collect();
    let texts: Vec<_> = notes.iter().map(|(_, text)| string_ref(text)).collect();
    // SAFETY: all arrays and strings outlive the call, which copies them.
    unsafe {
        pldEmitDiagnostic(
            location.to_raw(),
            severity,
            string_ref(message),
            notes.len(),
            locations.as_ptr(),
            texts.as_ptr(),
        );
    }
}

/// File, line and column of the first file position inside a location.
pub fn file_position(location: Location<'_>) -> Option<(&str, u32, u32)> {
    let mut file = string_ref("");
    let (mut line, mut column) = (0, 0);
    // SAFETY: the out-pointers are valid; the file name belongs to the context.
    unsafe {
        if !pldLocationGetFile(location.to_raw(), &mut file, &mut line, &mut column) {
            return None;
        }
        Some((text_of(file), line, column))
    }
}

/// The name of a location that has one, as a frontend gives the values of its program.
pub fn location_name(location: Location<'_>) -> Option<&str> {
    // SAFETY: the location is alive, the query is made of a name location only, and the
    // name belongs to the context.
    unsafe {
        let raw = location.to_raw();
        if !mlir_sys::mlirLocationIsAName(raw) {
            return None;
        }
        let name = mlir_sys::mlirIdentifierStr(mlir_sys::mlirLocationNameGetName(raw));
        Some(text_of(name))
    }
}
