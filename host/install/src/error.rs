//! Why a configuration was not changed.

use std::io;
use std::path::PathBuf;

use wisp_api::{ErrorCode, wisp_error};

use crate::Client;

/// Why a configuration was not read or changed. The file is as it was, whatever the error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InstallError {
    /// There is no home to look in.
    #[error("the variable HOME is not set, so there is no configuration of a user; set it, or name the folder of a project")]
    NoHome,
    /// A variable names a folder from wherever the client is started.
    #[error("{name} is `{}`, which is a different folder for each place that the client is started in; set it to an absolute path", value.display())]
    RelativeVariable {
        /// The variable.
        name: &'static str,
        /// Its value.
        value: PathBuf,
    },
    /// The name of the server is not one that every client takes.
    #[error("`{name}` cannot be the name of a server: clients take letters, digits, `-` and `_`, up to {max} of them")]
    Name {
        /// The name.
        name: String,
        /// Maximum characters.
        max: usize,
    },
    /// The command is looked up by the client, which may find another or none.
    #[error(
        "`{command}` is a relative path, and the client starts servers from elsewhere; name the program by its absolute path, or in the file of a project by its name alone"
    )]
    RelativeCommand {
        /// The command.
        command: String,
    },
    /// A path has no text that a configuration could hold.
    #[error("`{}` is not UTF-8, which configurations are written in; move the program to a path that is", value.display())]
    NotText {
        /// The path.
        value: PathBuf,
    },
    /// The client would put something else in the place of a part of a text.
    #[error("{} replaces `{mark}…` in its configuration, so `{text}` would not arrive as it is; use a path or value without it", client.title())]
    Mark {
        /// The client.
        client: Client,
        /// The text.
        text: String,
        /// What it replaces.
        mark: &'static str,
    },
    /// wisp has no hook for the client.
    #[error("{} has no hook that wisp writes; `wisp hooks` knows claude, cursor and opencode", client.title())]
    NoHook {
        /// The client.
        client: Client,
    },
    /// The client refuses a hook whose command has an address in it, and with it the whole file.
    #[error("{} does not start a hook whose command has an address in it; put `{text}` into a policy, and name that with --policy", client.title())]
    HookAddress {
        /// The client.
        client: Client,
        /// The text.
        text: String,
    },
    /// The client asks no hook.
    #[error(
        "`{}` says `disableAllHooks`, so {} asks no hook and runs commands on this machine; take that out",
        path.display(), client.title()
    )]
    HooksOff {
        /// The client.
        client: Client,
        /// The file.
        path: PathBuf,
    },
    /// A person put wisp's hook into a group with others.
    #[error("`{}` has wisp's hook in one group with others, which are not wisp's to change; take it out of the group, then run this again", path.display())]
    MixedHooks {
        /// The file.
        path: PathBuf,
    },
    /// An environment of Codex's is called as wisp's, and starts something else.
    #[error(
        "`{}` has an environment `wisp` that is not wisp's ({}); it stays, unless you force it",
        path.display(),
        if command.is_empty() { "it starts no program" } else { command.as_str() }
    )]
    ForeignEnvironment {
        /// The file.
        path: PathBuf,
        /// What it starts.
        command: String,
    },
    /// A setting that decides which environment Codex uses says something else than wisp.
    #[error("`{}`, line {line}, says `{setting}`, and it stays, so Codex would not use wisp alone", path.display())]
    OtherSetting {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The line's text.
        setting: String,
    },
    /// A file of wisp's has something else in it.
    #[error("`{}` is not what wisp wrote; it stays: move it away, then run this again", path.display())]
    ForeignFile {
        /// The file.
        path: PathBuf,
    },
    /// The file is not valid.
    #[error(
        "`{}` is not valid {kind}: line {line}, column {column}: {what}; {} cannot read it either, so it stays as it is: correct it first",
        path.display(),
        client.title()
    )]
    Syntax {
        /// The client.
        client: Client,
        /// The file.
        path: PathBuf,
        /// What it should be: `JSON` or `TOML`.
        kind: &'static str,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong there.
        what: String,
    },
    /// The file is valid, but its parts are not where the client reads them, or written in a way that is not edited here.
    #[error("`{}`, line {line}: {what}", path.display())]
    Shape {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is there, and what to do.
        what: String,
    },
    /// An entry of this name starts something else.
    #[error(
        "`{}` has a server `{name}` that is not wisp's ({}); it stays: give wisp's another name, or force it",
        path.display(),
        if command.is_empty() { "it starts no program" } else { command.as_str() }
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The name.
        name: String,
        /// What it starts.
        command: String,
    },
    /// The file cannot be read.
    #[error("`{}` cannot be read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is larger than a configuration can be.
    #[error("`{}` is larger than {max} bytes, which no configuration is", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Maximum bytes.
        max: u64,
    },
    /// The file cannot be written.
    #[error("`{}` cannot be written: {source}; it is as it was", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is another one than the change was planned for.
    #[error("`{}` has changed since it was read, so nothing was written; run it again", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// The edit would have changed more than the entry: a bug, which was caught before anything was written.
    #[error("wisp cannot edit `{}` without changing more than its own entry, so it stays as it is; add the entry by hand: {what}", path.display())]
    Unsafe {
        /// The file.
        path: PathBuf,
        /// What was wrong with the edit.
        what: &'static str,
    },
}

impl InstallError {
    /// Returns the code of this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::NoHome
            | Self::RelativeVariable { .. }
            | Self::Name { .. }
            | Self::RelativeCommand { .. }
            | Self::NotText { .. }
            | Self::Mark { .. }
            | Self::NoHook { .. }
            | Self::HookAddress { .. } => ErrorCode::InvalidArgument,
            Self::Syntax { .. } | Self::Shape { .. } => ErrorCode::InvalidData,
            Self::Foreign { .. }
            | Self::ForeignEnvironment { .. }
            | Self::OtherSetting { .. }
            | Self::HooksOff { .. }
            | Self::MixedHooks { .. }
            | Self::ForeignFile { .. }
            | Self::Changed { .. } => ErrorCode::Conflict,
            Self::TooLarge { .. } => ErrorCode::TooLarge,
            Self::Read { .. } | Self::Write { .. } => ErrorCode::IoError,
            Self::Unsafe { .. } => ErrorCode::Internal,
        }
    }
}

wisp_error!(InstallError);
