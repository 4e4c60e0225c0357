//! Layers: a tree of files as one block of bytes, with an index in front. A filesystem takes a layer in constant time
//! per file that a program touches, not per file that the layer holds: the block is mapped from a file, and an inode
//! is made from the index when it is first needed.
//!
//! Layout (all numbers are little-endian): magic; the number of files (4); the length of the names (4); one record for
//! each file; the names; the contents and the targets of links. A record: where the name begins (4) and its length (2);
//! type (1); 0 (1); mode (4); the number of its directory (4); two numbers of 8 bytes. They are, for a directory, its
//! first file and how many it has; for a file or a link, where its bytes begin in the block and how many there are.
//! File 0 is the root. The files of a directory follow each other in the order of their names, and directories have
//! their files in the order of their own numbers.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use bytes::Bytes;

use super::FsError;
use super::path;
use super::stat::MODE_BITS;

const MAGIC: &[u8; 8] = b"wispfs L";
const HEAD: usize = 16;
const RECORD: usize = 32;

/// Types of files.
const DIRECTORY: u8 = 0;
const FILE: u8 = 1;
const SYMLINK: u8 = 2;

/// A layer: directories, files and symbolic links that a filesystem begins with, and that all filesystems share.
#[derive(Debug, Clone)]
pub struct Layer {
    bytes: Bytes,
    count: u32,
    /// Where the names are in the block.
    names: Range<usize>,
}

/// Why a block of bytes is not a layer.
#[derive(Debug, thiserror::Error)]
#[error("the layer of files is damaged: {0}")]
pub struct LayerError(&'static str);

/// One file of a layer.
#[derive(Debug)]
pub(super) struct Record<'layer> {
    pub(super) name: &'layer str,
    pub(super) mode: u32,
    /// The directory that it is in; the root is in itself.
    pub(super) parent: u32,
    pub(super) body: Body<'layer>,
}

#[derive(Debug)]
pub(super) enum Body<'layer> {
    /// The numbers of its files.
    Directory(Range<u32>),
    File(Bytes),
    Symlink(&'layer str),
}

/// The fields of a record as they are stored.
struct Fields {
    name: Range<usize>,
    kind: u8,
    mode: u32,
    parent: u32,
    first: u64,
    count: u64,
}

impl Layer {
    /// Opens the layer in this block, which [`LayerBuilder::finish`] made. Checks the whole index, so that nothing fails later;
    /// does not read the contents.
    ///
    /// # Errors
    /// When the block is not a layer.
    pub fn open(bytes: Bytes) -> Result<Self, LayerError> {
        let damaged = LayerError;
        let head = bytes.first_chunk::<HEAD>().filter(|head| head.starts_with(MAGIC)).ok_or(damaged("it has no head"))?;
        let [.., a, b, c, d, e, f, g, h] = *head;
        let (count, names) = (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]));
        let start = (count as usize).checked_mul(RECORD).and_then(|records| records.checked_add(HEAD));
        let names = start.and_then(|start| Some(start..start.checked_add(names as usize)?));
        let names = names.filter(|names| names.end <= bytes.len()).ok_or(damaged("its index is cut off"))?;
        let layer = Self { bytes, count, names };
        layer.check()?;
        Ok(layer)
    }

    fn check(&self) -> Result<(), LayerError> {
        let damaged = LayerError;
        let names = std::str::from_utf8(&self.bytes[self.names.clone()]).map_err(|_| damaged("its names are not UTF-8"))?;
        if self.count == 0 || self.fields(0).kind != DIRECTORY {
            return Err(damaged("it has no root"));
        }
        // The number that the next file in a directory has.
        let mut next = 1_u64;
        for number in 0..self.count {
            let fields = self.fields(number);
            let name = names.get(fields.name).ok_or(damaged("a name is cut off"))?;
            let odd = name.is_empty()
                || path::is_too_long(name)
                || name.contains(['/', '\0'])
                || matches!(name, "." | "..")
                || !wisp_spelling::is_spelling(name);
            if fields.mode > MODE_BITS || odd != (number == 0) {
                return Err(damaged("a file has a name or a mode that no file can have"));
            }
            let end = fields.first.checked_add(fields.count).ok_or(damaged("a number is out of range"))?;
            if fields.kind == DIRECTORY {
                if fields.first != next || end > u64::from(self.count) {
                    return Err(damaged("the files of a directory are somewhere else"));
                }
                next = end;
                // All below `count`.
                self.check_directory(names, number, fields.first as u32..end as u32)?;
                continue;
            }
            let range = usize::try_from(fields.first).ok().zip(usize::try_from(end).ok()).map(|(start, end)| start..end);
            let bytes = range.and_then(|range| self.bytes.get(range)).ok_or(damaged("a file is cut off"))?;
            match fields.kind {
                FILE => {}
                SYMLINK if std::str::from_utf8(bytes).is_ok_and(|target| path::check(target).is_ok()) => {}
                _ => return Err(damaged("a file is of unknown type or a link has no target")),
            }
        }
        if next == u64::from(self.count) { Ok(()) } else { Err(damaged("a file is in no directory")) }
    }

    fn check_directory(&self, names: &str, directory: u32, files: Range<u32>) -> Result<(), LayerError> {
        let mut last = "";
        for number in files {
            let fields = self.fields(number);
            let name = names.get(fields.name).unwrap_or_default();
            if fields.parent != directory || number <= directory || name <= last {
                return Err(LayerError("the files of a directory are not in order"));
            }
            last = name;
        }
        Ok(())
    }

    /// Returns the number of its files, the root included.
    pub(super) fn len(&self) -> u32 {
        self.count
    }

    /// Returns the file with this number, which is below [`Layer::len`].
    pub(super) fn record(&self, number: u32) -> Record<'_> {
        let fields = self.fields(number);
        let text = |range: Range<usize>| std::str::from_utf8(&self.bytes[range]).unwrap_or_default();
        // `open` has checked every range and text.
        let range = || fields.first as usize..(fields.first + fields.count) as usize;
        let body = match fields.kind {
            DIRECTORY => Body::Directory(fields.first as u32..(fields.first + fields.count) as u32),
            FILE => Body::File(self.bytes.slice(range())),
            _ => Body::Symlink(text(range())),
        };
        let name = text(self.names.start + fields.name.start..self.names.start + fields.name.end);
        Record { name, mode: fields.mode, parent: fields.parent, body }
    }

    fn fields(&self, number: u32) -> Fields {
        let at = HEAD + number as usize * RECORD;
        let record = &self.bytes[at..at + RECORD];
        // Never more than eight bytes.
        let value = |at: usize, len: usize| record[at..at + len].iter().rev().fold(0_u64, |value, byte| value << 8 | u64::from(*byte));
        let start = value(0, 4) as usize;
        Fields {
            name: start..start + value(4, 2) as usize,
            kind: record[6],
            mode: value(8, 4) as u32,
            parent: value(12, 4) as u32,
            first: value(16, 8),
            count: value(24, 8),
        }
    }
}

/// Collects the files of a layer.
#[derive(Debug)]
pub struct LayerBuilder(Item);

/// The files of a directory, by name.
type Files = BTreeMap<String, Item>;

#[derive(Debug)]
enum Item {
    Directory { mode: u32, files: Files },
    File { mode: u32, data: Bytes },
    Symlink(String),
}

impl Item {
    fn directory(mode: u32) -> Self {
        Self::Directory { mode, files: BTreeMap::new() }
    }
}

impl Default for LayerBuilder {
    fn default() -> Self {
        Self(Item::directory(0o755))
    }
}

impl LayerBuilder {
    /// Adds a directory at the absolute `path`, with its parents, or gives the one that is there this mode.
    ///
    /// # Errors
    /// `NotDirectory` if something else is there or above; the errors of paths.
    pub fn directory(&mut self, path: &str, mode: u32) -> Result<(), FsError> {
        let mode = mode & MODE_BITS;
        let Some((files, name)) = self.place(path)? else {
            self.0 = match std::mem::replace(&mut self.0, Item::directory(mode)) {
                Item::Directory { files, .. } => Item::Directory { mode, files },
                other => other,
            };
            return Ok(());
        };
        match files.entry(name.to_owned()).or_insert_with(|| Item::directory(mode)) {
            Item::Directory { mode: old, .. } => *old = mode,
            _ => return Err(FsError::NotDirectory),
        }
        Ok(())
    }

    /// Adds a file, with its parents. It replaces a file or link that is there.
    ///
    /// # Errors
    /// `IsDirectory` if a directory is there, `NotDirectory` if something else is above; the errors of paths.
    pub fn file(&mut self, path: &str, data: Bytes, mode: u32) -> Result<(), FsError> {
        self.put(path, Item::File { mode: mode & MODE_BITS, data })
    }

    /// Adds a symbolic link, as [`LayerBuilder::file`] adds a file.
    ///
    /// # Errors
    /// Those of [`LayerBuilder::file`], and those of the target as a path.
    pub fn symlink(&mut self, path: &str, target: &str) -> Result<(), FsError> {
        path::check(target)?;
        self.put(path, Item::Symlink(target.to_owned()))
    }

    fn put(&mut self, path: &str, item: Item) -> Result<(), FsError> {
        let (files, name) = self.place(path)?.ok_or(FsError::IsDirectory)?;
        match files.get_mut(name) {
            Some(Item::Directory { .. }) => return Err(FsError::IsDirectory),
            Some(other) => *other = item,
            None => drop(files.insert(name.to_owned(), item)),
        }
        Ok(())
    }

    /// Returns the directory of `path`, made if it is missing, and the last name; nothing for the root.
    fn place<'p>(&mut self, path: &'p str) -> Result<Option<(&mut Files, &'p str)>, FsError> {
        let names = path::names(path)?;
        let Some((last, parents)) = names.split_last() else { return Ok(None) };
        let mut at = &mut self.0;
        for name in parents {
            let Item::Directory { files, .. } = at else { return Err(FsError::NotDirectory) };
            at = files.entry((*name).to_owned()).or_insert_with(|| Item::directory(0o755));
        }
        match at {
            Item::Directory { files, .. } => Ok(Some((files, last))),
            _ => Err(FsError::NotDirectory),
        }
    }

    /// Returns the layer as a block of bytes. Equal files give equal bytes.
    ///
    /// # Errors
    /// `FileTooLarge` if there are more than 2³² files or bytes of names.
    pub fn finish(self) -> Result<Vec<u8>, FsError> {
        let too_large = |_| FsError::FileTooLarge;
        // In the order of their numbers: name, directory, file. A directory's first file gets the number `next`.
        let mut pending = VecDeque::from([(String::new(), 0_u32, &self.0)]);
        let (mut next, mut number) = (1_u64, 0_u32);
        let (mut records, mut names, mut contents) = (Vec::new(), String::new(), Vec::new());
        while let Some((name, parent, item)) = pending.pop_front() {
            let (kind, mode, first, count) = match item {
                Item::Directory { mode, files } => {
                    let first = next;
                    next += files.len() as u64;
                    pending.extend(files.iter().map(|(name, item)| (name.clone(), number, item)));
                    (DIRECTORY, *mode, first, files.len())
                }
                Item::File { mode, data } => {
                    contents.push(&data[..]);
                    (FILE, *mode, 0, data.len())
                }
                Item::Symlink(target) => {
                    contents.push(target.as_bytes());
                    (SYMLINK, 0o777, 0, target.len())
                }
            };
            let place = u32::try_from(names.len()).map_err(too_large)?;
            names.push_str(&name);
            // The spelling of a name has at most 765 bytes.
            records.push((place, name.len() as u16, kind, mode, parent, first, count as u64));
            number = number.checked_add(1).ok_or(FsError::FileTooLarge)?;
        }
        let length = u32::try_from(names.len()).map_err(too_large)?;
        let mut at = (HEAD + records.len() * RECORD + names.len()) as u64;
        let mut block = Vec::with_capacity(at as usize + contents.iter().map(|bytes| bytes.len()).sum::<usize>());
        block.extend_from_slice(MAGIC);
        block.extend_from_slice(&number.to_le_bytes());
        block.extend_from_slice(&length.to_le_bytes());
        for (place, length, kind, mode, parent, first, count) in records {
            let first = if kind == DIRECTORY { first } else { at };
            at += if kind == DIRECTORY { 0 } else { count };
            block.extend_from_slice(&place.to_le_bytes());
            block.extend_from_slice(&length.to_le_bytes());
            block.extend_from_slice(&[kind, 0]);
            block.extend_from_slice(&mode.to_le_bytes());
            block.extend_from_slice(&parent.to_le_bytes());
            block.extend_from_slice(&first.to_le_bytes());
            block.extend_from_slice(&count.to_le_bytes());
        }
        block.extend_from_slice(names.as_bytes());
        contents.iter().for_each(|bytes| block.extend_from_slice(bytes));
        Ok(block)
    }
}
