//! The names of imports: which interface of the capability table a name and its version mean.

use std::fmt;

use semver::Version;

use super::capability::Interface;

/// Why a name is not in the table.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unknown {
    /// The table has the interface, but in other versions.
    OtherVersion {
        /// The requested version, as written; `None` if the name has no version.
        asked: Option<String>,
        /// The versions that exist.
        track: &'static str,
    },
    /// The table does not have the interface; its package may have others.
    NoSuchInterface,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherVersion { asked: None, track } => {
                write!(f, "the import names no version; wisp provides {track}.x")
            }
            Self::OtherVersion { asked: Some(asked), track } if asked.starts_with("0.3.") => {
                write!(f, "version {asked} is WASI 0.3 (asynchronous components), which wisp does not run; it provides {track}.x")
            }
            Self::OtherVersion { asked: Some(asked), track } => {
                write!(f, "version {asked} is not compatible with {track}.x, which wisp provides")
            }
            Self::NoSuchInterface => f.write_str("no capability of wisp has this interface"),
        }
    }
}

/// Looks up the name of an import (`wasi:io/poll@0.2.4`) as the component model does: package and interface must be
/// equal, and the version must be on the same track.
pub fn lookup(import: &str) -> Result<Interface, Unknown> {
    let (name, version) = match import.split_once('@') {
        Some((name, version)) => (name, Some(version)),
        None => (import, None),
    };
    let named = Interface::ALL.iter().copied().filter(|interface| interface.name() == name);
    let mut other = Unknown::NoSuchInterface;
    for interface in named {
        if version.and_then(track).as_deref() == Some(interface.track()) {
            return Ok(interface);
        }
        other = Unknown::OtherVersion { asked: version.map(str::to_owned), track: interface.track() };
    }
    if other == Unknown::NoSuchInterface
        && let Some(version) = version
        && name.starts_with("wasi:")
        && version.starts_with("0.3.")
    {
        other = Unknown::OtherVersion { asked: Some(version.to_owned()), track: "0.2" };
    }
    Err(other)
}

/// Returns the track of a version: all versions that are compatible with it. `0.2` for 0.2.4, `1` for 1.7.0. 0.0.x and
/// pre-releases are compatible only with themselves.
pub fn track(version: &str) -> Option<String> {
    let version = Version::parse(version).ok()?;
    Some(if !version.pre.is_empty() || (version.major, version.minor) == (0, 0) {
        version.to_string()
    } else if version.major == 0 {
        format!("0.{}", version.minor)
    } else {
        version.major.to_string()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_match_by_track_not_by_text() {
        for version in ["0.2.0", "0.2.9", "0.2.12", "0.2.99"] {
            assert_eq!(lookup(&format!("wasi:io/poll@{version}")), Ok(Interface::IoPoll), "{version}");
        }
        assert_eq!(lookup("wisp:sandbox/files@0.1.7"), Ok(Interface::SandboxFiles));
        for import in [
            "wasi:io/poll@0.2.0-rc-2023-11-10",
            "wasi:io/poll@0.3.0",
            "wasi:io/poll@1.2.0",
            "wasi:io/poll",
            "wasi:io/poll@0.2",
            "wasi:io/poll@",
        ] {
            assert!(matches!(lookup(import), Err(Unknown::OtherVersion { .. })), "{import}");
        }
        for import in ["wasi:io/pol@0.2.0", "wasi:keyvalue/store@0.2.0", "poll", "", "@", "wasi:io/poll/x@0.2.0"] {
            assert_eq!(lookup(import), Err(Unknown::NoSuchInterface), "{import}");
        }
    }

    #[test]
    fn what_is_asynchronous_is_said() {
        for import in ["wasi:cli/stdin@0.3.0", "wasi:clocks/system-clock@0.3.0-rc-2026-01-01"] {
            let said = lookup(import).expect_err("refused").to_string();
            assert!(said.contains("WASI 0.3"), "{said}");
        }
    }
}
