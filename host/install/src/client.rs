//! The clients: where each keeps its configuration, and what it does not say itself.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::format::Format;
use crate::{Home, InstallError, Scope, disk};

/// A coding agent that starts MCP servers.
///
/// Claude Code 2.1.332, Codex 0.171.0 and OpenCode 1.18.33 were run to learn what is said here of them; of VS Code, its "MCP
/// configuration reference" and its source were read (`mcpResourceScannerService.ts`); of Cursor, its page "Model Context Protocol".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Client {
    /// Claude Code.
    Claude,
    /// Codex: the command, and the extension for editors, which shares its configuration.
    Codex,
    /// Cursor: the editor and the command.
    Cursor,
    /// Visual Studio Code.
    VsCode,
    /// OpenCode.
    OpenCode,
}

impl Client {
    /// Every client.
    pub const ALL: &'static [Self] = &[Self::Claude, Self::Codex, Self::Cursor, Self::VsCode, Self::OpenCode];

    /// Returns the name that the command takes: `claude`, `codex`, `cursor`, `vscode` or `opencode`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Cursor => "cursor",
            Self::VsCode => "vscode",
            Self::OpenCode => "opencode",
        }
    }

    /// Returns the name that its makers give it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Claude => "Claude Code",
            Self::Codex => "Codex",
            Self::Cursor => "Cursor",
            Self::VsCode => "VS Code",
            Self::OpenCode => "OpenCode",
        }
    }

    /// Returns what a person does after the entry is written, as a sentence.
    pub fn next_step(self, scope: &Scope) -> &'static str {
        match (self, scope) {
            (Self::Claude, Scope::User) => "Start a new session of Claude Code; `/mcp` shows the server.",
            (Self::Claude, Scope::Project(_)) => "Start Claude Code in this folder: it asks once whether the server may run.",
            (Self::Codex, Scope::User) => "Start a new session of Codex; `/mcp` shows the server.",
            (Self::Codex, Scope::Project(_)) => "Codex reads this file only in a folder that you trust: it asks when it starts there.",
            (Self::Cursor, _) => "Switch the server on in Cursor's settings, under MCP, if it is not.",
            (Self::VsCode, _) => "Run `MCP: List Servers` in VS Code and start the server: it asks once whether you trust it.",
            (Self::OpenCode, _) => "Start OpenCode again; `opencode mcp list` shows the server.",
        }
    }

    /// Returns the files that the client reads in this scope, the one that counts most first. What is written goes into the first
    /// that exists, or else the last.
    pub(crate) fn files(self, home: &Home, scope: &Scope) -> Result<Vec<PathBuf>, InstallError> {
        Ok(match (self, scope) {
            (Self::Claude, Scope::User) => vec![claude(home)?],
            (Self::Claude, Scope::Project(folder)) => vec![folder.join(".mcp.json")],
            (Self::Codex, Scope::User) => {
                let folder = home.variable("CODEX_HOME")?.map(Path::to_path_buf);
                vec![folder.map_or_else(|| home.home().map(|home| home.join(".codex")), Ok)?.join("config.toml")]
            }
            (Self::Codex, Scope::Project(folder)) => vec![folder.join(".codex/config.toml")],
            (Self::Cursor, Scope::User) => vec![home.home()?.join(".cursor/mcp.json")],
            (Self::Cursor, Scope::Project(folder)) => vec![folder.join(".cursor/mcp.json")],
            (Self::VsCode, Scope::User) => vec![home.config()?.join("Code/User/mcp.json")],
            (Self::VsCode, Scope::Project(folder)) => vec![folder.join(".vscode/mcp.json")],
            // It merges both; what `opencode.jsonc` says counts.
            (Self::OpenCode, scope) => {
                let folder = match scope {
                    Scope::User => home.config()?.join("opencode"),
                    Scope::Project(folder) => folder.clone(),
                };
                vec![folder.join("opencode.jsonc"), folder.join("opencode.json")]
            }
        })
    }

    /// Returns how its file is written.
    pub(crate) fn format(self) -> Format {
        match self {
            // It calls a file with a comment or a comma too many damaged, and does not start.
            Self::Claude => Format::Json,
            Self::Codex => Format::Toml,
            // Of Cursor it is not written anywhere: what is there stays, and nothing is added that strict JSON lacks.
            Self::Cursor | Self::VsCode | Self::OpenCode => Format::Jsonc,
        }
    }

    /// Returns the keys that lead to the servers.
    pub(crate) fn section(self) -> &'static [&'static str] {
        match self {
            Self::Claude | Self::Cursor => &["mcpServers"],
            Self::Codex => &["mcp_servers"],
            Self::VsCode => &["servers"],
            Self::OpenCode => &["mcp"],
        }
    }

    /// Returns a configuration that says nothing, for a file that does not exist.
    pub(crate) fn blank(self) -> &'static str {
        match self {
            Self::Claude | Self::Cursor | Self::VsCode => "{}\n",
            Self::Codex => "",
            // It adds this line itself to a file that lacks it.
            Self::OpenCode => "{\n  \"$schema\": \"https://opencode.ai/config.json\"\n}\n",
        }
    }

    /// Returns the mode of a file that is made, before the umask: what the client itself makes. Claude Code and Codex keep to the
    /// user what may hold a secret; a project's file is for everyone.
    pub(crate) fn mode(self, scope: &Scope) -> u32 {
        match (self, scope) {
            (Self::Claude | Self::Codex, Scope::User) => 0o600,
            _ => 0o666,
        }
    }

    /// Returns the marks that the client replaces in the texts of an entry.
    pub(crate) fn marks(self) -> &'static [&'static str] {
        match self {
            Self::Claude | Self::Cursor | Self::VsCode => &["${"],
            Self::Codex => &[],
            Self::OpenCode => &["{env:", "{file:"],
        }
    }
}

/// Returns the file in which Claude Code keeps its state: `~/.claude.json`, or `.claude.json` in `$CLAUDE_CONFIG_DIR`; where the older
/// `.config.json` exists, it reads and writes that one alone.
fn claude(home: &Home) -> Result<PathBuf, InstallError> {
    let own = home.variable("CLAUDE_CONFIG_DIR")?;
    let older = match own {
        Some(folder) => folder.join(".config.json"),
        None => home.home()?.join(".claude/.config.json"),
    };
    if disk::exists(&older) {
        return Ok(older);
    }
    Ok(own.map_or_else(|| home.home(), Ok)?.join(".claude.json"))
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A name that is no client of this version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is no client that wisp knows; it knows claude, codex, cursor, vscode and opencode")]
#[non_exhaustive]
pub struct UnknownClient {
    /// The name.
    pub name: String,
}

impl FromStr for Client {
    type Err = UnknownClient;

    fn from_str(name: &str) -> Result<Self, UnknownClient> {
        let found = Self::ALL.iter().find(|client| client.as_str() == name);
        found.copied().ok_or_else(|| UnknownClient { name: name.to_owned() })
    }
}
