//! `wisp session diff`: what a session changed.

use std::io::Write;

use anyhow::anyhow;
use wisp::fs::{DiffForm, Difference, DifferenceKind, Differences, FileDiff, FileDifference, HOME, Version};
use wisp::policy::{Access, Policy};

use super::started::{Found, Started};
use crate::filter::{Filter, Level};
use crate::messages::harmless;
use crate::outputs::Standard;
use crate::{Failure, args, json, print};

/// Maximum files of one answer. A session has 100,000 by default; those of a host's folder that it removed are on top.
pub(super) const MOST: usize = 1_000_000;

/// Maximum columns of a name in `--stat`, beyond which the columns do not meet.
const COLUMNS: usize = 60;

/// Prints what the session changed.
pub(super) fn diff(asked: &args::SessionDiff, confined: bool) -> Result<u8, Failure> {
    let found = Found::new(&asked.name)?;
    let path = asked.path.as_deref().unwrap_or("/");
    refuse_mount(found.policy(), path)?;
    let started = found.start(confined)?;
    let changes = started.runtime.block_on(started.session.changes(path, MOST)).map_err(Failure::library)?;
    if changes.truncated {
        return Err(Failure::usage(anyhow!("the session changed more than {MOST} files; name a PATH to see a part of them")));
    }
    if asked.json {
        list(&started, &changes)?;
    } else if asked.stat {
        stat(&started, &changes)?;
    } else {
        text(&started, &changes)?;
    }
    Ok(0)
}

/// Refuses a path in a mount that is no overlay: the session has no changes of its own there.
fn refuse_mount(policy: &Policy, path: &str) -> Result<(), Failure> {
    let path = if path.starts_with('/') { path.to_owned() } else { format!("{HOME}/{path}") };
    let within = |guest: &str| path.strip_prefix(guest).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let mount = policy.filesystem().mounts.iter().find(|mount| mount.access != Access::Overlay && within(&mount.guest));
    mount.map_or(Ok(()), |mount| {
        Err(Failure::usage(anyhow!(
            "`{}` is not compared: the mount `{}` ({}) is not an overlay, so what is in it is the host's; `access = \"overlay\"` keeps \
             changes in the session",
            harmless(&path),
            mount.guest,
            mount.rule
        )))
    })
}

/// Prints the unified diff.
fn text(started: &Started, changes: &Differences) -> Result<(), Failure> {
    let (mut out, terminal) = (Standard::Output.writer(), Standard::Output.is_terminal());
    for (at, difference) in changes.entries.iter().enumerate() {
        if is_told_by_next(difference, changes.entries.get(at + 1)) {
            continue;
        }
        let diff = section(started, changes, difference)?;
        let mut passed = Vec::new();
        let bytes = if terminal {
            // A guest wrote the lines.
            Filter::new(Level::Text).push(&diff.text, &mut passed);
            &passed[..]
        } else {
            &diff.text[..]
        };
        if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
            // It is said in the end.
            return Ok(());
        }
    }
    Ok(())
}

/// Returns whether a directory comes or goes with a file in it, which a diff shows.
fn is_told_by_next(difference: &Difference, next: Option<&Difference>) -> bool {
    let directory = match (&difference.before, &difference.after) {
        (None, Some(version)) | (Some(version), None) => version.is_dir(),
        _ => false,
    };
    let below = |next: &Difference| next.path.strip_prefix(&difference.path).is_some_and(|rest| rest.starts_with('/'));
    directory && next.is_some_and(below)
}

fn section(started: &Started, changes: &Differences, difference: &Difference) -> Result<FileDiff, Failure> {
    let top = changes.top.as_str();
    let is_dir = [&difference.before, &difference.after].into_iter().flatten().any(Version::is_dir);
    // Of a single file, the name is left.
    let base = if difference.path == top && !is_dir { top.rsplit_once('/').map_or("/", |(base, _)| base) } else { top };
    let base = if base.is_empty() { "/" } else { base };
    started.runtime.block_on(started.session.files().diff(difference, base)).map_err(Failure::library)
}

/// Prints a line for each file.
fn stat(started: &Started, changes: &Differences) -> Result<(), Failure> {
    let names: Vec<String> = changes.entries.iter().map(|difference| harmless(&difference.path)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).min(COLUMNS);
    let (mut added, mut removed) = (0, 0);
    let mut text = String::new();
    for (difference, name) in changes.entries.iter().zip(&names) {
        let diff = section(started, changes, difference)?;
        (added, removed) = (added + diff.added, removed + diff.removed);
        let line = format!("{:8}  {name:width$}  {}", difference.kind.as_str(), harmless(&details(difference, &diff)));
        text.push_str(line.trim_end());
        text.push('\n');
    }
    let count = changes.entries.len();
    if count > 0 {
        let files = if count == 1 { "file" } else { "files" };
        text.push_str(&format!("{count} {files} changed, {added} lines added, {removed} removed\n"));
    }
    print(&text)
}

/// Returns what `--stat` says about a file beside its name.
fn details(difference: &Difference, diff: &FileDiff) -> String {
    let (before, after) = (difference.before.as_ref(), difference.after.as_ref());
    let mut parts = Vec::new();
    match diff.form {
        _ if difference.kind == DifferenceKind::Link || [before, after].iter().flatten().any(|version| version.target.is_some()) => {
            let shown =
                |version: &Version| version.target.as_ref().map_or_else(|| version.kind.as_str().to_owned(), |to| format!("-> {to}"));
            parts.push([before, after].into_iter().flatten().map(shown).collect::<Vec<_>>().join(" => "));
        }
        DiffForm::Binary | DiffForm::TooLarge => {
            let what = if diff.form == DiffForm::Binary { "binary" } else { "large" };
            let sizes: Vec<String> = [before, after].into_iter().flatten().map(|version| version.size.to_string()).collect();
            parts.push(format!("{what}, {} bytes", sizes.join(" -> ")));
        }
        DiffForm::Sentence => {
            let types: Vec<&str> = [before, after].into_iter().flatten().map(|version| version.kind.as_str()).collect();
            parts.push(if types.first() == types.last() {
                types.first().copied().unwrap_or_default().to_owned()
            } else {
                types.join(" => ")
            });
        }
        _ => {
            parts.extend((diff.added > 0).then(|| format!("+{}", diff.added)));
            parts.extend((diff.removed > 0).then(|| format!("-{}", diff.removed)));
        }
    }
    if let (Some(before), Some(after)) = (before, after)
        && before.mode != after.mode
        && difference.kind != DifferenceKind::Link
    {
        parts.push(format!("mode {:03o} -> {:03o}", before.mode, after.mode));
    }
    parts.join(" ")
}

/// Prints the JSON document.
fn list(started: &Started, changes: &Differences) -> Result<(), Failure> {
    let files = started.session.files();
    let all: Vec<FileDifference> = changes.entries.iter().map(|difference| files.difference(difference)).collect();
    print(&json::pretty(&all).map_err(Failure::internal)?)
}
