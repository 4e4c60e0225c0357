//! Sessions: an engine for the process, a session for each conversation, a command for each thing it runs.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use wisp::{Command, Components, Engine, Policy};
//!
//! let engine = Engine::new(Components::from_folder("target/components")?)?;
//! let session = engine.session(&Policy::offline()).build().await?;
//! let outcome = session.run(Command::new("sh").args(["-c", "echo hi | wc -c"])).await?;
//! assert_eq!(outcome.stdout, b"3\n");
//! # Ok(()) }
//! ```

pub(crate) mod apply;
pub(crate) mod builder;
pub(crate) mod code;
pub(crate) mod engine;
pub(crate) mod error;
mod functions;
pub(crate) mod handle;
pub(crate) mod request;
pub(crate) mod run;
pub(crate) mod running;
pub(crate) mod shell;
pub(crate) mod template;

pub use apply::{ApplyChange, ApplyError, ApplyOptions, ApplyPlan};
pub use builder::SessionBuilder;
pub use engine::{Engine, EngineBuilder};
pub use error::EngineError;
pub use handle::{Session, Snapshot};
pub use request::{HttpError, HttpRequest, HttpResponse};
pub use running::Running;
pub use shell::{Shell, ShellCall, ShellSnapshot};
pub use template::SessionTemplate;
