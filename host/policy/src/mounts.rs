//! Checks where mounts and the output may be in the sandbox, and resolves paths of the host.

use std::path::{Path, PathBuf};

use super::finding::{Findings, quote};
use super::host_path::HostPath;
use super::layout::{HOME, RESERVED};
use super::limits;
use super::parts::{Access, Mount};
use super::read::{Reader, Set};
use super::rule::Rule;
use super::schema::Key;
use super::source::Source;
use super::spelling::{list, nearest};

/// `[[filesystem.mount]]` of a layer.
#[derive(Debug, Clone)]
pub(super) struct MountLayer {
    pub(super) rule: Rule,
    pub(super) host: Set<HostPath>,
    pub(super) guest: Set<String>,
    pub(super) access: Option<Set<Access>>,
}

/// Returns whether a guest path is well formed: absolute, normalised, within the file system's bounds, and not reserved.
pub(super) fn check_guest(reader: &Reader, key: Key, path: &Set<String>) -> bool {
    let text = path.value.as_str();
    let refuse = |label: &str, help: String| {
        reader.find(path.rule.finding(format!("{} is not valid for `{}`", quote(text), key.path())).label(label).help(help));
        false
    };
    let example = reader.example(key);
    if !text.starts_with('/') {
        let help =
            if text.is_empty() || text.contains(char::is_control) { example } else { format!("did you mean {}?", quote(&normal(text))) };
        return refuse("a path of the sandbox begins with `/`", help);
    }
    if text.chars().any(char::is_control) {
        return refuse("a path has no control characters", example);
    }
    if text.len() > limits::PATH_BYTES || text.split('/').any(|name| name.len() > limits::PATH_NAME_BYTES) {
        return refuse("a path has at most 4096 bytes, and each name in it at most 255", example);
    }
    if text == "/" {
        return refuse("the root belongs to the sandbox", example);
    }
    if text != normal(text) {
        return refuse("`.`, `..`, `//` and a `/` at the end are not allowed here", format!("did you mean {}?", quote(&normal(text))));
    }
    for (reserved, reason) in RESERVED {
        if overlap(text, reserved) {
            return refuse(&format!("this would cover `{reserved}`: {reason}"), example);
        }
    }
    if text != HOME && is_within(HOME, text) {
        return refuse(&format!("this would hide `{HOME}`, where programs start"), format!("use `{HOME}` itself, or a directory in it"));
    }
    true
}

/// Reads `read`, `write` or `overlay`.
pub(super) fn check_access(reader: &Reader, word: &Set<String>) -> Option<Set<Access>> {
    if let Some(access) = Access::from_word(&word.value) {
        return Some(Set { value: access, rule: word.rule.clone() });
    }
    let words = Access::ALL.map(Access::as_str);
    let help = match word.value.as_str() {
        "rw" => Some("write"),
        "ro" => Some("read"),
        other => nearest(other, words),
    };
    let help = match help {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("write {}", list(words).replace(" and ", " or ")),
    };
    reader.find(word.rule.finding(format!("unknown access {}", quote(&word.value))).help(help));
    None
}

/// Returns the path without `.`, `..`, `//` and a trailing `/`.
fn normal(path: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    format!("/{}", names.join("/"))
}

/// Returns whether `path` is `dir` or is below it.
fn is_within(path: &str, dir: &str) -> bool {
    path.strip_prefix(dir).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn overlap(a: &str, b: &str) -> bool {
    is_within(a, b) || is_within(b, a)
}

/// Returns the checked mounts: none is in another, none covers the output (where its path is known), every host path is
/// resolved.
pub(super) fn settle(mounts: &mut [MountLayer], output: Option<(&str, &Rule)>, source: &dyn Source, findings: &mut Findings) -> Vec<Mount> {
    if let Some(mount) = mounts.get(limits::MOUNTS) {
        let message = format!("there are {} mounts, more than the {} a session may have", mounts.len(), limits::MOUNTS);
        findings.push(mount.rule.finding(message).help("mount a directory above several of them"));
        return Vec::new();
    }
    for (index, mount) in mounts.iter().enumerate() {
        let guest = &mount.guest;
        if let Some((output, output_rule)) = output.filter(|(output, _)| overlap(&guest.value, output)) {
            let message = format!("the mount {} overlaps the output directory {}", quote(&guest.value), quote(output));
            let finding = guest.rule.finding(message).note_rule(output_rule, "the output directory");
            findings.push(finding.help("use a directory beside it, such as `/mnt/input`"));
        }
        let other = mounts[..index].iter().find(|other| overlap(&other.guest.value, &guest.value));
        if let Some(other) = other {
            let same = other.guest.value == guest.value;
            let message = if same {
                format!("{} is mounted twice", quote(&guest.value))
            } else {
                format!("the mounts {} and {} overlap", quote(&other.guest.value), quote(&guest.value))
            };
            let finding = guest.rule.finding(message).note_rule(&other.guest.rule, "the other mount");
            findings.push(finding.help("give each a directory of its own, beside the other"));
        }
    }
    let mut settled: Vec<Mount> = Vec::new();
    for mount in mounts {
        let Some(host) = look_up(&mut mount.host, "file or directory", |path| source.mountable(path), findings) else {
            continue;
        };
        settled.push(Mount {
            host,
            guest: mount.guest.value.clone(),
            access: mount.access.as_ref().map_or(Access::Read, |access| access.value),
            rule: mount.rule.clone(),
        });
    }
    settled.sort_by(|a, b| a.guest.cmp(&b.guest));
    settled
}

/// Finds the absolute, resolved name of a host path. It is resolved once and remembered.
pub(super) fn look_up(
    path: &mut Set<HostPath>,
    what: &str,
    find: impl FnOnce(&Path) -> Result<PathBuf, super::SourceError>,
    findings: &mut Findings,
) -> Option<PathBuf> {
    let (text, base) = match &path.value {
        HostPath::Found(found) => return Some(found.clone()),
        HostPath::Asked { text, base } => (text, base),
    };
    let full: PathBuf = base.join(text).components().collect();
    let shown = quote(&text.to_string_lossy());
    let problem = match find(&full) {
        Ok(found) if found.to_str().is_some() => {
            path.value = HostPath::Found(found.clone());
            return Some(found);
        }
        Ok(_) => "has a full name that is not UTF-8".to_owned(),
        Err(error) => error.to_string(),
    };
    let mut finding = path.rule.finding(format!("the {what} {shown} {problem}"));
    if full != *text {
        finding = finding.label(format!("this is {}", quote(&full.to_string_lossy())));
    }
    let help = if text.starts_with("~") {
        "`~` is not expanded: write the whole path"
    } else if base.as_os_str().is_empty() {
        "the path is relative to the working directory"
    } else {
        "the path is relative to the directory of this file"
    };
    findings.push(finding.help(help));
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlap_is_by_names_not_by_letters() {
        assert!(overlap("/mnt/a", "/mnt/a"));
        assert!(overlap("/mnt/a", "/mnt/a/b"));
        assert!(overlap("/mnt/a/b", "/mnt/a"));
        assert!(!overlap("/mnt/a", "/mnt/ab"));
    }

    #[test]
    fn normal_paths() {
        assert_eq!(normal("data"), "/data");
        assert_eq!(normal("/a//b/./../c/"), "/a/c");
        assert_eq!(normal("/../.."), "/");
    }
}
