//! Files that users name, which may be anything: a device without end, a pipe that nobody writes.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

/// Bytes of the longest text that is read.
const MOST_BYTES: u64 = 1 << 28;

/// All bytes of a source, of at most 256 MiB.
///
/// # Errors
///
/// One that cannot be read, or is longer.
pub fn read_all(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        let why = format!("it is longer than {} MiB", MOST_BYTES >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
}

/// A file that a user names.
///
/// # Errors
///
/// Those of [`read_all`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_all(File::open(path)?)
}

/// A file that the location of an operation names: nothing, if it is no file on a disk.
pub fn of_location(path: &Path) -> Option<Vec<u8>> {
    fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    read(path).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What has no end is refused, and not waited for where nobody asked for it by name.
    #[test]
    #[cfg(unix)]
    fn without_end() {
        let error = read_all(io::repeat(b' ')).expect_err("endless");
        assert_eq!(error.to_string(), "it is longer than 256 MiB");
        assert_eq!(of_location(Path::new("/dev/zero")), None);
    }
}
