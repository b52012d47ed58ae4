//! Artifacts: named pieces of bytes.

use crate::{
    handle::Object,
    input::{self, Refusal, Shared, Status, guarded, guarded_or, object},
    session::{self, Session},
};
use pld::ProjectFile;
use std::{
    ffi::{CString, c_char, c_void},
    path::Path,
    ptr,
    sync::Arc,
};

/// Pieces of bytes.
pub struct Artifact {
    pieces: Vec<Piece>,
    /// Of a project: what it is written from, and who is told if that fails.
    project: Option<(Shared<Session>, Vec<ProjectFile>)>,
}

struct Piece {
    name: CString,
    /// Ends with a zero that is not counted.
    data: Vec<u8>,
}

impl Artifact {
    /// One piece without a name.
    pub fn one(data: impl Into<Vec<u8>>) -> Self {
        Self {
            pieces: vec![Piece::new("", data.into())],
            project: None,
        }
    }

    /// The files of a project.
    pub fn project(session: Shared<Session>, files: Vec<ProjectFile>) -> Self {
        let piece = |file: &ProjectFile| Piece::new(&file.path, file.text.clone().into_bytes());
        Self {
            pieces: files.iter().map(piece).collect(),
            project: Some((session, files)),
        }
    }

    /// # Safety
    ///
    /// `out` is null or points to room for a handle.
    pub unsafe fn hand_out(self, out: *mut *mut c_void) -> Result<(), Refusal> {
        // SAFETY: as the caller promises.
        unsafe { input::hand_out(out, Object::Artifact(Arc::new(self))) }
    }
}

impl Piece {
    fn new(name: &str, mut data: Vec<u8>) -> Self {
        data.push(0);
        Self {
            name: CString::new(name).unwrap_or_default(),
            data,
        }
    }
}

/// How many pieces.
#[unsafe(no_mangle)]
pub extern "C" fn pld_artifact_count(artifact: *const c_void) -> usize {
    guarded_or(0, || Some(object!(artifact, Artifact).ok()?.pieces.len()))
}

/// The name of a piece; it lives as long as the handle.
#[unsafe(no_mangle)]
pub extern "C" fn pld_artifact_name(artifact: *const c_void, index: usize) -> *const c_char {
    guarded_or(ptr::null(), || {
        let artifact = object!(artifact, Artifact).ok()?;
        Some(artifact.pieces.get(index)?.name.as_ptr())
    })
}

/// # Safety
///
/// `length` is null or points to room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pld_artifact_data(
    artifact: *const c_void,
    index: usize,
    length: *mut usize,
) -> *const c_char {
    guarded_or(ptr::null(), || {
        let artifact = object!(artifact, Artifact).ok()?;
        let piece = artifact.pieces.get(index)?;
        if !length.is_null() {
            // SAFETY: as the caller promises.
            unsafe { length.write(piece.data.len() - 1) };
        }
        Some(piece.data.as_ptr().cast())
    })
}

/// # Safety
///
/// `folder` ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pld_artifact_write(
    artifact: *const c_void,
    folder: *const c_char,
) -> Status {
    guarded(|| {
        let Ok(artifact) = object!(artifact, Artifact) else {
            return Status::Misuse;
        };
        // SAFETY: as the caller promises.
        let folder = unsafe { input::text(folder) };
        let (Ok(folder), Some((session, files))) = (folder, &artifact.project) else {
            return Status::Misuse;
        };
        match pld::write_project(Path::new(folder), files) {
            Ok(()) => Status::Ok,
            Err(error) => session::refuse(session, None, error.into()),
        }
    })
}

/// Ends an artifact.
#[unsafe(no_mangle)]
pub extern "C" fn pld_artifact_destroy(artifact: *mut c_void) -> Status {
    input::destroy(artifact, |object| matches!(object, Object::Artifact(_)))
}
