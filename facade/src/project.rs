//! The generated project on disk.

use crate::diagnostic::{Diagnostic, Error};
use pld_lowering::hccl::ProjectFile;
use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

/// Marks a folder as a generated project, and lists the files that were generated.
const MANIFEST: &str = ".pld-project";

/// Writes the files of a project below `folder`: a new or empty one, or one that a project was
/// written to before, whose generated files are replaced; other files in it stay.
///
/// # Errors
///
/// A folder of something else, and a file that cannot be written.
pub fn write_project(folder: &Path, files: &[ProjectFile]) -> Result<(), Error> {
    let before = generated_before(folder)?;
    let mut list = String::new();
    for file in files {
        list.push_str(&file.path);
        list.push('\n');
    }
    // First, so that a project which is written in part is known as one.
    write(folder, MANIFEST, &list)?;
    for file in files {
        write(folder, &file.path, &file.text)?;
    }
    for path in before {
        if !files.iter().any(|file| Path::new(&file.path) == path) {
            remove(&folder.join(path))?;
        }
    }
    Ok(())
}

/// The files that were generated into a folder before.
fn generated_before(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let is_empty = match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => true,
        Err(error) => return Err(failed("read", folder, &error)),
    };
    if is_empty {
        return Ok(Vec::new());
    }
    match fs::read_to_string(folder.join(MANIFEST)) {
        Ok(list) => Ok(list
            .lines()
            .map(PathBuf::from)
            .filter(|path| is_below(path))
            .collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let message = format!(
                "'{}' holds other files than a generated project, which would be overwritten",
                folder.display()
            );
            Err(Diagnostic::error(None, message)
                .note("name a new or empty folder")
                .into())
        }
        Err(error) => Err(failed("read", &folder.join(MANIFEST), &error)),
    }
}

fn is_below(path: &Path) -> bool {
    let mut parts = path.components();
    parts.all(|part| matches!(part, Component::Normal(_)))
}

fn write(folder: &Path, path: &str, text: &str) -> Result<(), Error> {
    let below = Path::new(path);
    if !is_below(below) {
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
        .map_err(|error| failed("write", &path, &error))
}

fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(failed("remove", path, &error))
        }
        _ => Ok(()),
    }
}

fn failed(what: &str, path: &Path, error: &io::Error) -> Error {
    Diagnostic::error(None, format!("cannot {what} '{}': {error}", path.display())).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> ProjectFile {
        ProjectFile {
            path: path.into(),
            text: path.into(),
        }
    }

    /// A project takes the place of an earlier one, whose other files go, but the user's stay.
    #[test]
    fn again() {
        let root = tempfile::tempdir().expect("a folder");
        let folder = root.path().join("new");
        write_project(&folder, &[file("kernels/a.cpp"), file("README.md")]).expect("is new");
        fs::write(folder.join("kernels/own.txt"), "").expect("writable");
        write_project(&folder, &[file("kernels/b.cpp"), file("README.md")]).expect("is ours");
        let there = |path: &str| folder.join(path).exists();
        assert!(there("kernels/b.cpp") && there("README.md") && there("kernels/own.txt"));
        assert!(!there("kernels/a.cpp"));
    }

    /// A folder of the user's is left as it was.
    #[test]
    fn not_ours() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("README.md"), "mine").expect("writable");
        let refused = write_project(folder.path(), &[file("README.md")]);
        let said = refused.expect_err("holds a file").to_string();
        assert!(said.contains("holds other files"), "{said}");
        let kept = fs::read_to_string(folder.path().join("README.md")).expect("readable");
        assert_eq!(kept, "mine");
    }

    /// A list that names files elsewhere removes none of them.
    #[test]
    fn foreign_list() {
        let root = tempfile::tempdir().expect("a folder");
        let (folder, outside) = (root.path().join("p"), root.path().join("x"));
        write_project(&folder, &[]).expect("is new");
        fs::write(&outside, "").expect("writable");
        fs::write(folder.join(MANIFEST), "../x\n").expect("writable");
        write_project(&folder, &[]).expect("is ours");
        assert!(outside.exists());
    }
}
