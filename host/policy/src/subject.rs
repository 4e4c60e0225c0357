//! What a rule sets: a key, one entry of a key that has several, or a table.

use std::fmt;

use super::schema::Key;

/// Prints as a path with real names in it: `limits.wall`, `tools.allow.sh`, `filesystem.mount./mnt/input`, `network`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Subject {
    /// A key as a whole.
    Key(Key),
    /// An item of the key's list, or the table that the key names: a row of a list of tables by the key that tells it from the others, or
    /// what stands for `NAME`.
    Entry(Key, String),
    /// `[tools.custom.NAME]`.
    CustomTool(String),
    /// `[imports.INTERFACE]`.
    Import(String),
    /// `[network]`.
    Network,
    /// `[host]`.
    Host,
    /// `[determinism]`.
    Determinism,
}

impl From<Key> for Subject {
    fn from(key: Key) -> Self {
        Self::Key(key)
    }
}

impl Subject {
    /// Returns the entry of `key` with this name.
    pub(super) fn entry(key: Key, name: impl ToString) -> Self {
        Self::Entry(key, name.to_string())
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) => f.write_str(key.path()),
            Self::Entry(key, name) => match (key.path().split_once("[]"), key.path().split_once("NAME")) {
                (Some((list, _)), _) => write!(f, "{list}.{name}"),
                (None, Some((before, after))) => write!(f, "{before}{name}{after}"),
                (None, None) => write!(f, "{}.{name}", key.path()),
            },
            Self::CustomTool(name) => write!(f, "tools.custom.{name}"),
            Self::Import(interface) => write!(f, "imports.{interface}"),
            Self::Network => f.write_str("network"),
            Self::Host => f.write_str("host"),
            Self::Determinism => f.write_str("determinism"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_printed_as_a_path() {
        for (subject, path) in [
            (Key::Wall.into(), "limits.wall"),
            (Subject::entry(Key::Allow, "sh"), "tools.allow.sh"),
            (Subject::entry(Key::EnvVar, "LANG"), "env.vars.LANG"),
            (Subject::entry(Key::MountGuest, "/mnt/input"), "filesystem.mount./mnt/input"),
            (Subject::entry(Key::ToolPath, "jwt"), "tools.custom.jwt.path"),
            (Subject::CustomTool("jwt".into()), "tools.custom.jwt"),
            (Subject::Import("wasi:io/poll".into()), "imports.wasi:io/poll"),
            (Subject::Network, "network"),
        ] {
            assert_eq!(subject.to_string(), path);
        }
        // As paths the two would be one.
        assert_ne!(Subject::entry(Key::ToolPath, "jwt"), Subject::CustomTool("jwt.path".into()));
    }
}
