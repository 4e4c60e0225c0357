//! The arguments of each subcommand, and the text of `--help`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use wisp::policy::Overrides;

use crate::help;

/// The policy of a run that names none.
const DEFAULT_POLICY: &str = "offline";

/// Run the code that agents write: shell, coreutils and Python as WebAssembly components on one in-memory filesystem
///
/// A policy, a reviewed TOML file, says what a session may do. What it does not grant is not linked: no network, and of
/// the host's files only what is mounted.
#[derive(Debug, Parser)]
#[command(name = "wisp", version, after_help = help::WISP, subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Commands,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Commands {
    Run(Run),
    Explain(Explain),
    Check(Check),
    Policies(Policies),
    Session(Sessions),
    Prepare(Prepare),
    Doctor(Doctor),
}

/// What decides about a session: the policy, and what the command line adds to it.
#[derive(Debug, Args)]
pub(crate) struct Grants {
    /// The policy: a file, or the name of a shipped one (see `wisp policies`)
    #[arg(long, value_name = "FILE|NAME", default_value = DEFAULT_POLICY)]
    pub(crate) policy: String,

    /// Show a directory or a file of the host in the sandbox
    ///
    /// ACCESS is `read` (unless said), `write` (the host's files change) or `overlay` (reads fall through, writes stay in
    /// memory). GUEST is an absolute path; of a single file, that of the file (`./data.csv:/mnt/input/data.csv`). Can be given
    /// several times.
    #[arg(long, value_name = "HOST:GUEST[:ACCESS]")]
    pub(crate) mount: Vec<String>,

    /// Set a variable of the environment; nothing is inherited
    ///
    /// Can be given several times.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) env: Vec<String>,

    /// Allow requests (GET and HEAD, or METHODS) to URLs that begin with this
    ///
    /// Such as `https://api.github.com/repos/`; `https://*.example.com` are all hosts below one. With other methods:
    /// `'GET,POST https://api.example.com/v1/'`. Can be given several times.
    #[arg(long, value_name = "[METHODS ]URL")]
    pub(crate) allow: Vec<String>,

    /// Set any key of the policy, such as `limits.memory=1GiB`
    ///
    /// VALUE is TOML, or else text: `tools.allow=["sh", "coreutils"]`, `determinism.seed=7`. policies/README.md lists every
    /// key. Can be given several times.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,

    /// Put a component of yours on PATH as NAME
    ///
    /// Any WASI 0.2 command will do. Can be given several times.
    #[arg(long, value_name = "NAME=FILE")]
    pub(crate) tool: Vec<String>,
}

impl Grants {
    /// Whether the command line says anything about the policy.
    pub(crate) fn given(&self) -> bool {
        let lists = [&self.mount, &self.env, &self.allow, &self.set, &self.tool];
        self.policy != DEFAULT_POLICY || lists.into_iter().any(|list| !list.is_empty())
    }

    /// What the command line adds to the policy.
    pub(crate) fn overrides(&self) -> Overrides {
        let overrides = self.mount.iter().fold(Overrides::command_line(), |overrides, mount| overrides.mount(mount));
        let overrides = self.env.iter().fold(overrides, |overrides, env| overrides.env(env));
        let overrides = self.allow.iter().fold(overrides, |overrides, url| overrides.allow(url));
        let overrides = overrides.set(&self.set);
        self.tool.iter().fold(overrides, |overrides, tool| overrides.tool(tool))
    }
}

/// Run a command in a sandbox of its own
///
/// Its output streams as it is produced, standard input is passed on, and its exit code becomes wisp's. Ctrl-C interrupts it,
/// a second one ends it; what it wrote to /output is kept. At a terminal `wisp run -- sh` is a shell to work in.
#[derive(Debug, Args)]
#[command(after_help = help::RUN)]
pub(crate) struct Run {
    #[command(flatten)]
    pub(crate) grants: Grants,

    /// Copy the files of /output into this directory when the command has ended
    ///
    /// It is created if need be. Nothing is written through a symbolic link, and nothing over an existing file unless
    /// --force is given. Dotfiles are copied; names with control characters or marks of writing direction are left out, and said.
    #[arg(long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,

    /// With --output: replace files that exist
    #[arg(long, requires = "output")]
    pub(crate) force: bool,

    /// Print one JSON document when the command has ended, instead of its output as it is produced
    #[arg(long)]
    pub(crate) json: bool,

    /// With --json: put the contents of the files of /output into the document, in base64
    #[arg(long, requires = "json")]
    pub(crate) inline: bool,

    /// Write a line of JSON for each decision to this file as it is made
    ///
    /// A mount, a tool started, a request, a limit; and every attempt that is refused: a file that a mount does not give, a socket or a
    /// request without a network, a program that is no tool. What, by which rule, allowed or denied; refusals that repeat each
    /// other share a line, with their count. After 64 MiB the last line has the count of the rest.
    #[arg(long, value_name = "FILE")]
    pub(crate) receipts: Option<PathBuf>,

    /// Write a line of JSON for each event to this file as it happens
    ///
    /// Start and end of the command and of its processes, pieces of its output, decisions, limits, what is being compiled. `-` is
    /// standard error, with --json; /dev/fd/3 is descriptor 3. host/wisp/schema/event.json is the schema.
    #[arg(long, value_name = "FILE")]
    pub(crate) events: Option<PathBuf>,

    /// End the command after this time, such as 500ms, 30s or 5m (`limits.wall`)
    #[arg(long, value_name = "DURATION")]
    pub(crate) timeout: Option<String>,

    /// Go on where the last run with this NAME ended, and keep what this one leaves
    ///
    /// Kept are the files, the policy of the first run, what the shell knows between `sh -c` commands (variables, functions,
    /// the directory), and one Python interpreter between `python3 -c` commands. `wisp session` lists, exports and removes
    /// sessions.
    #[arg(long, value_name = "NAME")]
    pub(crate) session: Option<String>,

    /// Start the command in this directory of the sandbox instead of /home/user
    ///
    /// A relative path starts at /home/user. The directory must exist: a mount, or one of the sandbox's own.
    #[arg(long, value_name = "DIR")]
    pub(crate) workdir: Option<String>,

    /// Edit lines, with history, and let Ctrl-C interrupt what runs; so it is wherever input and output are a terminal
    #[arg(short, long, conflicts_with = "json")]
    pub(crate) interactive: bool,

    /// As --interactive: for those who are used to -it
    #[arg(short, long, conflicts_with = "json")]
    pub(crate) tty: bool,

    /// Pass everything to the terminal that the command writes
    ///
    /// Without it, where output is a terminal, text and colours pass, and in an interactive session what moves the cursor;
    /// what sets titles, writes the clipboard or asks the terminal for answers does not.
    #[arg(long, conflicts_with = "json")]
    pub(crate) raw: bool,

    /// Do not confine wisp itself
    ///
    /// Without it, once the policy is read, the kernel refuses wisp all files but the mounts, --output and its cache, all
    /// sockets unless the policy has a network, and to start programs. `wisp doctor` says what this kernel offers.
    #[arg(long)]
    pub(crate) no_confine: bool,

    /// The command and its arguments, behind `--`
    #[arg(last = true, required = true, value_name = "CMD")]
    pub(crate) command: Vec<OsString>,
}

/// Show what every component of a session may import, and by which rule
///
/// Nothing is compiled and nothing runs. The exit code is 2 if the policy is wrong, or a component imports what it cannot
/// give. Secrets and certificates are looked at when a session starts.
#[derive(Debug, Args)]
#[command(after_help = help::EXPLAIN)]
pub(crate) struct Explain {
    #[command(flatten)]
    pub(crate) grants: Grants,

    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,

    /// Print a page for the prompt of the model that works in the sandbox: what is there, and what is not
    #[arg(long, conflicts_with = "json")]
    pub(crate) for_model: bool,
}

/// Say everything that is wrong with policies
///
/// All findings of all files, each with its place, a caret and what to write instead. Components that a policy names are
/// checked too: whether they are components, have their digest, and import nothing that is refused. Nothing runs and
/// nothing is created.
#[derive(Debug, Args)]
#[command(after_help = help::CHECK)]
pub(crate) struct Check {
    /// The policies; the name of a shipped one will do too
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
}

/// List the shipped policies, or print one, or the schema of all
#[derive(Debug, Args)]
#[command(after_help = help::POLICIES)]
pub(crate) struct Policies {
    /// Print the text of this one
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// Print the JSON Schema of policy files, from which editors complete and check keys
    #[arg(long, conflicts_with = "name")]
    pub(crate) schema: bool,
}

/// List, export or remove the sessions that `wisp run --session` keeps
///
/// They are in `$XDG_STATE_HOME/wisp/sessions` or `~/.local/state/wisp/sessions`, readable by you alone.
#[derive(Debug, Args)]
#[command(after_help = help::SESSION)]
pub(crate) struct Sessions {
    /// Do not confine wisp itself
    ///
    /// Without it the kernel refuses wisp all files but those of the sessions (for an export, also the mounts of its policy and
    /// wisp's cache), all sockets, and to start programs.
    #[arg(long, global = true)]
    pub(crate) no_confine: bool,

    #[command(subcommand)]
    pub(crate) command: SessionCommands,
}

/// What to do with sessions.
#[derive(Debug, Subcommand)]
pub(crate) enum SessionCommands {
    /// List them
    List {
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// End sessions, and remove everything that they kept
    Rm {
        /// The sessions
        #[arg(required = true, value_name = "NAME")]
        names: Vec<String>,
    },
    /// Write a session's files (/home/user, /tmp, /output) into a tar archive
    Export {
        /// The session
        name: String,
        /// The archive, which must not exist; `-` is standard output
        file: PathBuf,
    },
}

/// Compile ahead of time, for images, CI and the first start
///
/// Without it each tool is compiled when it first runs on a machine, which takes seconds, and kept in the cache
/// ($XDG_CACHE_HOME/wisp/code, or ~/.cache/wisp/code). Give the options that `wisp run` gets: what a policy grants
/// decides which code is needed.
#[derive(Debug, Args)]
#[command(after_help = help::PREPARE)]
pub(crate) struct Prepare {
    #[command(flatten)]
    pub(crate) grants: Grants,

    /// As well for commands whose instructions are counted, by `limits.instructions` or `[determinism]`
    ///
    /// They need code of their own. A policy that says so itself gets it without this option.
    #[arg(long)]
    pub(crate) instructions: bool,

    /// Copy the machine code into this directory too
    ///
    /// A folder `wisp.code` beside the binary `wisp` is looked at before anything is compiled. It can be read-only; it must
    /// belong to root, the owner of the binary or the user, and be writable for nobody else.
    #[arg(long, value_name = "DIR")]
    pub(crate) into: Option<PathBuf>,

    /// The programs to prepare, such as `sh` or `python3`; all of the policy's unless said
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
}

/// Say what this machine offers, and what is slower without
///
/// Kernel features, the cache of machine code, the components and their digests.
#[derive(Debug, Args)]
#[command(after_help = help::DOCTOR)]
pub(crate) struct Doctor {}
