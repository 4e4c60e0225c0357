//! The dispatch table: which name runs which tool.

use std::ffi::OsString;

/// A tool of ours.
pub(crate) type Main = fn(Vec<OsString>) -> u8;

/// Our own tools.
pub(crate) const OWN: &[(&str, Main)] = &[
    ("[", crate::tools::test::main),
    ("apropos", crate::tools::man::main),
    ("arch", crate::tools::machine::arch),
    ("basename", crate::tools::paths::basename),
    ("cat", crate::tools::cat::main),
    ("chgrp", crate::tools::chmod::chgrp),
    ("chmod", crate::tools::chmod::chmod),
    ("chown", crate::tools::chmod::chown),
    ("clear", crate::tools::machine::clear),
    ("cp", crate::tools::cp::main),
    ("cut", crate::cut::main),
    ("date", crate::date::main),
    ("dd", crate::tools::dd::main),
    ("df", crate::tools::df::main),
    ("dir", crate::ls::main),
    ("dirname", crate::tools::paths::dirname),
    ("du", crate::tools::du::main),
    ("echo", crate::tools::echo::main),
    ("egrep", crate::grep::main),
    ("env", crate::tools::env::main),
    ("expand", crate::tools::expand::main),
    ("false", crate::tools::truth::main),
    ("fgrep", crate::grep::main),
    ("find", crate::find::main),
    ("flock", crate::tools::flock::main),
    ("free", crate::tools::state::free),
    ("grep", crate::grep::main),
    ("groups", crate::tools::identity::groups),
    ("head", crate::tools::head::main),
    ("hostid", crate::tools::machine::hostid),
    ("hostname", crate::tools::machine::hostname),
    ("id", crate::tools::identity::id),
    ("install", crate::tools::install::main),
    ("kill", crate::tools::kill::main),
    ("killall", crate::tools::processes::killall),
    ("ln", crate::tools::ln::main),
    ("logname", crate::tools::identity::logname),
    ("ls", crate::ls::main),
    ("man", crate::tools::man::main),
    ("mkdir", crate::tools::mkdir::main),
    ("mkfifo", crate::tools::mkfifo::mkfifo),
    ("mknod", crate::tools::mkfifo::mknod),
    ("mktemp", crate::tools::mktemp::main),
    ("mv", crate::tools::mv::main),
    ("nice", crate::tools::launch::nice),
    ("nl", crate::tools::nl::main),
    ("nohup", crate::tools::launch::nohup),
    ("pgrep", crate::tools::processes::main),
    ("pidof", crate::tools::processes::pidof),
    ("pkill", crate::tools::processes::main),
    ("ps", crate::tools::ps::ps),
    ("readlink", crate::tools::resolve::readlink),
    ("realpath", crate::tools::resolve::realpath),
    ("rm", crate::tools::rm::main),
    ("seq", crate::tools::seq::main),
    ("setsid", crate::tools::launch::setsid),
    ("sleep", crate::tools::sleep::main),
    ("sort", crate::sort::main),
    ("split", crate::split::main),
    ("stat", crate::tools::stat::main),
    ("stdbuf", crate::tools::launch::stdbuf),
    ("stty", crate::tools::stty::main),
    ("sync", crate::tools::machine::sync),
    ("tac", crate::tools::tac::main),
    ("tail", crate::tools::tail::main),
    ("tee", crate::tools::tee::main),
    ("test", crate::tools::test::main),
    ("time", crate::tools::measure::main),
    ("timeout", crate::tools::timeout::main),
    ("touch", crate::tools::touch::main),
    ("tr", crate::tr::main),
    ("true", crate::tools::truth::main),
    ("tty", crate::tools::machine::tty),
    ("uname", crate::tools::machine::uname),
    ("uniq", crate::tools::uniq::main),
    ("uptime", crate::tools::state::uptime),
    ("users", crate::tools::identity::users),
    ("vdir", crate::ls::main),
    ("wc", crate::tools::wc::main),
    ("whatis", crate::tools::man::main),
    ("which", crate::tools::which::main),
    ("whoami", crate::tools::identity::whoami),
    ("xargs", crate::xargs::main),
];

/// Our tools that the component `uutils` runs. They are used rarely, so the first command on a machine does not have to
/// compile them.
pub const RARE: &[(&str, Main)] = &[
    ("fmt", crate::fmt::main),
    ("getent", crate::tools::database::getent),
    ("locale", crate::tools::database::locale),
    ("pr", crate::pr::main),
    ("script", crate::tools::script::main),
    ("watch", crate::tools::watch::main),
];

/// The tools of the component `uutils`, which `coreutils NAME` starts too.
pub(crate) const ELSEWHERE: &str = include_str!("../../uutils/applets.txt");

/// Returns all names, sorted.
pub(crate) fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = OWN.iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    names
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_checked_in_list_is_the_table() {
        let listed: Vec<&str> = include_str!("../applets.txt").lines().collect();
        assert_eq!(listed, super::names(), "applets.txt must have these names, one a line: the build makes the links of /usr/bin from it");
    }

    #[test]
    fn no_name_is_there_twice() {
        let names = super::names();
        assert!(names.windows(2).all(|w| w[0] != w[1]));
        assert!(super::ELSEWHERE.lines().all(|other| !names.contains(&other)));
    }
}
