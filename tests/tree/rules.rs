//! The rules of the tree that are lists: which crate and module may name which, and what goes through one place. `house` checks them.

/// Which modules and crates a module of the library may name. A module that is missing here is an error: add it where
/// it belongs.
pub(crate) const DIRECTIONS: &[(&str, &[&str])] = &[
    ("policy_files", &["policy", "mount"]),
    ("confine", &["api", "policy"]),
    ("meter", &[]),
    ("tasks", &[]),
    ("runtime", &["api", "meter"]),
    ("mount", &["spelling", "vfs"]),
    ("files", &["api", "diff", "meter", "policy", "spelling", "vfs"]),
    ("wasi", &["api", "meter", "tasks", "net", "spelling", "vfs", "process"]),
    ("outcome", &["api", "policy", "vfs", "process", "meter", "net", "wasi"]),
    ("functions", &["api", "outcome", "policy", "process", "meter", "runtime", "wasi"]),
    (
        "program",
        &["api", "outcome", "policy", "policy_files", "vfs", "process", "components", "meter", "tasks", "runtime", "wasi", "world"],
    ),
    (
        "exec",
        &[
            "api",
            "program",
            "functions",
            "outcome",
            "policy",
            "vfs",
            "process",
            "meter",
            "tasks",
            "runtime",
            "net",
            "spelling",
            "wasi",
            "world",
        ],
    ),
    (
        "session",
        &[
            "api",
            "exec",
            "files",
            "program",
            "functions",
            "outcome",
            "policy",
            "policy_files",
            "vfs",
            "process",
            "components",
            "meter",
            "runtime",
            "mount",
            "net",
            "wasi",
            "world",
        ],
    ),
    ("errors", &["api", "confine", "exec", "files", "functions", "interpreter", "program", "runtime", "session"]),
    ("interpreter", &["api", "session", "exec", "program", "outcome", "policy", "vfs", "process", "meter", "runtime", "wasi"]),
];

/// The crates below the library, without `wisp_`.
pub(crate) const CRATES: &[&str] = &["api", "components", "diff", "net", "policy", "process", "spelling", "vfs", "world"];

/// The crates above the library, and which of ours they may use. A surface stands on the service, not beside it.
pub(crate) const ABOVE: &[(&str, &[&str])] = &[
    ("codex", &["wisp", "wisp-api", "wisp-service"]),
    ("embedded", &["wisp-components"]),
    ("install", &["wisp-api", "wisp-diff"]),
    ("mcp", &["wisp", "wisp-api", "wisp-service"]),
    ("mcp-client", &["wisp", "wisp-net"]),
    ("python", &["wisp", "wisp-api", "wisp-cli", "wisp-embedded", "wisp-mcp-client", "wisp-service", "wisp-spelling"]),
    ("service", &["wisp", "wisp-api"]),
    ("cli", &["wisp", "wisp-codex", "wisp-embedded", "wisp-install", "wisp-mcp", "wisp-mcp-client", "wisp-service", "wisp-spelling"]),
];

/// What only a surface has: a protocol, a command line, errors without types.
pub(crate) const SURFACE: &[&str] = &["anyhow", "axum", "clap", "http", "hyper", "pyo3", "rmcp", "tokio-tungstenite"];

/// Pure crates: everything from outside is passed to them. They also build for `wasm32-wasip2`.
pub(crate) const PURE: &[&str] = &["api", "diff", "policy", "spelling", "vfs", "process", "world"];

/// What of the repository outside of `components/` a guest may depend on: leaves, which have none of our crates with them. The guest
/// `patch` reads the diffs that the library reads, and both sides spell names alike.
pub(crate) const LEAVES: &[&str] = &["host/diff", "host/spelling"];

/// Names that only some files may use, because all others must go through these files.
pub(crate) const THROUGH: &[(&str, &[&str], &str)] = &[
    (
        "tokio::time",
        &[
            "cli/resident/timer.rs",
            "cli/run.rs",
            "cli/signals.rs",
            "codex/timer.rs",
            "mcp-client/time.rs",
            "mcp/timer.rs",
            "service/timer.rs",
            "wisp/session/code.rs",
        ],
        "a runtime's timers are late while guests compute; `runtime::Ticker` has the limits on time, guests' timers and time-outs of requests",
    ),
    (
        "spawn_blocking",
        &["python/transfer/mod.rs", "wisp/meter.rs"],
        "`meter::blocking` charges the work to its process's `limits.cpu`; the other is work for the host program, not for a process",
    ),
    (
        "ResourceTable",
        &["wisp/wasi/handles.rs", "wisp/wasi/context.rs", "wisp/wasi/link.rs", "wisp/wasi/filesystem/handle.rs", "wisp/program/store.rs"],
        "`wasi::Handles` charges what is put there to `limits.memory`; beside it, only wasmtime's own `wasi:io` has the bare table",
    ),
    ("io::stderr", &["cli/outputs.rs"], "what cannot be written there is lost: `outputs::Standard` remembers that, for the exit code"),
    ("io::stdout", &["cli/outputs.rs"], "what cannot be written there is lost: `outputs::Standard` remembers that, for the exit code"),
    (
        "Standard::Error.",
        &["cli/lines.rs", "cli/messages.rs", "cli/run.rs", "cli/terminal.rs"],
        "a guest chooses words of messages: `cli/messages.rs` writes them so that they do not act on a terminal; the others write JSON, and \
         look whether there is a terminal",
    ),
    (
        " for WasiView<",
        &[],
        "an interface sees its own part of a process (`wasi::context::Part`), not the whole: implement its trait on a view of that",
    ),
];

/// Errors of the public interface that are not wisp's, so that they have no code of wisp.
pub(crate) const WITHOUT_CODE: &[(&str, &str)] = &[
    ("wisp::Exception", "an exception of the evaluated code, which has the name of its type"),
    ("wisp::HostFailure", "what a function of the host program says to the guest that called it, under a name of its own"),
];
