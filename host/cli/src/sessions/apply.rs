//! `wisp session apply`: what a session changed in overlays, written to the host.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU8, Ordering};

use anyhow::anyhow;
use wisp::fs::{ApplyChange, ApplyConflict, ApplyError, ApplyLeftOut, ApplyOptions, ApplyPlan, Difference, DifferenceKind, HOME};
use wisp::policy::{Access, Policy};

use super::started::Found;
use crate::messages::harmless;
use crate::run::own_places;
use crate::signals::ending;
use crate::stop::INTERRUPTED;
use crate::{Failure, args, confine, json, kept, print, say};

/// The exit code if the host's files conflict.
const CONFLICT: u8 = 1;

/// Writes the session's changes to the host, or shows what would be written.
pub(super) fn apply(asked: &args::SessionApply, confined: bool) -> Result<u8, Failure> {
    let found = Found::new(&asked.name)?;
    if !found.policy().filesystem().mounts.iter().any(|mount| mount.access == Access::Overlay) {
        return Err(Failure::usage(anyhow!(
            "the session `{}` has no mount with `access = \"overlay\"`: what it changed in its own directories is not the host's; `wisp session \
             export` writes it into an archive",
            asked.name
        )));
    }
    let protected = [found.protected()?, own_places()].concat();
    let folders = if asked.dry_run { Vec::new() } else { folders(found.policy(), &asked.only) };
    let started = found.start_with(|policy, cache, kept| match confined {
        true if asked.dry_run => confine::look(policy, cache, kept),
        true => confine::apply(policy, cache, kept, &folders),
        false => Ok(()),
    })?;
    let options = asked.only.iter().fold(ApplyOptions::new().protect(protected), ApplyOptions::only);
    let plan = started.runtime.block_on(started.session.plan_apply(&options)).map_err(Failure::library)?;
    for path in &plan.unchanged {
        say(&format!("nothing was changed at `{}`", harmless(path)));
    }
    let may = plan.conflicts.is_empty();
    // Before it is carried out, which takes the plan. A change that then fails is told by the error.
    let shown = if asked.json { json::pretty(&plan.document(may && !asked.dry_run)).map_err(Failure::internal)? } else { lines(&plan) };
    if !may {
        print(&shown)?;
        say(&advice(&asked.name, &plan));
        return Ok(CONFLICT);
    }
    if !asked.dry_run {
        // What is begun when a signal comes is done, or taken back.
        let code = AtomicU8::new(INTERRUPTED);
        let carried_out = started.runtime.block_on(async {
            let ending = ending();
            plan.carry_out_until(async { code.store(ending.await, Ordering::Relaxed) }).await
        });
        match carried_out {
            Err(error @ ApplyError::Stopped) => {
                say(&error.to_string());
                return Ok(code.load(Ordering::Relaxed));
            }
            Err(error @ ApplyError::Raced { .. }) => {
                say(&harmless(&error.to_string()));
                return Ok(CONFLICT);
            }
            done => drop(done.map_err(Failure::library)?),
        }
        // Without this, the session would only compare equal; what it has would hide later changes of the host.
        let _no_interpreter = started.runtime.block_on(started.kept.keep(&started.shell, None)).map_err(kept::unusable)?;
    }
    print(&shown)?;
    Ok(0)
}

/// Returns the folders that may be written: those of overlays, as far as they are asked for.
fn folders(policy: &Policy, only: &[String]) -> Vec<PathBuf> {
    let within = |inner: &str, outer: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let absolute = |path: &String| {
        let from = if path.starts_with('/') { "" } else { HOME };
        let names = from.split('/').chain(path.split('/')).filter(|name| !name.is_empty());
        names.map(|name| format!("/{name}")).collect::<String>()
    };
    let only: Vec<String> = only.iter().map(absolute).collect();
    // A path with `..` in it is not understood here, so that nothing is excluded by it.
    let asked = |guest: &str| {
        let meets = |path: &String| within(path, guest) || within(guest, path) || path.split('/').any(|name| name == ".." || name == ".");
        only.is_empty() || only.iter().any(meets)
    };
    let overlays = policy.filesystem().mounts.iter().filter(|mount| mount.access == Access::Overlay && asked(&mount.guest));
    overlays.map(|mount| mount.host.clone()).collect()
}

/// Returns a line for each change, each conflict, and what is left out.
fn lines(plan: &ApplyPlan) -> String {
    let changes = plan.changes.iter().map(|change| (letter(&change.difference), &change.difference.path, details(change)));
    let conflicts = plan.conflicts.iter().map(|ApplyConflict { path, message, .. }| ('C', path, format!(": {message}")));
    let left_out = plan.left_out.iter().map(|ApplyLeftOut { path, message, .. }| ('-', path, format!(": {message}")));
    let line = |(letter, path, details): (char, &String, String)| format!("{letter} {}{}\n", harmless(path), harmless(&details));
    changes.chain(conflicts).chain(left_out).map(line).collect()
}

fn letter(difference: &Difference) -> char {
    match (&difference.before, &difference.after) {
        (None, _) => 'A',
        (_, None) => 'D',
        _ => 'M',
    }
}

/// Returns what is not seen from the letter.
fn details(change: &ApplyChange) -> String {
    let mut text = String::new();
    if let (Some(before), Some(after)) = (&change.difference.before, &change.difference.after)
        && before.mode & 0o777 != after.mode & 0o777
        && change.difference.kind != DifferenceKind::Link
    {
        text.push_str(&format!(" (mode {:03o} -> {:03o})", before.mode & 0o777, after.mode & 0o777));
    }
    if let Some(target) = change.difference.after.as_ref().and_then(|after| after.target.as_ref()) {
        text.push_str(&format!(" -> {target}"));
    }
    if change.leads_out {
        text.push_str(" (leads out of the folder)");
    }
    text
}

/// Returns what to do about conflicts.
fn advice(name: &str, plan: &ApplyPlan) -> String {
    let count = plan.conflicts.len();
    let first = plan.conflicts.first().map(|conflict| harmless(&conflict.path)).unwrap_or_default();
    let files = if count == 1 { "1 file conflicts".to_owned() } else { format!("{count} files conflict") };
    format!(
        "nothing was written: {files} with what the host has. `wisp session diff {name} {first}` compares; give the file on the host the \
         session's contents, or take over others with `--only PATH`"
    )
}
