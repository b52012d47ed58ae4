//! Compiled programs, kept by content: a program that was compiled before starts in about a
//! millisecond.
//!
//! What is kept follows from the module with its places, the options, this build of the
//! compiler and the CPU. An entry that is damaged, or of another format, is as good as none.

use super::{CompileOptions, Cpu};
use crate::cache::Cache;
use melior::ir::operation::OperationRef;
use pld_dialects::{bridge, jit};
use pld_runtime::Site;
use sha2::{Digest, Sha256};
use std::sync::OnceLock;

/// Compiled code and the table that its runtime calls index.
#[derive(Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) objects: Vec<Vec<u8>>,
    pub(super) sites: Vec<Site>,
}

/// The place of one program in the cache.
#[derive(Debug)]
pub(super) struct Place {
    cache: Cache,
    key: String,
}

/// Names the format.
const MAGIC: &[u8] = b"pld-object-2\n";

impl Place {
    /// Of a module that is not lowered yet; `None` where nothing can be kept.
    pub(super) fn of(module: OperationRef, options: &CompileOptions) -> Option<Self> {
        let cache = Cache::of_kind("objects")?;
        let mut hasher = Sha256::new();
        for part in [
            build()?.as_bytes(),
            target(options.cpu).as_bytes(),
            format!("{options:?}").as_bytes(),
            &bridge::write_bytecode(module),
        ] {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        let digest = hasher.finalize();
        let key = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        Some(Self { cache, key })
    }

    pub(super) fn get(&self) -> Option<Entry> {
        Entry::decode(&self.cache.get(&self.key)?)
    }

    /// Keeps an entry; that it cannot be is no fault of the program.
    pub(super) fn put(&self, entry: &Entry) {
        let _ = self.cache.put(&self.key, &entry.encode());
    }
}

/// LLVM's version and the CPU, which is asked for once: it takes its time.
fn target(cpu: Cpu) -> &'static str {
    static TARGETS: [OnceLock<String>; 2] = [OnceLock::new(), OnceLock::new()];
    TARGETS[cpu as usize].get_or_init(|| jit::target(cpu.name()))
}

/// What tells this build from any other: the file that this code is in.
fn build() -> Option<&'static str> {
    static BUILD: OnceLock<Option<String>> = OnceLock::new();
    let build = BUILD.get_or_init(|| {
        let file = std::fs::metadata(jit::own_file()?).ok()?;
        let modified = file.modified().ok()?;
        let version = env!("CARGO_PKG_VERSION");
        Some(format!("{version} {} {modified:?}", file.len()))
    });
    build.as_deref()
}

impl Entry {
    fn encode(&self) -> Vec<u8> {
        let mut content = Vec::new();
        content.extend((self.objects.len() as u64).to_le_bytes());
        for object in &self.objects {
            write(&mut content, object);
        }
        for site in &self.sites {
            write(&mut content, site.op.as_bytes());
            write(&mut content, site.file.as_bytes());
            content.extend(site.line.to_le_bytes());
            content.extend(site.column.to_le_bytes());
        }
        [MAGIC, &Sha256::digest(&content), &content].concat()
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let (digest, mut rest) = rest.split_at_checked(size_of::<[u8; 32]>())?;
        if Sha256::digest(rest)[..] != *digest {
            return None;
        }
        let count = number(&mut rest)?;
        let objects = (0..count).map(|_| read(&mut rest).map(<[u8]>::to_vec));
        let objects = objects.collect::<Option<_>>()?;
        let mut sites = Vec::new();
        while !rest.is_empty() {
            let mut text = || String::from_utf8(read(&mut rest)?.to_vec()).ok();
            let (op, file) = (text()?, text()?);
            let mut number = || {
                let (number, more) = rest.split_first_chunk()?;
                rest = more;
                Some(u32::from_le_bytes(*number))
            };
            let (line, column) = (number()?, number()?);
            sites.push(Site {
                op,
                file,
                line,
                column,
            });
        }
        Some(Self { objects, sites })
    }
}

fn write(to: &mut Vec<u8>, bytes: &[u8]) {
    to.extend((bytes.len() as u64).to_le_bytes());
    to.extend(bytes);
}

fn number(from: &mut &[u8]) -> Option<u64> {
    let (number, rest) = from.split_first_chunk()?;
    *from = rest;
    Some(u64::from_le_bytes(*number))
}

fn read<'a>(from: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(number(from)?).ok()?;
    let (bytes, rest) = from.split_at_checked(length)?;
    *from = rest;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Entry {
        let site = |line| Site {
            op: "pl.load".into(),
            file: "a b\n.mlir".into(),
            line,
            column: 7,
        };
        Entry {
            objects: vec![(0..=255).collect(), vec![], vec![1, 2]],
            sites: vec![site(1), site(2)],
        }
    }

    /// What is written is read; also code without any site.
    #[test]
    fn round_trip() {
        let sites = vec![];
        for entry in [entry(), Entry { sites, ..entry() }] {
            assert_eq!(Entry::decode(&entry.encode()), Some(entry));
        }
    }

    /// An entry that lost its end, has any bit changed, or is no entry, is as good as none.
    #[test]
    fn damage_is_seen() {
        let good = entry().encode();
        for length in 0..good.len() {
            assert_eq!(Entry::decode(&good[..length]), None);
        }
        for index in 0..good.len() {
            let mut bad = good.clone();
            bad[index] ^= 1 << (index % 8);
            assert_eq!(Entry::decode(&bad), None);
        }
    }
}
