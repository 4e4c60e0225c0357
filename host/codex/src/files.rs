//! `fs/…`: the files of the sandbox.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use wisp::fs::{FileType, Files, Stat, WalkOptions, WriteOptions};

use crate::bounds::FILE;
use crate::error::RpcError;
use crate::outbox::{Outbox, Reply};
use crate::protocol::{Base64, Canonical, Copied, DataResult, DirectoryMade, Done, Entries, Entry, Metadata, PathAsked, Removed, Written};
use crate::uri::FileUri;

/// Names of a directory that are read at first, and at a time after that: the host's are sorted again each time.
pub(crate) const PAGE: usize = 1_000;
pub(crate) const MORE: usize = 10_000;

/// Maximum names of one answer, maximum bytes of them as they are sent, and what each costs besides.
const ENTRIES: usize = 100_000;
const LISTED: usize = 16 << 20;
const ENTRY: usize = 64;

/// Maximum files that are copied into a directory that is there.
const COPIED: usize = 50_000;

/// Handles `fs/readFile`.
pub(crate) async fn read_file(files: &Files, asked: &PathAsked, outbox: &Outbox) -> Result<Reply, RpcError> {
    check_links(files, &asked.path, asked.follow_symlinks).await?;
    let size = files.stat(asked.path.path()).await?.size;
    if size > FILE {
        return Err(RpcError::invalid_request(format!(
            "the file has {size} bytes, and a whole one at most {FILE}: read it block by block"
        )));
    }
    let held = outbox.reserve(size).await;
    let bytes = files.read_at_most(asked.path.path(), FILE).await?;
    Ok(Reply::of(&DataResult { data_base64: Base64(bytes) })?.holding(held))
}

/// Handles `fs/writeFile`.
pub(crate) async fn write_file(files: &Files, asked: Written) -> Result<Reply, RpcError> {
    check_links(files, &asked.path, asked.follow_symlinks).await?;
    let bytes = STANDARD.decode(asked.data_base64);
    let bytes = bytes.map_err(|error| RpcError::invalid_request(format!("fs/writeFile requires valid base64 dataBase64: {error}")))?;
    files.write_with(asked.path.path(), bytes, WriteOptions::new().parents(false)).await?;
    Reply::of(&Done {})
}

/// Handles `fs/createDirectory`.
pub(crate) async fn create_directory(files: &Files, asked: &DirectoryMade) -> Result<Reply, RpcError> {
    check_links(files, &asked.path, asked.follow_symlinks).await?;
    match asked.recursive.unwrap_or(true) {
        true => files.mkdir_all(asked.path.path()).await?,
        false => files.mkdir(asked.path.path()).await?,
    }
    Reply::of(&Done {})
}

/// Handles `fs/getMetadata`.
pub(crate) async fn metadata(files: &Files, asked: &PathAsked) -> Result<Reply, RpcError> {
    check_links(files, &asked.path, asked.follow_symlinks).await?;
    let path = asked.path.path();
    let link = files.stat_link(path).await?.kind == FileType::Symlink;
    Reply::of(&facts(&files.stat(path).await?, link))
}

fn facts(stat: &Stat, is_symlink: bool) -> Metadata {
    Metadata {
        is_directory: stat.kind == FileType::Directory,
        is_file: stat.kind == FileType::Regular,
        is_symlink,
        size: stat.size,
        created_at_ms: 0,
        modified_at_ms: i64::try_from(stat.mtime / 1_000_000).unwrap_or(i64::MAX),
    }
}

/// Handles `fs/canonicalize`.
pub(crate) async fn canonicalize(files: &Files, asked: &PathAsked) -> Result<Reply, RpcError> {
    Reply::of(&Canonical { path: FileUri::of(files.canonical(asked.path.path()).await?) })
}

/// Handles `fs/readDirectory`.
pub(crate) async fn read_directory(files: &Files, asked: &PathAsked, outbox: &Outbox) -> Result<Reply, RpcError> {
    let (mut entries, mut after, mut bytes, mut held) = (Vec::new(), String::new(), 0, None);
    loop {
        let page = files.list_after(asked.path.path(), &after, if held.is_none() { PAGE } else { MORE }).await?;
        for found in &page.entries {
            found.name().clone_into(&mut after);
            let kind = if found.stat.kind == FileType::Symlink {
                // One that leads nowhere is left out, as Codex does.
                let Ok(target) = files.stat(&found.path).await else { continue };
                target.kind
            } else {
                found.stat.kind
            };
            let (is_directory, is_file) = (kind == FileType::Directory, kind == FileType::Regular);
            bytes += ENTRY + sent(&after);
            entries.push(Entry { file_name: after.clone(), is_directory, is_file });
        }
        if !page.truncated {
            return Ok(Reply::of(&Entries { entries })?.holding(held));
        }
        if entries.len() >= ENTRIES || bytes > LISTED {
            return Err(RpcError::invalid_request(format!("the directory has more than {ENTRIES} names, or {LISTED} bytes of them")));
        }
        if held.is_none() {
            held = outbox.reserve(LISTED as u64).await;
        }
    }
}

/// Returns the bytes of a text as JSON.
fn sent(text: &str) -> usize {
    let byte = |byte| match byte {
        b'"' | b'\\' => 2_usize,
        0..b' ' => 6,
        _ => 1,
    };
    text.bytes().map(byte).sum()
}

/// Handles `fs/remove`.
pub(crate) async fn remove(files: &Files, asked: &Removed) -> Result<Reply, RpcError> {
    check_links(files, &asked.path, asked.follow_symlinks).await?;
    let path = asked.path.path();
    let directory = match files.stat_link(path).await {
        Err(error) if error.is_not_found() && asked.force.unwrap_or(true) => return Reply::of(&Done {}),
        stat => stat?.kind == FileType::Directory,
    };
    match directory && asked.recursive.unwrap_or(true) {
        true => files.remove_tree(path).await?,
        false => files.remove(path).await?,
    }
    Reply::of(&Done {})
}

/// Handles `fs/copy`.
pub(crate) async fn copy(files: &Files, asked: &Copied) -> Result<Reply, RpcError> {
    let (from, to) = (asked.source_path.path(), asked.destination_path.path());
    if files.stat_link(from).await?.kind != FileType::Directory {
        files.copy(from, to).await?;
        return Reply::of(&Done {});
    }
    if !asked.recursive {
        return Err(RpcError::invalid_request("fs/copy requires recursive: true when sourcePath is a directory"));
    }
    let (from, to) = (files.canonical(from).await?, resolved(files, to).await?);
    let top = from.trim_end_matches('/');
    if to.strip_prefix(top).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
        return Err(RpcError::invalid_request("fs/copy cannot copy a directory to itself or one of its descendants"));
    }
    files.mkdir_all(&to).await?;
    // What is there stays: Codex copies into a directory, and wisp's own copy makes one.
    let found = files.walk(&from, WalkOptions::new().entries(COPIED)).await?;
    if found.truncated {
        return Err(RpcError::invalid_request(format!("the directory has more than {COPIED} files")));
    }
    if let Some(unreadable) = found.unreadable.first() {
        return Err(RpcError::internal(format!("cannot list `{}`", wisp_api::shown(unreadable))));
    }
    for entry in &found.entries {
        let Some(rest) = entry.path.strip_prefix(top) else { continue };
        let target = format!("{}{rest}", to.trim_end_matches('/'));
        match entry.stat.kind {
            FileType::Directory => files.mkdir_all(&target).await?,
            FileType::Regular | FileType::Symlink => files.copy(&entry.path, &target).await?,
            // As Codex does.
            _ => {}
        }
    }
    Reply::of(&Done {})
}

/// Returns the path without links of a file that need not exist: without those of the directories above it that do.
async fn resolved(files: &Files, path: &str) -> Result<String, RpcError> {
    let mut there = path.len();
    loop {
        match files.canonical(if there == 0 { "/" } else { &path[..there] }).await {
            Ok(real) => return Ok(format!("{}{}", real.trim_end_matches('/'), &path[there..])),
            Err(error) if !error.is_not_found() || there == 0 => return Err(error.into()),
            Err(_) => there = path[..there].rfind('/').unwrap_or(0),
        }
    }
}

/// Refuses a path with a symbolic link in it, if the client does not want it followed. A guest may make one at any time; where it leads
/// is then decided as for every path of the sandbox.
async fn check_links(files: &Files, path: &FileUri, follow: Option<bool>) -> Result<(), RpcError> {
    if follow.unwrap_or(true) {
        return Ok(());
    }
    let path = path.path();
    let ends = path.match_indices('/').map(|(at, _)| at).skip(1).chain([path.len()]);
    for end in ends {
        // What is missing is not a link.
        if files.stat_link(&path[..end]).await.is_ok_and(|stat| stat.kind == FileType::Symlink) {
            return Err(RpcError::invalid_request(format!("path contains a symbolic link: {}", wisp_api::shown(&path[..end]))));
        }
    }
    Ok(())
}
