//! The generated project on disk.

use crate::diagnostic::{Diagnostic, Error};
use pld_lowering::hccl::ProjectFile;
use std::{
    fs,
    path::{Component, Path},
};

/// Writes the files of a project below `folder`, which is made if it is missing; files of the
/// same name are replaced.
///
/// # Errors
///
/// A file that cannot be written.
pub fn write_project(folder: &Path, files: &[ProjectFile]) -> Result<(), Error> {
    for file in files {
        write(folder, &file.path, &file.text)?;
    }
    Ok(())
}

fn write(folder: &Path, path: &str, text: &str) -> Result<(), Error> {
    let below = Path::new(path);
    if !below
        .components()
        .all(|part| matches!(part, Component::Normal(_)))
    {
        return Err(Error::Internal(format!(
            "'{path}' is no path below the project"
        )));
    }
    let path = folder.join(below);
    let written = match path.parent() {
        Some(parent) => fs::create_dir_all(parent),
        None => Ok(()),
    };
    written
        .and_then(|()| fs::write(&path, text))
        .map_err(|error| {
            let message = format!("cannot write '{}': {error}", path.display());
            Diagnostic::error(None, message).into()
        })
}
