//! Landlock: the files that may be opened, and the ports that may be connected to.

#![expect(clippy::disallowed_methods, reason = "whether what the host program names is a folder")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, LandlockStatus, NetPort, PathBeneath, PathFd, RestrictionStatus,
    Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus, Scope, make_bitflags,
};

use super::held::Held;

/// The requested version, new in Linux 6.12; an older kernel enforces what it has.
const ASKED: ABI = ABI::V6;

/// Restricts this thread and the threads that it creates: `paths` to read, to write, and to remove folders from.
///
/// # Errors
/// The kernel's error if it has Landlock but refused.
pub(super) fn restrict(paths: [&BTreeSet<PathBuf>; 3], ports: Option<&BTreeSet<u16>>) -> Result<Held, String> {
    let status = rules(paths, ports).map_err(|error| format!("the kernel refused: {error}"))?;
    Ok(match (status.ruleset, status.landlock) {
        (RulesetStatus::FullyEnforced, _) => Held::Fully,
        (RulesetStatus::PartiallyEnforced, _) => Held::Partly,
        (RulesetStatus::NotEnforced, LandlockStatus::NotEnabled) => Held::Not("the kernel's Landlock is switched off".to_owned()),
        (RulesetStatus::NotEnforced, _) => Held::Not("the kernel has no Landlock (Linux 5.13)".to_owned()),
    })
}

fn rules(paths: [&BTreeSet<PathBuf>; 3], ports: Option<&BTreeSet<u16>>) -> Result<RestrictionStatus, landlock::RulesetError> {
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(ASKED))?
        .handle_access(AccessNet::from_all(ASKED))?
        .scope(Scope::from_all(ASKED))?
        .create()?;
    let reading = make_bitflags!(AccessFs::{ReadFile | ReadDir});
    let writing = reading | make_bitflags!(AccessFs::{WriteFile | Truncate | RemoveDir | RemoveFile | MakeDir | MakeReg | MakeSym | Refer});
    for (paths, rights) in paths.into_iter().zip([reading, writing, AccessFs::RemoveDir.into()]) {
        for path in paths {
            if let Some(rule) = beneath(path, rights) {
                rules = rules.add_rule(rule)?;
            }
        }
    }
    for port in ports.into_iter().flatten() {
        rules = rules.add_rule(NetPort::new(*port, AccessNet::ConnectTcp))?;
    }
    rules.restrict_self()
}

/// Returns the rights on an existing path; on a file, only those that apply to files.
fn beneath(path: &Path, rights: BitFlags<AccessFs>) -> Option<PathBeneath<PathFd>> {
    let place = PathFd::new(path).ok()?;
    let rights = if path.is_dir() { rights } else { rights & AccessFs::from_file(ASKED) };
    Some(PathBeneath::new(place, rights))
}

/// Returns whether the kernel has Landlock: whether it creates a ruleset, which has no effect before it is enforced.
pub(super) fn offered() -> bool {
    let asked = Ruleset::default().set_compatibility(CompatLevel::HardRequirement).handle_access(AccessFs::from_all(ABI::V1));
    asked.and_then(Ruleset::create).is_ok()
}
