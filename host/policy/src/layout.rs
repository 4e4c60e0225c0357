//! Where things are in the sandbox: what a policy's paths are checked against, and what every session is laid out by.

/// The user's home, and the working directory of commands that name none.
pub const HOME: &str = "/home/user";

/// An empty directory of the user's, at the path that other sandboxes of agents use for the work.
pub const WORKSPACE: &str = "/workspace";

/// Where the tools are.
pub const PATH: &str = "/usr/bin";

/// Where programs are looked up: among the tools, so that no file of the user's hides one, and then where `pip install` puts them.
pub const SEARCH: &str = "/usr/bin:/home/user/.local/bin";

/// The shell of the sandbox's user.
pub const SHELL: &str = "/usr/bin/sh";

/// For files that a program needs for a short time.
pub const SCRATCH: &str = "/tmp";

/// Directories of the sandbox that nothing may lie over or in: what is there belongs to wisp, and a program must be
/// able to believe it.
pub(crate) const RESERVED: &[(&str, &str)] = &[
    ("/usr", "the tools are there"),
    ("/bin", "the tools are there"),
    ("/dev", "the devices are there"),
    ("/etc", "the sandbox's own configuration is there"),
    ("/proc", "the files about processes are there"),
];
