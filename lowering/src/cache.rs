//! Files that cost seconds to make and follow from text alone: kept by content from run to run.

use sha2::{Digest, Sha256};
use std::{
    env,
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    time::SystemTime,
};
use tempfile::{NamedTempFile, TempDir};

/// Files kept at most; the least recently used go first. One is below 2 MB, but for a
/// precompiled header of 90 MB.
const CAPACITY: usize = 256;

/// A folder of files by what they were made from. Several processes may use it at once: a
/// file appears whole or not at all.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    /// Holds the folder where nothing is kept.
    _temporary: Option<TempDir>,
}

impl Cache {
    /// The folder `PLD_CACHE_DIR`, or `pld` in the user's cache folder. One for this run only
    /// if the variable is empty, and where that folder cannot be written.
    ///
    /// # Errors
    ///
    /// Not even a temporary folder can be made.
    pub fn open() -> io::Result<Self> {
        match kept_folder().and_then(|folder| Self::at(&folder)) {
            Some(cache) => Ok(cache),
            None => {
                let folder = TempDir::new()?;
                Ok(Self {
                    folder: folder.path().to_owned(),
                    _temporary: Some(folder),
                })
            }
        }
    }

    /// A folder of its own for files of one kind; `None` where nothing is kept.
    pub(crate) fn of_kind(kind: &str) -> Option<Self> {
        let folder = std::path::absolute(kept_folder()?.join(kind)).ok()?;
        // Whether it can be written to shows when something is kept.
        Some(Self {
            folder,
            _temporary: None,
        })
    }

    /// None if the folder is not one that can be written to.
    fn at(folder: &Path) -> Option<Self> {
        // The compiler runs elsewhere: a relative path would not mean the same there.
        let folder = std::path::absolute(folder).ok()?;
        fs::create_dir_all(&folder).ok()?;
        TempDir::new_in(&folder).ok()?;
        Some(Self {
            folder,
            _temporary: None,
        })
    }

    /// The file made from `sources`. If it is missing, `make` gets an empty folder and the
    /// path in it to write the file to.
    ///
    /// # Errors
    ///
    /// Those of `make`, and a file that cannot be kept.
    pub fn file<'a, E: From<io::Error>>(
        &self,
        sources: impl IntoIterator<Item = &'a str>,
        make: impl FnOnce(&Path, &Path) -> Result<(), E>,
    ) -> Result<PathBuf, E> {
        let name = key(sources);
        let path = self.folder.join(&name);
        if let Ok(file) = File::open(&path) {
            // Only says which files are in use, so it may fail.
            let _ = file.set_modified(SystemTime::now());
            return Ok(path);
        }
        let folder = TempDir::new_in(&self.folder)?;
        let made = folder.path().join(&name);
        make(folder.path(), &made)?;
        fs::rename(&made, &path)?;
        self.prune();
        Ok(path)
    }

    /// The contents kept under a name, which is one of a file.
    pub(crate) fn get(&self, name: &str) -> Option<Vec<u8>> {
        let mut file = File::open(self.folder.join(name)).ok()?;
        let _ = file.set_modified(SystemTime::now());
        let mut contents = Vec::new();
        file.read_to_end(&mut contents).ok()?;
        Some(contents)
    }

    /// Keeps contents under a name, in the place of what was there.
    ///
    /// # Errors
    ///
    /// The folder cannot be written.
    pub(crate) fn put(&self, name: &str, contents: &[u8]) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let mut file = NamedTempFile::new_in(&self.folder)?;
        file.write_all(contents)?;
        file.persist(self.folder.join(name))?;
        self.prune();
        Ok(())
    }

    /// Removes the least recently used files beyond the capacity. What cannot be read or
    /// removed is another process's to worry about.
    fn prune(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return;
        };
        let used = |entry: io::Result<fs::DirEntry>| {
            let entry = entry.ok()?;
            let data = entry.metadata().ok().filter(fs::Metadata::is_file)?;
            Some((data.modified().ok()?, entry.path()))
        };
        let mut files: Vec<_> = entries.filter_map(used).collect();
        if files.len() > CAPACITY {
            files.sort();
            for (_, path) in &files[..files.len() - CAPACITY] {
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// The folder that outlives this run, if there is one.
fn kept_folder() -> Option<PathBuf> {
    match env::var_os("PLD_CACHE_DIR") {
        Some(folder) if folder.is_empty() => None,
        Some(folder) => Some(PathBuf::from(folder)),
        None => dirs::cache_dir().map(|folder| folder.join("pld")),
    }
}

/// A name for what is made from `sources`: no two lists of texts share one.
fn key<'a>(sources: impl IntoIterator<Item = &'a str>) -> String {
    let mut hasher = Sha256::new();
    for source in sources {
        hasher.update((source.len() as u64).to_le_bytes());
        hasher.update(source);
    }
    let digest = hasher.finalize();
    digest[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(text: &'static str) -> impl FnOnce(&Path, &Path) -> io::Result<()> {
        move |_, path| fs::write(path, text)
    }

    fn never(_: &Path, _: &Path) -> io::Result<()> {
        panic!("made twice")
    }

    /// A file is made once, and another one for other sources, even where the joined texts
    /// are equal.
    #[test]
    fn by_sources() {
        let folder = TempDir::new().expect("temporary folder");
        let cache = Cache::at(folder.path()).expect("writable");
        let first = cache.file(["a", "bc"], write("1")).expect("made");
        let other = cache.file(["ab", "c"], write("2")).expect("made");
        assert_eq!(cache.file(["a", "bc"], never).expect("kept"), first);
        assert_eq!(fs::read_to_string(first).expect("kept"), "1");
        assert_eq!(fs::read_to_string(other).expect("kept"), "2");
    }

    /// What failed is not kept, and leaves nothing behind.
    #[test]
    fn failure() {
        let folder = TempDir::new().expect("temporary folder");
        let cache = Cache::at(folder.path()).expect("writable");
        let fail = |_: &Path, path: &Path| {
            fs::write(path, "half")?;
            Err(io::Error::other("no"))
        };
        assert!(cache.file(["a"], fail).is_err());
        assert_eq!(fs::read_dir(folder.path()).expect("there").count(), 0);
        cache.file(["a"], write("1")).expect("made");
    }

    /// The folder does not grow without bound, and keeps what is in use.
    #[test]
    fn bounded() {
        let folder = TempDir::new().expect("temporary folder");
        let cache = Cache::at(folder.path()).expect("writable");
        cache.file(["in use"], write("1")).expect("made");
        for number in 0..2 * CAPACITY {
            cache
                .file([number.to_string().as_str()], write("2"))
                .expect("made");
            cache.file(["in use"], never).expect("kept");
        }
        assert_eq!(
            fs::read_dir(folder.path()).expect("there").count(),
            CAPACITY
        );
    }

    /// Contents are found under their name, also new ones, and nothing else is.
    #[test]
    fn by_name() {
        let folder = TempDir::new().expect("temporary folder");
        let cache = Cache::at(&folder.path().join("objects")).expect("writable");
        assert_eq!(cache.get("a"), None);
        for contents in [b"1".as_slice(), b"22"] {
            cache.put("a", contents).expect("kept");
            assert_eq!(cache.get("a").as_deref(), Some(contents));
        }
        assert_eq!(cache.get("b"), None);
    }

    /// A place that cannot be written does not stop a run.
    #[test]
    fn not_writable() {
        assert!(Cache::at(Path::new("/dev/null/cache")).is_none());
    }
}
