//! The options of `docker run`, and of its like, that people type out of habit: what says the same here, and what they are told.

/// An option of docker's, and its like.
pub(super) struct Habit {
    /// How it is written.
    pub(super) names: &'static [&'static str],
    /// Whether it has a value.
    pub(super) value: bool,
    /// Returns the option that says the same, for this value; none if nothing is to be said.
    pub(super) here: fn(&str) -> Option<(&'static str, String)>,
    /// What is told to who typed it.
    pub(super) told: &'static str,
}

/// Returns no option.
fn nothing(_: &str) -> Option<(&'static str, String)> {
    None
}

/// All of them.
pub(super) const HABITS: &[Habit] = &[
    Habit {
        names: &["-v", "--volume", "--bind"],
        value: true,
        here: |value| Some(("--mount", mount(value))),
        told: "`--mount HOST:GUEST` mounts for reading; `:write` after it lets the sandbox change the host's files",
    },
    Habit {
        names: &["-e"],
        value: true,
        here: |value| Some(("--env", if value.contains('=') { value.to_owned() } else { format!("{value}=VALUE") })),
        told: "`--env NAME=VALUE` sets a variable; nothing is inherited",
    },
    Habit {
        names: &["--env-file"],
        value: true,
        here: nothing,
        told: "`--env NAME=VALUE` sets a variable, once for each; `[env.vars]` of a policy has many",
    },
    Habit {
        names: &["-w", "--cwd", "--chdir", "--working-dir"],
        value: true,
        here: |value| Some(("--workdir", value.to_owned())),
        told: "`--workdir DIR` starts the command in this directory of the sandbox",
    },
    Habit { names: &["--rm"], value: false, here: nothing, told: "leave it out: nothing is kept without `--session NAME`" },
    Habit {
        names: &["-m", "--memory"],
        value: true,
        here: |value| Some(("--set", format!("limits.memory={}", size(value)))),
        told: "`--set limits.memory=SIZE` limits the memory of all processes together",
    },
    Habit {
        names: &["--memory-swap", "--memory-reservation", "--shm-size"],
        value: true,
        here: nothing,
        told: "`--set limits.memory=SIZE` limits the memory of all processes together, and there is no other",
    },
    Habit {
        names: &["--network", "--net"],
        value: true,
        here: |value| (value != "none").then(|| ("--allow", "https://example.com/".to_owned())),
        told: "there is no network without `--allow URL`, which lets programs read below that address",
    },
    Habit {
        names: &["-p", "--publish", "--expose"],
        value: true,
        here: nothing,
        told: "leave it out: nothing outside connects to a sandbox; a server and its clients run in one command, at `localhost`; \
               `--allow URL` lets programs send requests",
    },
    Habit {
        names: &["-P", "--publish-all"],
        value: false,
        here: nothing,
        told: "leave it out: nothing outside connects to a sandbox; a server and its clients run in one command, at `localhost`",
    },
    Habit {
        names: &["-c", "--cpus", "--cpu-shares", "--cpuset-cpus"],
        value: true,
        here: nothing,
        told: "leave it out: a process has one processor; `--set limits.cpu=30s` limits the processor time of a command, and \
               `--set limits.processes=1` the processes",
    },
    Habit {
        names: &["--pids-limit"],
        value: true,
        here: |value| Some(("--set", format!("limits.processes={value}"))),
        told: "`--set limits.processes=N` limits the processes at once",
    },
    Habit {
        names: &["--ulimit"],
        value: true,
        here: nothing,
        told: "`--set limits.open_files=N`, and the other keys of `[limits]`, are such limits; `ulimit` in the shell lowers them",
    },
    Habit {
        names: &["--stop-timeout"],
        value: true,
        here: |value| Some(("--timeout", format!("{value}s"))),
        told: "`--timeout TIME` ends the command after this time",
    },
    Habit {
        names: &["--name"],
        value: true,
        here: |value| Some(("--session", value.to_owned())),
        told: "`--session NAME` keeps files and state for the next run of this name",
    },
    Habit {
        names: &["-d", "--detach"],
        value: false,
        here: nothing,
        told: "leave it out: `wisp run` ends with its command; `--resident --session NAME` keeps a session open between commands",
    },
    Habit { names: &["-u", "--user"], value: true, here: nothing, told: "leave it out: a sandbox has one user, who is not root" },
    Habit {
        names: &["--read-only"],
        value: false,
        here: nothing,
        told: "leave it out: /usr and /etc are read only, and all other files are in memory; `--mount HOST:GUEST` mounts for reading",
    },
    Habit {
        names: &["--tmpfs"],
        value: true,
        here: nothing,
        told: "leave it out: /tmp and all other files of a sandbox are in memory; `--set filesystem.quota=SIZE` limits them",
    },
    Habit {
        names: &["--privileged", "--init"],
        value: false,
        here: nothing,
        told: "leave it out: a sandbox has nothing of the kernel; `wisp explain` shows what it has",
    },
    Habit {
        names: &["--cap-add", "--cap-drop", "--security-opt", "--device", "--gpus"],
        value: true,
        here: nothing,
        told: "leave it out: a sandbox has no device and nothing of the kernel; `wisp explain` shows what it has",
    },
    Habit {
        names: &["--add-host", "--dns", "--hostname"],
        value: true,
        here: nothing,
        told: "leave it out: the host looks names up, for requests to what `--allow URL` lists",
    },
    Habit {
        names: &["--platform", "--pull"],
        value: true,
        here: nothing,
        told: "leave it out: there is no image; the programs are wisp's, and `--tool NAME=FILE` adds one of yours",
    },
    Habit { names: &["--entrypoint"], value: true, here: nothing, told: "the program and its arguments stand after `--`" },
    Habit {
        names: &["--verbose", "--debug"],
        value: false,
        here: nothing,
        told: "`--events FILE` writes what happens, `--receipts FILE` what is decided",
    },
    // They are options here too, but fail elsewhere than at a terminal.
    Habit { names: &["-i", "-t"], value: false, here: nothing, told: "leave it out: at a terminal, it is so anyway" },
];

/// Returns a mount as `--mount` takes it. Without `rw` it is for reading, which docker's is not.
fn mount(value: &str) -> String {
    let mut parts = value.split(':');
    match (parts.next().unwrap_or_default(), parts.next(), parts.next()) {
        (guest, None, _) => format!("HOST:{guest}"),
        (host, Some(guest), Some(modes)) if modes.split(',').any(|mode| mode == "rw") => format!("{host}:{guest}:write"),
        (host, Some(guest), _) => format!("{host}:{guest}"),
    }
}

/// Returns a size as a policy writes it: docker's `1g` is `1GiB`.
fn size(value: &str) -> String {
    let number: String = value.chars().take_while(char::is_ascii_digit).collect();
    let unit = match value[number.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => "B",
        "k" | "kb" => "KiB",
        "m" | "mb" => "MiB",
        "g" | "gb" => "GiB",
        _ => return value.to_owned(),
    };
    format!("{number}{unit}")
}
