//! `fs/walk`: what is below a directory, level by level.

use std::collections::{BTreeSet, VecDeque};

use wisp::fs::{FileEntry, FileType, Files};

use crate::error::RpcError;
use crate::files::{MORE, PAGE};
use crate::outbox::{Outbox, Reply};
use crate::protocol::{WalkEntry, WalkError, WalkKind, WalkOptions, Walked, WalkedResult};
use crate::uri::FileUri;

/// Maximum depth, directories and entries, as in Codex.
const DEPTH: u64 = 64;
const DIRECTORIES: u64 = 10_000;
const ENTRIES: u64 = 50_000;

/// Maximum bytes of the answer's texts, and what each costs besides.
const BYTES: usize = 4 << 20;
const ITEM: usize = 64;

/// Handles `fs/walk`.
pub(crate) async fn walk(files: &Files, asked: &Walked, outbox: &Outbox) -> Result<Reply, RpcError> {
    let options = asked.options;
    if options.max_directories == 0 || options.max_entries == 0 {
        return Err(RpcError::invalid_request("filesystem walk limits must be greater than zero"));
    }
    if options.max_depth > DEPTH || options.max_directories > DIRECTORIES || options.max_entries > ENTRIES {
        return Err(RpcError::invalid_request(format!(
            "filesystem walk limits exceed maximums: depth={DEPTH}, directories={DIRECTORIES}, entries={ENTRIES}"
        )));
    }
    let top = asked.path.path();
    let held = outbox.reserve(BYTES as u64).await;
    let link = files.stat_link(top).await?.kind == FileType::Symlink;
    let mut walk = Walk { files, options, result: WalkedResult::default(), bytes: 0, looked_at: 0, seen: BTreeSet::new(), full: false };
    if files.stat(top).await?.kind == FileType::Directory && (!link || options.follow_directory_symlinks) {
        walk.all(top).await?;
    }
    Ok(Reply::of(&walk.result)?.holding(held))
}

struct Walk<'f> {
    files: &'f Files,
    options: WalkOptions,
    result: WalkedResult,
    /// Of the answer so far.
    bytes: usize,
    looked_at: u64,
    /// The directories that were entered, so that links in a circle end.
    seen: BTreeSet<String>,
    /// Whether the answer takes no more.
    full: bool,
}

impl Walk<'_> {
    async fn all(&mut self, top: &str) -> Result<(), RpcError> {
        self.seen.insert(self.files.canonical(top).await?);
        let mut directories = 1;
        let mut queue = VecDeque::from([(top.to_owned(), 0)]);
        while let Some((directory, depth)) = queue.pop_front() {
            let mut after = String::new();
            loop {
                let page = match self.files.list_after(&directory, &after, if after.is_empty() { PAGE } else { MORE }).await {
                    Ok(page) => page,
                    Err(error) => {
                        self.error(directory, error.to_string());
                        break;
                    }
                };
                for found in &page.entries {
                    found.name().clone_into(&mut after);
                    if self.looked_at == self.options.max_entries {
                        self.full = true;
                    }
                    self.looked_at += 1;
                    let entered = !self.full && self.look(found, depth).await;
                    if self.full {
                        self.result.truncated = true;
                        return Ok(());
                    }
                    if !entered {
                        continue;
                    }
                    if directories == self.options.max_directories {
                        self.result.truncated = true;
                    } else {
                        directories += 1;
                        queue.push_back((found.path.clone(), depth + 1));
                    }
                }
                if !page.truncated {
                    break;
                }
            }
            if self.full {
                self.result.truncated = true;
                return Ok(());
            }
        }
        Ok(())
    }

    /// Adds a name. Returns whether it is a directory that is entered.
    async fn look(&mut self, found: &FileEntry, depth: u64) -> bool {
        let link = found.stat.kind == FileType::Symlink;
        let kind = if link {
            match self.files.stat(&found.path).await {
                Ok(target) => target.kind,
                Err(error) => {
                    self.error(found.path.clone(), error.to_string());
                    return false;
                }
            }
        } else {
            found.stat.kind
        };
        let kind = match kind {
            FileType::Directory if !link || self.options.follow_directory_symlinks => WalkKind::Directory,
            FileType::Regular if !link => WalkKind::File,
            _ => return false,
        };
        if !self.room(found.path.len()) {
            return false;
        }
        self.result.entries.push(WalkEntry { path: FileUri::of(found.path.as_str()), kind });
        let pruned = self.options.prune_hidden_directories && found.name().starts_with('.');
        if kind == WalkKind::File || depth >= self.options.max_depth || pruned {
            return false;
        }
        match self.files.canonical(&found.path).await {
            Ok(real) => self.seen.insert(real),
            Err(error) => {
                self.error(found.path.clone(), error.to_string());
                false
            }
        }
    }

    fn error(&mut self, path: String, message: String) {
        if self.room(path.len() + message.len()) {
            self.result.errors.push(WalkError { path: FileUri::of(path), message });
        }
    }

    /// Takes room for a text of the answer. If there is none, the answer is full.
    fn room(&mut self, bytes: usize) -> bool {
        self.bytes += bytes + ITEM;
        self.full |= self.bytes > BYTES;
        !self.full
    }
}
