//! Rules: which line of which file set a key.

use std::fmt;

use super::finding::{Finding, Location, SourceFile};
use std::sync::Arc;

/// Who set a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Origin {
    /// A policy file, shipped or the user's.
    File,
    /// An option of the command line.
    CommandLine,
    /// The Rust program that embeds wisp.
    HostProgram,
    /// The default of the schema.
    BuiltIn,
}

impl Origin {
    /// Returns the name that findings and rules use for a text of this origin that is not a file.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::File => "policy",
            Self::CommandLine => "command line",
            Self::HostProgram => "host program",
            Self::BuiltIn => "built in",
        }
    }
}

/// The origin of a key's value. Prints as `policies/offline.toml:3`, `command line`, `host program` or `built in`;
/// the rule of an absent key prints as the policy's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    origin: Origin,
    file: Option<Arc<SourceFile>>,
    place: Option<Location>,
}

/// The rule of every key that is not set.
pub(super) static BUILT_IN: Rule = Rule { origin: Origin::BuiltIn, file: None, place: None };

/// The rule of a key that is not set.
impl Default for Rule {
    fn default() -> Self {
        BUILT_IN.clone()
    }
}

impl Rule {
    pub(super) fn at(origin: Origin, place: Location) -> Self {
        Self { origin, file: Some(place.file.clone()), place: Some(place) }
    }

    pub(super) fn absence(origin: Origin, file: Arc<SourceFile>) -> Self {
        Self { origin, file: Some(file), place: None }
    }

    /// Returns the origin.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// Returns the line that set it, from 1, if it is in a file.
    pub fn line(&self) -> Option<u32> {
        match self.origin {
            Origin::File => self.place.as_ref().map(Location::line),
            Origin::CommandLine | Origin::HostProgram | Origin::BuiltIn => None,
        }
    }

    /// Returns the place in the text, for findings of later checks (a component whose digest is wrong).
    pub fn place(&self) -> Option<&Location> {
        self.place.as_ref()
    }

    /// Returns a finding at this rule.
    pub fn finding(&self, message: impl Into<String>) -> Finding {
        match (&self.place, &self.file) {
            (Some(place), _) => Finding::new(place, message),
            (None, Some(file)) => Finding::whole(file.clone(), message),
            (None, None) => Finding::whole(SourceFile::new(self.origin.as_str(), ""), message),
        }
    }
}

/// Returns a printed rule as guests see it: the name of the policy's file and the line, without the folders that lead to it on
/// the host.
pub fn rule_for_guests(rule: &str) -> &str {
    rule.rsplit_once('/').map_or(rule, |(_, name)| name)
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.origin {
            Origin::CommandLine | Origin::HostProgram | Origin::BuiltIn => f.write_str(self.origin.as_str()),
            Origin::File => {
                f.write_str(self.file.as_ref().map_or(self.origin.as_str(), |file| file.name()))?;
                match self.line() {
                    Some(line) => write!(f, ":{line}"),
                    None => Ok(()),
                }
            }
        }
    }
}

impl Finding {
    /// Adds the place of another rule, if it has one.
    #[must_use]
    pub(super) fn note_rule(self, rule: &Rule, label: impl Into<String>) -> Self {
        match rule.place() {
            Some(place) => self.note(place, label),
            None => self,
        }
    }
}
