//! Policies: what a session may do, as data that can be reviewed. The crate does no I/O: text goes in, a checked
//! [`Policy`] or all findings come out; everything else comes from a [`Source`].
//!
//! How a text is processed: [`schema`] defines the keys · `read` turns TOML into typed values with their places ·
//! `layer` is one text as written · `extends` merges a chain of layers, options last · `settle` checks their
//! combination and makes the [`Policy`].
//!
//! ```
//! use wisp_policy::Policy;
//! let policy = Policy::offline().with_env("LANG", "C")?.with_value("limits.memory", "64MiB")?;
//! assert_eq!(policy.limits().memory, 64 << 20);
//! assert_eq!(policy.rules()["limits.memory"].to_string(), "host program");
//! # Ok::<(), wisp_policy::PolicyErrors>(())
//! ```

mod canonical;
pub mod capability;
pub mod digest;
mod env;
mod extends;
mod finding;
mod guard;
mod host;
mod host_path;
pub mod hosts;
mod imports;
mod json_schema;
mod layer;
pub mod layout;
mod limits;
pub mod lookup;
mod mcp;
mod mounts;
mod network;
mod numbers;
mod overrides;
mod parts;
#[allow(clippy::module_inception, reason = "the type's file has the type's name")]
mod policy;
mod python;
mod read;
pub mod reference;
mod render;
mod rule;
mod scalars;
pub mod schema;
mod section;
mod setting;
mod settle;
mod shipped_tools;
mod source;
mod spelling;
mod subject;
mod tables;
#[cfg(test)]
mod tests;
mod tools;
pub mod url;
mod value;

pub use extends::{SHIPPED as SHIPPED_POLICIES, Shipped};
pub use finding::{Finding, Findings, Location, Note, PolicyErrors, SourceFile, is_invisible, quote};
pub use guard::ProtectedPath;
pub use host::HostGrant;
pub use imports::ImportComponent;
pub use limits::POLICY_BYTES;
pub use mcp::{McpCommand, McpHttp, McpServer, McpTool, McpTransport};
pub use network::{AllowRule, Network, SecretPlace, SecretRule};
pub use overrides::Overrides;
pub use parts::{Access, CustomTool, Determinism, Filesystem, Limits, Mount, Output, Tools};
pub use policy::Policy;
pub use render::{Palette, render};
pub use rule::{Origin, Rule, rule_for_guests};
pub use shipped_tools::{components_of, tool_of};
pub use source::{NoFiles, PolicyText, Source, SourceError};
pub use value::{duration_text, size_text};
