//! From a name or path to one policy: reads the chain of `extends`, merges its layers and settles the result.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::finding::{Finding, Findings, Location, PolicyErrors, SourceFile, quote};
use super::layer::{Layer, Reading};
use super::overrides::Overrides;
use super::policy::Policy;
use super::rule::Origin;
use super::source::{NoFiles, PolicyText, Source};
use super::spelling::{list, nearest};
use super::{limits, settle};

/// A policy that is part of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shipped {
    /// Its name: `offline`.
    pub name: &'static str,
    /// Its path in the repository, which rules print: `policies/offline.toml`.
    pub path: &'static str,
    /// Its text.
    pub text: &'static str,
}

impl Shipped {
    /// Returns its purpose: the first line of its comment, a whole sentence.
    pub fn description(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches('#').trim()
    }
}

/// The shipped policies, the default first.
pub const SHIPPED: &[Shipped] = &[
    Shipped { name: "offline", path: "policies/offline.toml", text: include_str!("../policies/offline.toml") },
    Shipped { name: "fetch", path: "policies/fetch.toml", text: include_str!("../policies/fetch.toml") },
    Shipped { name: "data", path: "policies/data.toml", text: include_str!("../policies/data.toml") },
    Shipped { name: "minimal", path: "policies/minimal.toml", text: include_str!("../policies/minimal.toml") },
];

/// What identifies a file, to detect cycles.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Identity {
    Shipped(&'static str),
    File(PathBuf),
}

/// A text that was found.
struct Found {
    identity: Identity,
    file: Arc<SourceFile>,
    base: PathBuf,
}

/// Finds the text that `word` refers to in a file whose directory is `base`. The error is a message and a help text.
fn find(source: &dyn Source, word: &str, base: &Path) -> Result<Found, (String, String)> {
    if let Some(shipped) = SHIPPED.iter().find(|shipped| shipped.name == word) {
        let file = SourceFile::new(shipped.path, shipped.text);
        return Ok(Found { identity: Identity::Shipped(shipped.name), file, base: directory_of(shipped.path) });
    }
    if !word.contains('/') && !word.ends_with(".toml") {
        let names = || SHIPPED.iter().map(|shipped| shipped.name);
        let help = match nearest(word, names()) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => format!("the shipped policies are {}; a path has a `/` or ends in `.toml`", list(names())),
        };
        return Err((format!("there is no shipped policy {}", quote(word)), help));
    }
    let path: PathBuf = base.join(word).components().collect();
    let name = path.to_string_lossy().into_owned();
    match source.read(&path) {
        Ok(PolicyText { identity, text }) => {
            Ok(Found { identity: Identity::File(identity), file: SourceFile::new(name.clone(), text), base: directory_of(&name) })
        }
        Err(error) => {
            let at = if name == word { String::new() } else { format!(" ({})", quote(&name)) };
            let help = if base.as_os_str().is_empty() {
                "the path is relative to the working directory"
            } else {
                "the path is relative to the directory of this file"
            };
            Err((format!("the policy {}{at} {error}", quote(word)), help.to_owned()))
        }
    }
}

fn directory_of(path: &str) -> PathBuf {
    Path::new(path).parent().map(Path::to_owned).unwrap_or_default()
}

impl Policy {
    /// Loads the policy with that name (a shipped one) or at that path (which contains `/` or ends in `.toml`), with
    /// everything it extends. [`NoFiles`] is the source for shipped ones; that of the host's files is the library's `HostFiles`.
    ///
    /// ```
    /// # use wisp_policy::{NoFiles, Policy};
    /// let policy = Policy::load(&NoFiles, "minimal")?;
    /// assert_eq!((policy.name(), policy.limits().processes), ("minimal", 16));
    /// let error = Policy::load(&NoFiles, "minimall").unwrap_err();
    /// assert!(error.to_string().contains("minimal"));
    /// # Ok::<(), wisp_policy::PolicyErrors>(())
    /// ```
    pub fn load(source: &dyn Source, name_or_path: &str) -> Result<Self, PolicyErrors> {
        Self::load_with(source, name_or_path, &Overrides::default())
    }

    /// Works like [`Policy::load`], changed by options; the findings of both are reported together.
    pub fn load_with(source: &dyn Source, name_or_path: &str, overrides: &Overrides) -> Result<Self, PolicyErrors> {
        match find(source, name_or_path, Path::new("")) {
            Ok(found) => chain(source, found, overrides),
            Err((message, help)) => {
                let mut findings = Findings::default();
                findings.push(Finding::whole(SourceFile::new(name_or_path, ""), message).help(help));
                overrides.report(&mut findings);
                Err(findings.decide(()).expect_err("a finding was pushed above"))
            }
        }
    }

    /// Reads a policy from a text. Findings call it `file_name`, and relative paths in it are relative to that name's
    /// directory.
    ///
    /// ```
    /// # use wisp_policy::{NoFiles, Policy};
    /// let policy = Policy::parse(&NoFiles, "mine.toml", "extends = \"offline\"\n[limits]\nwall = \"10s\"\n")?;
    /// assert_eq!((policy.name(), policy.limits().wall.as_secs()), ("mine", 10));
    /// assert_eq!(policy.rules()["limits.wall"].to_string(), "mine.toml:3");
    /// // All mistakes are found at once, each with its line.
    /// let errors = Policy::parse(&NoFiles, "mine.toml", "[limits]\nwal = \"10s\"\nmemory = 1\n").unwrap_err();
    /// assert!(errors.to_string().contains("mine.toml:2"));
    /// # Ok::<(), wisp_policy::PolicyErrors>(())
    /// ```
    pub fn parse(source: &dyn Source, file_name: &str, text: &str) -> Result<Self, PolicyErrors> {
        let found = Found {
            identity: Identity::File(PathBuf::from(file_name)),
            file: SourceFile::new(file_name, text),
            base: directory_of(file_name),
        };
        chain(source, found, &Overrides::default())
    }

    /// Returns the built-in default: the shipped policy `offline`.
    pub fn offline() -> Self {
        // `policies/offline.toml` is part of the program, and a test loads it.
        Self::load(&NoFiles, "offline").expect("the shipped policy `offline` is valid")
    }
}

/// Reads `found` and everything that it extends, merges them with the options, and settles the result.
fn chain(source: &dyn Source, found: Found, overrides: &Overrides) -> Result<Policy, PolicyErrors> {
    let mut findings = Findings::default();
    let root = found.file.clone();
    let mut layers: Vec<Layer> = Vec::new();
    let mut seen: Vec<(Identity, String)> = Vec::new();
    let mut complete = true;
    let mut next = Some(found);
    while let Some(Found { identity, file, base }) = next.take() {
        let Reading { mut layer, findings: found_here, complete: all_read } = Layer::read(&file, &base);
        if let Identity::File(path) = &identity {
            layer.files.push(path.clone());
            layer.links = source.links(Path::new(file.name()));
        }
        findings.append(found_here);
        complete &= all_read;
        seen.push((identity, file.name().to_owned()));
        if let Some(extends) = &layer.extends {
            match parent(source, &extends.value, &base, &seen) {
                Ok(parent) => next = Some(parent),
                Err((message, help)) => {
                    complete = false;
                    // The value was read from a text, so it has a place.
                    let place = extends.rule.place().cloned().unwrap_or(Location { file, span: 0..0 });
                    findings.push(Finding::new(&place, message).help(help));
                }
            }
        }
        layers.push(layer);
    }
    overrides.report(&mut findings);
    let options = overrides.layer();
    let own_name = options.name.clone().or_else(|| layers.first().and_then(|layer| layer.name.clone()));
    let merged = layers.into_iter().rev().reduce(|parent, child| child.over(parent)).unwrap_or_default();
    let merged = Layer { name: own_name, extends: None, ..options.over(merged) };
    settle::settle(merged, complete, root, Origin::File, source, findings)
}

fn parent(source: &dyn Source, word: &str, base: &Path, seen: &[(Identity, String)]) -> Result<Found, (String, String)> {
    let found = find(source, word, base)?;
    if let Some(first) = seen.iter().position(|(identity, _)| *identity == found.identity) {
        let names: Vec<String> = seen[first..].iter().chain(&seen[first..=first]).map(|(_, name)| quote(name)).collect();
        return Err((format!("`extends` forms a cycle: {}", names.join(" → ")), "remove one of these `extends`".to_owned()));
    }
    if seen.len() >= limits::EXTENDS_DEPTH {
        return Err((format!("`extends` goes through more than {} policies", limits::EXTENDS_DEPTH), "merge some of them".to_owned()));
    }
    Ok(found)
}
