//! Decides which changes a host gets, and what stands against them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};

use super::error::ApplyError;
use super::links::leads_out;
use super::planned::{ApplyChange, ApplyOptions, ApplyPlan, Part, Step};
use super::protected::Protection;
use crate::files::{lexical_path, within};
use crate::session::handle::Session;
use wisp_api::{ApplyConflict, ApplyLeftOut, ApplyReason, ApplyRefusal};
use wisp_policy::{Access, Mount};
use wisp_vfs::{Difference, DifferenceKind, Differences, FileType, FsError, HostMode, HostStat, Since, Snapshot, Version};

/// Maximum changes of one mount. A session has 100,000 files by default; those of a host's folder that it removed are on top.
const MOST: usize = 1_000_000;

/// Bytes of changed files, with their holes, that are always accepted. Attack: a file of 8 EiB that costs a guest nothing, and its
/// host hours when the two are compared.
const ALWAYS: u64 = 1 << 30;

/// What becomes of a change.
enum Decision {
    Step {
        was: Option<HostStat>,
        leads_out: bool,
    },
    Conflict(ApplyRefusal),
    LeftOut(ApplyReason),
    /// There is nothing to do on the host.
    Nothing,
}

/// Returns the mode that a file has on the host.
pub(super) fn mode_of(version: &Version) -> HostMode {
    HostMode::new(version.mode)
}

/// Returns whether a host that has this change would have nothing else than it has: a mode that differs beyond the permission bits.
fn is_beyond_host(difference: &Difference) -> bool {
    let modes = [&difference.before, &difference.after].map(|version| version.as_ref().map(mode_of));
    difference.kind == DifferenceKind::Mode && modes[0] == modes[1]
}

/// Returns the directories above a path, the nearest first, without the top.
fn above(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| Some(path.rsplit_once('/')?.0)).skip(1).filter(|path| !path.is_empty())
}

pub(super) fn plan(session: Session, options: &ApplyOptions, stop: &AtomicBool) -> Result<ApplyPlan, ApplyError> {
    let snapshot = session.state.fs.snapshot();
    let only: Vec<String> = options.only.iter().map(|path| lexical_path(path)).collect();
    let policy = session.state.shared.policy.clone();
    let overlays = || (0..).zip(&policy.filesystem().mounts).filter(|(_, mount)| mount.access == Access::Overlay);
    let touches = |mount: &Mount, path: &str| within(path, &mount.guest) || within(&mount.guest, path);
    // An empty path is one that somebody forgot to fill in, and would be everything.
    let nowhere = options.only.iter().find(|path| path.is_empty());
    if let Some(path) = nowhere.or_else(|| only.iter().find(|path| !overlays().any(|(_, mount)| touches(mount, path)))) {
        return Err(ApplyError::NoOverlay { path: path.clone() });
    }
    let mut plan = ApplyPlan {
        changes: Vec::new(),
        conflicts: Vec::new(),
        left_out: Vec::new(),
        unchanged: Vec::new(),
        parts: Vec::new(),
        session: session.clone(),
        snapshot,
    };
    let (mut unchanged, mut size) = (only.clone(), 0);
    for (number, mount) in overlays().filter(|(_, mount)| only.is_empty() || only.iter().any(|path| touches(mount, path))) {
        let found = compare(&plan.snapshot, &session, &mount.guest, stop)?;
        unchanged.retain(|path| !found.entries.iter().any(|difference| within(&difference.path, path)));
        if found.entries.is_empty() {
            let (guest, host) = (mount.guest.clone(), mount.host.clone());
            plan.parts.push(Part { mount: number, guest, host, ino: 0, single: false, whole: true, steps: Vec::new() });
            continue;
        }
        let protection = Protection::new(&session, &options.protected, &mount.host);
        let planner = Planner::new(&plan.snapshot, &session, (number, mount), &found, &only, protection);
        planner.plan(&mut plan, &mut size, stop)?;
    }
    plan.unchanged = unchanged;
    Ok(plan)
}

/// Returns what the session changed in a mount.
fn compare(snapshot: &Snapshot, session: &Session, guest: &str, stop: &AtomicBool) -> Result<Differences, ApplyError> {
    let base = &session.state.shared.base;
    let found = snapshot.differences(base, guest, MOST, stop).map_err(|(path, error)| ApplyError::read(path, error))?;
    if found.truncated { Err(ApplyError::TooMany { mount: guest.to_owned(), limit: MOST }) } else { Ok(found) }
}

/// Directories in which files can be written.
#[derive(Default)]
struct Directories<'p> {
    /// Those that the host has.
    found: BTreeSet<&'p str>,
    /// Those that it gets.
    made: BTreeSet<&'p str>,
}

/// Plans one mount.
struct Planner<'p> {
    snapshot: Snapshot,
    number: usize,
    mount: &'p Mount,
    found: &'p Differences,
    only: &'p [String],
    protection: Protection,
    /// The changes that are asked for, by path.
    chosen: BTreeMap<&'p str, &'p Difference>,
    single: bool,
    limit: u64,
}

impl<'p> Planner<'p> {
    fn new(
        snapshot: &Snapshot,
        session: &Session,
        (number, mount): (usize, &'p Mount),
        found: &'p Differences,
        only: &'p [String],
        protection: Protection,
    ) -> Self {
        let by_path: BTreeMap<&str, &Difference> = found.entries.iter().map(|difference| (difference.path.as_str(), difference)).collect();
        let asked = |path: &str| only.is_empty() || only.iter().any(|only| within(path, only));
        let mut chosen = BTreeMap::new();
        for (path, difference) in &by_path {
            if !asked(path) {
                continue;
            }
            chosen.insert(*path, *difference);
            if difference.after.is_some() && !only.is_empty() {
                // The directories that it needs, the nearest first. Above one that is not new, none is.
                let needed = above(path).map_while(|path| by_path.get_key_value(path));
                for (path, difference) in needed.take_while(|(_, difference)| is_new_directory(difference)) {
                    // Not twice: a guest can put many files deep down.
                    if chosen.insert(*path, *difference).is_some() {
                        break;
                    }
                }
            }
        }
        let single = found.entries.iter().any(|difference| difference.path == mount.guest && !is_directory(difference));
        let limit = session.policy().filesystem().quota.max(ALWAYS);
        Self { snapshot: snapshot.clone(), number, mount, found, only, protection, chosen, single, limit }
    }

    fn plan(self, plan: &mut ApplyPlan, size: &mut u64, stop: &AtomicBool) -> Result<(), ApplyError> {
        let (mut steps, mut left): (_, Option<&str>) = (Vec::new(), None);
        // Whether the session can forget what it changed in this mount.
        let mut whole = true;
        let mut directories = Directories::default();
        let conflicts = plan.conflicts.len();
        for difference in &self.found.entries {
            let path = difference.path.as_str();
            if stop.load(Ordering::Relaxed) {
                return Err(ApplyError::read(path.to_owned(), FsError::Io));
            }
            if !self.chosen.contains_key(path) || left.is_some_and(|left| within(path, left)) {
                whole = false;
                continue;
            }
            match self.decide(difference, &mut directories).map_err(|error| ApplyError::read(path.to_owned(), error))? {
                Decision::Nothing => {}
                Decision::Conflict(reason) => {
                    // What is to be in it would be told the same.
                    left = is_new_directory(difference).then_some(path);
                    plan.conflicts.push(ApplyConflict::new(path, reason));
                }
                Decision::LeftOut(reason) => {
                    whole &= matches!(reason, ApplyReason::OnlyHost | ApplyReason::Folder);
                    // Nothing is to be in it, whatever the host has there.
                    left = (!difference.after.as_ref().is_some_and(Version::is_dir)).then_some(path);
                    plan.left_out.push(ApplyLeftOut::new(path, reason));
                }
                Decision::Step { was, leads_out } => {
                    if is_new_directory(difference) {
                        directories.made.insert(path);
                    }
                    let mode_only = difference.kind == DifferenceKind::Mode;
                    if let Some(after) = difference.after.as_ref().filter(|after| !mode_only && after.is_stored()) {
                        *size = size.saturating_add(after.size);
                        if *size > self.limit {
                            return Err(ApplyError::TooLarge { path: path.to_owned(), limit: self.limit });
                        }
                    }
                    plan.changes.push(ApplyChange { difference: difference.clone(), leads_out });
                    let (rel, after) = (self.rel(path).to_owned(), difference.after.clone());
                    steps.push(Step { rel, path: path.to_owned(), after, was, mode_only });
                }
            }
        }
        let ask = |error| ApplyError::read(self.mount.guest.clone(), error);
        if !whole
            && !steps.is_empty()
            && plan.conflicts.len() == conflicts
            && let Some(directory) = self.snapshot.moved_directory(self.number).map_err(ask)?
        {
            return Err(ApplyError::Renamed { mount: self.mount.guest.clone(), directory });
        }
        if !steps.is_empty() || whole {
            let ino = self.snapshot.host_stat(self.number, "").map_err(ask)?.ok_or(FsError::NotFound).map_err(ask)?.ino;
            let (guest, host) = (self.mount.guest.clone(), self.mount.host.clone());
            plan.parts.push(Part { mount: self.number, guest, host, ino, single: self.single, whole, steps });
        }
        Ok(())
    }

    /// Returns the path below the folder.
    fn rel<'d>(&self, path: &'d str) -> &'d str {
        path.strip_prefix(self.mount.guest.as_str()).unwrap_or(path).trim_start_matches('/')
    }

    fn decide(&self, difference: &'p Difference, directories: &mut Directories<'p>) -> Result<Decision, FsError> {
        let (path, after) = (difference.path.as_str(), difference.after.as_ref());
        let rel = self.rel(path);
        if rel.is_empty() && !self.single {
            return Ok(Decision::LeftOut(ApplyReason::Folder));
        }
        if is_beyond_host(difference) {
            return Ok(Decision::Nothing);
        }
        // One of the host's own, in a directory that was renamed.
        if after.is_some_and(|after| after.kind == FileType::Symlink && after.target.is_none()) {
            return Err(FsError::IllegalBytes);
        }
        if after.is_some_and(|after| !matches!(after.kind, FileType::Regular | FileType::Directory | FileType::Symlink)) {
            return Ok(Decision::LeftOut(ApplyReason::Special));
        }
        // First: through a directory that became a link, the host's files are others.
        if !self.single
            && let Some(directory) = self.missing_directory(path, directories)?
        {
            return Ok(Decision::Conflict(ApplyRefusal::NoDirectory { directory: directory.to_owned() }));
        }
        // Before it is compared: what is written must still have these facts.
        let was = self.snapshot.host_stat(self.number, rel)?;
        let since = self.snapshot.since(self.number, rel)?;
        if since == Since::OnlyHost {
            return Ok(if is_new_directory(difference) && self.is_needed(path) {
                Decision::Conflict(if was.is_some() { ApplyRefusal::Changed } else { ApplyRefusal::Removed })
            } else {
                Decision::LeftOut(ApplyReason::OnlyHost)
            });
        }
        let target = after.and_then(|after| after.target.as_deref());
        let leads_out = target.is_some_and(|target| self.leads_out(rel, target));
        if let Some(target) = target.filter(|_| leads_out && !self.only.iter().any(|only| only == path)) {
            return Ok(Decision::LeftOut(ApplyReason::LeadsOut { target: target.to_owned() }));
        }
        if let Some(what) = self.protection.of(rel) {
            return Ok(Decision::Conflict(ApplyRefusal::Protected { what: what.to_owned() }));
        }
        if let Some(reason) = refusal(since, was.as_ref(), after) {
            return Ok(Decision::Conflict(reason));
        }
        let goes = was.is_some_and(|was| was.kind == FileType::Directory) && !after.is_some_and(Version::is_dir);
        if goes && let Some(name) = self.kept_name(path)? {
            return Ok(Decision::Conflict(ApplyRefusal::Holds { name }));
        }
        Ok(Decision::Step { was, leads_out })
    }

    /// Returns whether the link leads out among the session's files, or among those that the host has now. If it cannot be told, it does.
    fn leads_out(&self, rel: &str, target: &str) -> bool {
        let directory = rel.rsplit_once('/').map_or("", |(directory, _)| directory);
        let lenient = |found| match found {
            // Nobody can follow it through such a name.
            Err(FsError::NameTooLong) => Ok(None),
            found => found,
        };
        let in_session = |path: &str| lenient(self.snapshot.link_target(&format!("{}/{path}", self.mount.guest)));
        let on_host = |path: &str| lenient(self.snapshot.host_link(self.number, path));
        leads_out(directory, target, &in_session).unwrap_or(true) || leads_out(directory, target, &on_host).unwrap_or(true)
    }

    /// Returns the highest directory above `path` that the host no longer has, and does not get.
    fn missing_directory(&self, path: &'p str, directories: &mut Directories<'p>) -> Result<Option<&'p str>, FsError> {
        let mut unknown: Vec<&str> = above(path)
            .take_while(|directory| !self.rel(directory).is_empty())
            .take_while(|directory| !directories.made.contains(directory) && !directories.found.contains(directory))
            .collect();
        // From the top: no link is followed.
        while let Some(directory) = unknown.pop() {
            let stat = self.snapshot.host_stat(self.number, self.rel(directory))?;
            if stat.is_none_or(|stat| stat.kind != FileType::Directory) {
                return Ok(Some(directory));
            }
            directories.found.insert(directory);
        }
        Ok(None)
    }

    /// Returns whether a change that is asked for needs the directory.
    fn is_needed(&self, path: &str) -> bool {
        let inside = format!("{path}/");
        let mut below = self.chosen.range::<&str, _>(inside.as_str()..).take_while(|(path, _)| path.starts_with(inside.as_str()));
        below.any(|(_, difference)| difference.after.is_some())
    }

    /// Returns a name in the host's directory at `path` that is not to be removed with it.
    fn kept_name(&self, path: &str) -> Result<Option<String>, FsError> {
        let names = self.snapshot.host_names(self.number, self.rel(path))?;
        let goes = |name: &str| self.chosen.get(format!("{path}/{name}").as_str()).is_some_and(|difference| difference.after.is_none());
        Ok(names.into_iter().find(|name| !goes(name)))
    }
}

fn is_directory(difference: &Difference) -> bool {
    [&difference.before, &difference.after].into_iter().flatten().any(Version::is_dir)
}

/// Returns whether a directory comes where none was.
fn is_new_directory(difference: &Difference) -> bool {
    difference.after.as_ref().is_some_and(Version::is_dir) && !difference.before.as_ref().is_some_and(Version::is_dir)
}

/// Returns why what became of the host's file stands against the change, if it does.
fn refusal(since: Since, was: Option<&HostStat>, after: Option<&Version>) -> Option<ApplyRefusal> {
    match since {
        Since::Same => None,
        Since::Removed => Some(ApplyRefusal::Removed),
        Since::Added => {
            // A directory as `carry` makes it, which was killed before it set the final mode.
            let begun = |was: &HostStat, after: &Version| {
                after.is_dir() && was.kind == FileType::Directory && HostMode::new(was.mode) == HostMode::new(after.mode | 0o700)
            };
            (!was.zip(after).is_some_and(|(was, after)| begun(was, after))).then_some(ApplyRefusal::Added)
        }
        Since::Changed => Some(ApplyRefusal::Changed),
        _ => Some(ApplyRefusal::Unknown),
    }
}
