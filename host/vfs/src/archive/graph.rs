//! Checks that a table of files is a filesystem: every directory has one place, every file has as many links as
//! names, and overlays show no file of a host twice, so that every walk of the tree ends.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::error::ArchiveError;
use crate::Quota;
use crate::inode::{Backing, Ino, Kind, MAX_LINKS, ROOT_INO};
use crate::mount::MountAccess;
use crate::quota::Ledger;
use crate::tree::Tree;

/// Returns the files that have a name, by number.
pub(super) fn reachable(tree: &Tree) -> Result<Vec<Ino>, ArchiveError> {
    let mut seen = HashSet::from([ROOT_INO]);
    let mut pending = vec![ROOT_INO];
    while let Some(ino) = pending.pop() {
        if let Kind::Directory(directory) = &tree.inode(ino)?.kind {
            let new = directory.entries.values().filter_map(|entry| entry.ino);
            pending.extend(new.filter(|ino| seen.insert(*ino)));
        }
    }
    let mut found: Vec<Ino> = seen.into_iter().collect();
    found.sort_unstable();
    Ok(found)
}

/// What the walk found about the tree.
#[derive(Default)]
struct Survey {
    /// Subdirectories of each directory.
    directories: HashMap<Ino, u64>,
    /// Names of everything else, and their filesystem.
    links: HashMap<Ino, (u64, u32)>,
    whiteouts: u64,
}

/// Gives every file its place, links and charge; rejects what is inconsistent.
pub(super) fn settle(tree: &mut Tree, base: &Tree, quota: Quota, copied: Vec<(Ino, Arc<str>)>) -> Result<(), ArchiveError> {
    let paths: HashMap<Ino, Arc<str>> = copied.into_iter().collect();
    let mut survey = Survey::default();
    survey.directories.insert(ROOT_INO, 0);
    let mut pending = vec![(ROOT_INO, ROOT_INO, 0)];
    while let Some((ino, parent, domain)) = pending.pop() {
        place(tree, base, &paths, (ino, parent, domain))?;
        let Kind::Directory(directory) = &tree.inode(ino)?.kind else { continue };
        let directory = directory.clone();
        let overlay = matches!(directory.backing, Backing::Overlay { .. });
        if !overlay && !directory.backing.is_held() && !directory.entries.is_empty() {
            return Err(ArchiveError::Malformed("names in a directory that is the host's"));
        }
        for entry in directory.entries.values() {
            if entry.covers && !overlay {
                return Err(ArchiveError::Malformed("a name over a host's where there is no host"));
            }
            let Some(child) = entry.ino else {
                survey.whiteouts += 1;
                if entry.covers { continue } else { return Err(ArchiveError::Malformed("a whiteout over nothing")) }
            };
            let is_directory = matches!(tree.inode(child)?.kind, Kind::Directory(_));
            let inside = domain_of(tree, base, child, domain)?;
            if is_directory {
                if survey.directories.insert(child, 0).is_some() {
                    return Err(ArchiveError::Malformed("a directory in two places"));
                }
                *survey.directories.entry(ino).or_default() += 1;
                pending.push((child, ino, inside));
            } else {
                let (names, place) = survey.links.entry(child).or_insert((0, inside));
                *names += 1;
                if *place != inside {
                    return Err(ArchiveError::Malformed("a link from one filesystem to another"));
                }
            }
        }
    }
    let named_once = |root: &Ino| survey.directories.contains_key(root) || survey.links.get(root).is_some_and(|(names, _)| *names == 1);
    if !tree.mounts.iter().all(|row| named_once(&row.root)) {
        return Err(ArchiveError::Malformed("a mount without a place"));
    }
    remove_unnamed(tree, base, &survey)?;
    for (ino, (_, domain)) in &survey.links {
        place(tree, base, &paths, (*ino, ROOT_INO, *domain))?;
    }
    count(tree, &survey, quota)?;
    check_overlays(tree)
}

/// Returns the filesystem of a file in a directory of the filesystem `domain`.
fn domain_of(tree: &Tree, base: &Tree, ino: Ino, domain: u32) -> Result<u32, ArchiveError> {
    let wrong = ArchiveError::Malformed("a file of the base is in another filesystem");
    let Some(below) = base.inodes.get(ino) else { return Ok(domain) };
    let is_mount = tree.mounts.iter().any(|row| row.root == ino);
    let right = if is_mount { domain == 0 } else { below.domain == domain };
    if right { Ok(below.domain) } else { Err(wrong) }
}

/// Sets what follows from a file's place. Values of the base that are already right stay shared with it.
fn place(tree: &mut Tree, base: &Tree, paths: &HashMap<Ino, Arc<str>>, at: (Ino, Ino, u32)) -> Result<(), ArchiveError> {
    let (ino, parent, domain) = at;
    let is_base = base.inodes.contains(ino);
    let moved = matches!(&tree.inode(ino)?.kind, Kind::Directory(directory) if directory.parent != parent);
    if is_base && !moved {
        return Ok(());
    }
    let path = paths.get(&ino);
    let mount = domain.checked_sub(1).filter(|_| path.is_some());
    if let Some(path) = path {
        let row = mount.and_then(|mount| tree.mounts.get(mount as usize));
        if row.is_none_or(|row| row.access != MountAccess::Overlay) {
            return Err(ArchiveError::Malformed("a copied file outside of overlays"));
        }
        let key = (domain - 1, path.clone());
        if tree.origins.get(&key).is_some_and(|other| *other != ino && tree.inodes.contains(*other)) {
            return Err(ArchiveError::Malformed("two copies of one file"));
        }
        tree.origins.insert_mut(key, ino);
    }
    let inode = tree.inode_mut(ino)?;
    if !is_base {
        inode.domain = domain;
    }
    if let Kind::Directory(directory) = &mut inode.kind {
        directory.parent = parent;
        if let (Some(mount), Some(path)) = (mount, path) {
            directory.backing = Backing::Overlay { mount, path: path.clone() };
        }
    }
    Ok(())
}

/// Removes files without a name that are the base's. Any other file without a name is an error.
fn remove_unnamed(tree: &mut Tree, base: &Tree, survey: &Survey) -> Result<(), ArchiveError> {
    let named = |ino: &Ino| survey.directories.contains_key(ino) || survey.links.contains_key(ino);
    let unnamed: Vec<Ino> = tree.inodes.numbers().filter(|ino| !named(ino)).collect();
    for ino in unnamed {
        if !base.inodes.contains(ino) {
            return Err(ArchiveError::Malformed("a file without a name"));
        }
        tree.inodes.remove(ino);
    }
    Ok(())
}

/// Sets the link counts and the quota's counts.
fn count(tree: &mut Tree, survey: &Survey, quota: Quota) -> Result<(), ArchiveError> {
    let (mut files, mut bytes) = (survey.whiteouts, 0_u64);
    let directories = survey.directories.iter().map(|(ino, inside)| (*ino, 2 + inside, 1));
    let others = survey.links.iter().map(|(ino, (names, _))| (*ino, *names, *names));
    for (ino, nlink, names) in directories.chain(others) {
        if names > MAX_LINKS {
            return Err(ArchiveError::Malformed("more links than a file can have"));
        }
        let inode = tree.inode(ino)?;
        files += names - u64::from(!inode.counted);
        bytes = bytes.saturating_add(inode.charge());
        if inode.nlink != nlink {
            tree.inode_mut(ino)?.nlink = nlink;
        }
    }
    let what = if files > quota.max_files { ("files", quota.max_files) } else { ("bytes", quota.max_bytes) };
    tree.ledger = Ledger::of(quota, bytes, files).map_err(|_| ArchiveError::Quota { what: what.0, limit: what.1 })?;
    Ok(())
}

/// Checks that a walk from a copied directory into its host does not come back to a copy: the name that leads to one must be
/// taken. Only the nearest copied directory above each copy is checked; the one above it is checked in its own turn.
fn check_overlays(tree: &Tree) -> Result<(), ArchiveError> {
    let mut copies: Vec<(u32, &str, Ino)> = tree
        .origins
        .iter()
        .filter(|(_, ino)| tree.inodes.contains(**ino))
        .map(|((mount, path), ino)| (*mount, path.as_ref(), *ino))
        .collect();
    // Component by component, so that the contents of a directory follow it.
    copies.sort_unstable_by(|one, other| one.0.cmp(&other.0).then_with(|| one.1.split('/').cmp(other.1.split('/'))));
    let mut above: Vec<(&str, Ino)> = Vec::new();
    let mut mount = None;
    for (number, path, ino) in copies {
        if mount != Some(number) {
            let row = tree.mounts.get(number as usize).ok_or(ArchiveError::Malformed("a mount that does not exist"))?;
            mount = Some(number);
            above = vec![("", row.root)];
        }
        let rest = loop {
            let (directory, _) = above.last().ok_or(ArchiveError::Malformed("a copied file outside of overlays"))?;
            match path.strip_prefix(directory) {
                Some(rest) if directory.is_empty() => break rest,
                Some(rest) if rest.starts_with('/') => break &rest[1..],
                _ => above.pop(),
            };
        };
        let name = rest.split('/').next().unwrap_or_default();
        let taken = above.last().is_some_and(|(_, directory)| tree.entry(*directory, name).is_ok_and(|entry| entry.is_some()));
        if !taken {
            return Err(ArchiveError::Malformed("a host's directory that leads to its copy"));
        }
        if tree.directory(ino).is_ok() {
            above.push((path, ino));
        }
    }
    Ok(())
}
