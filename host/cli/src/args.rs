//! The arguments of each subcommand, and the text of `--help`.

mod codex;
mod codex_install;
mod hooks;
mod mcp;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use serde::{Deserialize, Serialize};
use wisp::policy::Overrides;

use crate::help;

pub(crate) use codex::{Codex, CodexCommands, CodexServe};
pub(crate) use codex_install::{CodexInstall, CodexStatus, CodexUninstall};
pub(crate) use hooks::{Hooks, HooksCommands, HooksInstall, HooksRun, HooksUninstall};
pub(crate) use mcp::{Mcp, McpCommands, McpEntry, McpInstall, McpServe, McpUninstall};

/// The policy of a run that does not name one.
const DEFAULT_POLICY: &str = "offline";

/// Run the code that agents write: shell, coreutils and Python as WebAssembly components on one in-memory filesystem
///
/// A policy, a reviewed TOML file, says what a session may do. What it does not grant is not linked: by default no
/// network, and no files of the host except what is mounted.
#[derive(Debug, Parser)]
#[command(name = "wisp", version, after_help = help::WISP, subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct Arguments {
    /// Whether to go on where the kernel cannot confine wisp itself: `try` (the default) or `require`
    ///
    /// With `require`, a command that confines itself (`run`, `mcp`, `codex`, `session`) ends with 125 where Landlock or seccomp is missing,
    /// before a guest runs. The variable WISP_CONFINE stands for this. `wisp doctor` shows what this kernel offers.
    #[arg(long, global = true, value_name = "HOW", value_enum, hide_possible_values = true)]
    pub(crate) confine: Option<Confine>,

    #[command(subcommand)]
    pub(crate) command: Commands,
}

impl Arguments {
    /// Returns whether wisp is asked to leave itself as it is.
    pub(crate) fn no_confine(&self) -> bool {
        match &self.command {
            Commands::Run(run) => run.no_confine,
            Commands::Session(sessions) => sessions.no_confine,
            Commands::Mcp(mcp) => mcp.serve.no_confine,
            Commands::Codex(codex) => codex.serve.no_confine,
            _ => false,
        }
    }
}

/// How much wisp insists on being confined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Confine {
    /// Goes on without what the kernel lacks.
    Try,
    /// Ends where the kernel lacks something.
    Require,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Commands {
    Run(Run),
    Explain(Explain),
    Check(Check),
    Policies(Policies),
    Session(Sessions),
    Mcp(Mcp),
    Codex(Codex),
    Hooks(Hooks),
    Prepare(Prepare),
    Doctor(Doctor),
    /// Keep a session open (`wisp run --resident` starts this)
    #[command(hide = true)]
    Resident,
}

/// What defines a session: the policy, and what the command line adds to it.
#[derive(Debug, Clone, Args, Serialize, Deserialize)]
pub(crate) struct Grants {
    /// The policy: a file, or the name of a shipped one (see `wisp policies`)
    #[arg(long, value_name = "FILE|NAME", default_value = DEFAULT_POLICY)]
    pub(crate) policy: String,

    /// Mount a directory or a file of the host in the sandbox
    ///
    /// ACCESS is `read` (the default), `write` (the host's files change) or `overlay` (reads see the host's files,
    /// writes stay in memory). GUEST is an absolute path; for a single file, that of the file
    /// (`./data.csv:/mnt/input/data.csv`). Can be given several times.
    #[arg(long, value_name = "HOST:GUEST[:ACCESS]")]
    pub(crate) mount: Vec<String>,

    /// Set a variable of the environment; nothing is inherited
    ///
    /// Can be given several times.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) env: Vec<String>,

    /// Allow requests (GET and HEAD, or METHODS) to URLs that begin with this
    ///
    /// Such as `https://api.github.com/repos/`; `https://*.example.com` matches all hosts below example.com. With
    /// other methods: `'GET,POST https://api.example.com/v1/'`. Can be given several times.
    #[arg(long, value_name = "[METHODS ]URL")]
    pub(crate) allow: Vec<String>,

    /// Let pip install from the package index at this URL
    ///
    /// It allows reading (GET and HEAD) below the URL, and sets `PIP_INDEX_URL`. Where the index's links lead to another
    /// place, allow that by `--allow`. `--set python.wheels=DIR` installs from a folder of wheels instead.
    #[arg(long, value_name = "URL")]
    pub(crate) index: Option<String>,

    /// Set any key of the policy, such as `limits.memory=1GiB`
    ///
    /// VALUE is TOML, or otherwise text: `tools.allow=["sh", "coreutils"]`, `determinism.seed=7`. policies/README.md
    /// lists every key. Can be given several times.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,

    /// Add a component of yours to PATH as NAME
    ///
    /// Any WASI 0.2 command works. Can be given several times.
    #[arg(long, value_name = "NAME=FILE")]
    pub(crate) tool: Vec<String>,
}

impl Grants {
    /// Returns whether the command line says what the policy is.
    pub(crate) fn given(&self) -> bool {
        self.policy != DEFAULT_POLICY || self.adds()
    }

    /// Returns whether options change what the policy says.
    pub(crate) fn adds(&self) -> bool {
        let lists = [&self.mount, &self.env, &self.allow, &self.set, &self.tool];
        self.index.is_some() || lists.into_iter().any(|list| !list.is_empty())
    }

    /// Returns what the command line adds to the policy.
    pub(crate) fn overrides(&self) -> Overrides {
        let overrides = self.mount.iter().fold(Overrides::command_line(), |overrides, mount| overrides.mount(mount));
        let overrides = self.env.iter().fold(overrides, |overrides, env| overrides.env(env));
        let overrides = self.allow.iter().fold(overrides, |overrides, url| overrides.allow(url));
        let overrides = self.index.iter().fold(overrides, |overrides, url| overrides.index(url));
        let overrides = overrides.set(&self.set);
        self.tool.iter().fold(overrides, |overrides, tool| overrides.tool(tool))
    }
}

/// Run a command in a new sandbox
///
/// Output streams as it is produced, standard input is passed on, and the command's exit code becomes wisp's. Ctrl-C
/// interrupts the command, which may clean up, and where it has no terminal a second one ends it. SIGTERM and SIGHUP reach all
/// its processes, which have 5 seconds to clean up, and wisp ends with 143 or 129. The files in /output are kept. At a
/// terminal, the command has a terminal of the sandbox: `wisp run -- sh` is an interactive shell.
#[derive(Debug, Args)]
#[command(after_help = help::RUN)]
pub(crate) struct Run {
    #[command(flatten)]
    pub(crate) grants: Grants,

    /// Copy the files in /output to this directory when the command has ended
    ///
    /// The directory is created if necessary. No file is written through a symbolic link, and no existing file is
    /// replaced without --force. Dotfiles are copied, and modes and times are kept, as far as the umask lets them. What is
    /// not copied has a line each: symbolic links, names with control characters or direction marks, and what is more than
    /// `output.max_files` or `output.max_bytes`. If its data is lost with it, the exit code is 125; so it is where files are
    /// left in /output without this option, --json or --session.
    #[arg(long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,

    /// With --output: replace existing files
    #[arg(long, requires = "output")]
    pub(crate) force: bool,

    /// Print one JSON document when the command has ended, instead of streaming its output
    #[arg(long)]
    pub(crate) json: bool,

    /// With --json: include the contents of the files in /output, in base64
    #[arg(long, requires = "json")]
    pub(crate) inline: bool,

    /// Write each decision to this file as a line of JSON, as it is made
    ///
    /// A decision is about a mount, a started tool, a request or a limit; or about a refused attempt: a file outside
    /// the mounts, a socket or request without a network, a program that is not a tool. Each line has what was asked,
    /// the rule, and whether it was allowed or denied; repeated refusals share a line with their count. After 64 MiB,
    /// the last line counts the rest.
    #[arg(long, value_name = "FILE")]
    pub(crate) receipts: Option<PathBuf>,

    /// Write each event to this file as a line of JSON, as it happens
    ///
    /// Events are the start and end of the command and its processes, pieces of its output, decisions, limits, and
    /// what is being compiled. `-` is standard error, with --json; /dev/fd/3 is descriptor 3. The schema is
    /// host/api/schema/event.json.
    #[arg(long, value_name = "FILE")]
    pub(crate) events: Option<PathBuf>,

    /// Keep what functions answer in this file, for --replay-functions
    ///
    /// Functions are the tools of servers that the policy names (`[[host.mcp]]`). A policy with `[determinism]` needs
    /// this or --replay-functions to have them: what they answer may differ each time. The file has their results in it.
    #[arg(long, value_name = "FILE", conflicts_with = "replay_functions")]
    pub(crate) record_functions: Option<PathBuf>,

    /// Take the answers of functions from this file, which --record-functions wrote, and call none of them
    #[arg(long, value_name = "FILE")]
    pub(crate) replay_functions: Option<PathBuf>,

    /// End the command after this time, such as 500ms, 30s or 5m (`limits.wall`)
    #[arg(long, value_name = "DURATION")]
    pub(crate) timeout: Option<String>,

    /// Continue from the last run with this NAME, and keep the state for the next one
    ///
    /// The state is the files, the policy of the first run, the variables, functions and directory of one shell, which
    /// `sh -c` and at a terminal `sh` continue, and one Python interpreter between `python3 -c` commands. `wisp session`
    /// lists, exports and removes sessions.
    #[arg(long, value_name = "NAME")]
    pub(crate) session: Option<String>,

    /// With --session: keep the session open in a helper, so that the next call does not load it: milliseconds, with Python too
    ///
    /// The first such call starts the helper, a process of yours that is confined like this one. It saves the session
    /// after a minute without a call, and ends after IDLE without a call: 1s to 7d, by default 10m. Calls without
    /// --resident and `wisp session` make it save the session and end. If it is killed, the next call says what is lost.
    /// There is no terminal of the sandbox. The variable WISP_RESIDENT (1, or IDLE) stands for this where there is a
    /// --session; 0 switches it off.
    #[arg(long, value_name = "IDLE", num_args = 0..=1, require_equals = true, default_missing_value = "10m")]
    pub(crate) resident: Option<String>,

    /// Start the command in this directory of the sandbox instead of /home/user
    ///
    /// A relative path starts at /home/user. The directory must exist: in a mount, or in the sandbox itself.
    #[arg(long, value_name = "DIR")]
    pub(crate) workdir: Option<String>,

    /// Fail unless standard input, output and error are a terminal; at one, this is the default
    #[arg(short, long, conflicts_with = "json")]
    pub(crate) interactive: bool,

    /// Give the command a terminal of the sandbox, as where standard input, output and error are a terminal; fail elsewhere
    ///
    /// Its programs read keys: an editor in the shell and in Python, `less`, `watch`, `stty`. Ctrl-C, Ctrl-Z and Ctrl-D are
    /// keys for it. Ctrl-] three times within a second ends the command, whatever it does with keys.
    #[arg(short, long, conflicts_with_all = ["json", "no_tty"])]
    pub(crate) tty: bool,

    /// Give the command no terminal of the sandbox: lines pass as through a pipe, also at a terminal
    ///
    /// Programs can test whether they write to a terminal, but have neither its keys nor its settings. Ctrl-C interrupts them, and
    /// a second one ends the command; `limits.wall` counts the time in which you type.
    #[arg(short = 'T', long)]
    pub(crate) no_tty: bool,

    /// Pass all output of the command to the terminal unfiltered
    ///
    /// Without it, text, colours, cursor movement, links to the web, the modes of keys, mouse and screen, and questions about
    /// the cursor pass to the terminal; with --no-tty, and without input from a terminal, text and colours. Other sequences,
    /// which set titles, write the clipboard or make the terminal send an answer, do not pass.
    #[arg(long, conflicts_with = "json")]
    pub(crate) raw: bool,

    /// Do not confine wisp itself
    ///
    /// Without it, once the policy is read, the kernel refuses wisp all files except the mounts, --output and its
    /// cache, all sockets unless the policy has a network, and starting programs. `wisp doctor` shows what this
    /// kernel offers.
    #[arg(long)]
    pub(crate) no_confine: bool,

    /// The command and its arguments, after `--`
    #[arg(last = true, required = true, value_name = "CMD")]
    pub(crate) command: Vec<OsString>,
}

/// Show what a session may do, its limits, and what every component may import, each with the rule that says so
///
/// Nothing is compiled and nothing runs. The exit code is 2 if the policy is wrong, or if a component imports
/// something that cannot be granted. Secrets and certificates are checked when a session starts.
#[derive(Debug, Args)]
#[command(after_help = help::EXPLAIN)]
pub(crate) struct Explain {
    #[command(flatten)]
    pub(crate) grants: Grants,

    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,

    /// Print a page for the prompt of the model that works in the sandbox: what it has, and what it lacks
    #[arg(long, conflicts_with = "json")]
    pub(crate) for_model: bool,
}

/// Report everything that is wrong with policies
///
/// Reports all findings in all files, each with its place, a caret and what to write instead. Components that a
/// policy names are checked too: that they are components, have the right digest, and import nothing that is refused.
/// Nothing runs and nothing is created.
#[derive(Debug, Args)]
#[command(after_help = help::CHECK)]
pub(crate) struct Check {
    /// The policies: files, or names of shipped policies
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
}

/// List the shipped policies, or print one, or the schema of all
#[derive(Debug, Args)]
#[command(after_help = help::POLICIES)]
pub(crate) struct Policies {
    /// Print the text of this policy
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// Print the JSON Schema of policy files, from which editors complete and check keys
    #[arg(long, conflicts_with = "name")]
    pub(crate) schema: bool,
}

/// List, compare, apply, export or remove the sessions that `wisp run --session` keeps
///
/// They are in `$XDG_STATE_HOME/wisp/sessions` or `~/.local/state/wisp/sessions`, readable only by you.
#[derive(Debug, Args)]
#[command(after_help = help::SESSION)]
pub(crate) struct Sessions {
    /// Do not confine wisp itself
    ///
    /// Without it, the kernel refuses wisp all files except those of the sessions (for a diff or an export, also the mounts of
    /// the policy and wisp's cache), all sockets, and starting programs. `apply` may write the folders of overlays, and no other.
    #[arg(long, global = true)]
    pub(crate) no_confine: bool,

    #[command(subcommand)]
    pub(crate) command: SessionCommands,
}

/// What to do with sessions.
#[derive(Debug, Subcommand)]
pub(crate) enum SessionCommands {
    /// List the sessions
    List {
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Remove sessions and everything that they kept
    Rm {
        /// The sessions
        #[arg(required = true, value_name = "NAME")]
        names: Vec<String>,
    },
    Diff(SessionDiff),
    Apply(SessionApply),
    /// Write a session's files into a tar archive: /home/user, /tmp, /workspace, /output, and what overlay mounts changed
    ///
    /// Of a mount with overlay access, the archive has the files that the session added or changed, not those that the
    /// host has already. An archive cannot say that a file was removed: `wisp session diff` can.
    Export {
        /// The session
        name: String,
        /// The archive, which must not exist yet; `-` is standard output
        file: PathBuf,
    },
}

/// Show what a session changed, as a unified diff that `git apply` and `patch -p1` read
///
/// Files of the sandbox are compared with those that the session began with, files in a mount with overlay access with
/// those that the host's folder has now. Mounts with other access are left out: what is in them is the host's. Times are
/// not compared. Files that are no text or have more than 4 MiB are named, without their contents.
#[derive(Debug, Args)]
#[command(after_help = help::SESSION_DIFF)]
pub(crate) struct SessionDiff {
    /// The session
    pub(crate) name: String,

    /// Only this file or directory of the sandbox; the names in the diff are then relative to the directory
    ///
    /// A relative path starts at /home/user. Symbolic links on the way are not followed.
    pub(crate) path: Option<String>,

    /// Print a line for each file instead: what happened to it, and how many lines were added and removed
    #[arg(long, conflicts_with = "json")]
    pub(crate) stat: bool,

    /// Print one JSON document: a list of the files, without their contents
    #[arg(long)]
    pub(crate) json: bool,
}

/// Write what a session changed in overlay mounts to the host's folders
///
/// Everything is taken over: contents, modes, symbolic links, and what was removed. If the host has changed one of these files
/// since the session did, nothing is written, and each such file is named. Afterwards the session shows what the host has.
///
/// A link that leads out of the folder, or could later, is written only if `--only` names it. Pipes, sockets, times, owners and hard links stay in
/// the session, and so do the policy, tools and other files that the next run trusts.
#[derive(Debug, Args)]
#[command(after_help = help::SESSION_APPLY)]
pub(crate) struct SessionApply {
    /// The session
    pub(crate) name: String,

    /// Show what would be written, and what conflicts; write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Only what was changed at this path of the sandbox and below it
    ///
    /// Can be given several times. A relative path starts at /home/user.
    #[arg(long, value_name = "PATH")]
    pub(crate) only: Vec<String>,

    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// Compile ahead of time, for images, CI and the first start
///
/// Without it, each tool is compiled when it first runs on a machine, which takes seconds, and kept in the cache
/// ($XDG_CACHE_HOME/wisp/code, or ~/.cache/wisp/code). Give the same options as for `wisp run`: what a policy grants
/// decides which code is needed.
#[derive(Debug, Args)]
#[command(after_help = help::PREPARE)]
pub(crate) struct Prepare {
    #[command(flatten)]
    pub(crate) grants: Grants,

    /// Also compile for commands whose instructions are counted (`limits.instructions`, `[determinism]`)
    ///
    /// Such commands need separate code. A policy that has one of these keys gets it without this option.
    #[arg(long)]
    pub(crate) instructions: bool,

    /// Also copy the machine code into this directory
    ///
    /// wisp searches a folder `wisp.code` beside the binary `wisp` before it compiles anything. The folder can be
    /// read-only; it must belong to root, the owner of the binary or the user, and must not be writable by others.
    #[arg(long, value_name = "DIR")]
    pub(crate) into: Option<PathBuf>,

    /// Compile the image of python3 of this name (`tools.python`), and nothing else: `data`
    ///
    /// `data` is CPython with numpy, pandas, scipy, scikit-learn and matplotlib. It takes about 3 minutes and 380 MB of the
    /// cache, once; a command never compiles it by itself. With `--instructions`, the same again for such commands.
    #[arg(long, value_name = "NAME", conflicts_with = "names")]
    pub(crate) image: Option<String>,

    /// The programs to prepare, such as `sh` or `python3`; by default all programs of the policy
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
}

impl Prepare {
    /// Returns what prepares all programs of a policy.
    pub(crate) fn of(grants: Grants) -> Self {
        Self { grants, instructions: false, into: None, image: None, names: Vec::new() }
    }
}

/// Show what this machine offers, and what is slower without it
///
/// Kernel features, the cache of machine code, the components and their digests.
#[derive(Debug, Args)]
#[command(after_help = help::DOCTOR)]
pub(crate) struct Doctor {}
