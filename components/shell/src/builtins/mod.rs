//! Builtin commands, a file for each group.

mod alias;
mod compgen;
pub(crate) use compgen::files_of;
mod completion;
pub(crate) use completion::DEFAULT_COMPLETION;
mod control;
mod declaration;
mod declare;
mod dirs;
mod echo;
mod fc;
mod foreground;
pub(crate) use foreground::{bg, fg};
mod getopt;
mod getopts;
mod hash;
mod help;
mod history;
mod jobs;
mod kill;
mod limits;
mod listing;
mod lookup;
mod mapfile;
mod numbers;
mod options;
mod printf;
mod read;
mod read_keys;
mod stack;
mod test;
mod topics;
mod trap;
mod umask;
mod vars;

pub use declare::is_reference;
pub use listing::{attribute_letters, declaration, key_text};
pub use test::compare;

use crate::exec::Declared;
use crate::shell::{Flow, Run, Shell};

/// A builtin that takes words; the first is its name.
pub type Plain = fn(&mut Shell, &[Vec<u8>]) -> Run;
/// A builtin that takes assignments too, and the list of words that are assignments.
pub type Declare = fn(&mut Shell, &[Vec<u8>], &[Declared<'_>]) -> Run;

/// A builtin.
#[derive(Clone, Copy)]
pub enum Builtin {
    /// With words.
    Plain(Plain),
    /// With words and assignments.
    Declare(Declare),
}

/// All builtins, sorted by name.
pub const TABLE: &[(&str, Builtin)] = &[
    (".", Builtin::Plain(control::source)),
    (":", Builtin::Plain(control::yes)),
    ("[", Builtin::Plain(test::test)),
    ("alias", Builtin::Plain(alias::alias)),
    ("bg", Builtin::Plain(bg)),
    ("bind", Builtin::Plain(help::bind)),
    ("break", Builtin::Plain(control::break_)),
    ("builtin", Builtin::Declare(lookup::builtin)),
    ("caller", Builtin::Plain(control::caller)),
    ("cd", Builtin::Plain(dirs::cd)),
    ("command", Builtin::Declare(lookup::command)),
    ("compgen", Builtin::Plain(compgen::compgen)),
    ("complete", Builtin::Plain(completion::complete)),
    ("compopt", Builtin::Plain(completion::compopt)),
    ("continue", Builtin::Plain(control::break_)),
    ("declare", Builtin::Declare(declare::declare)),
    ("dirs", Builtin::Plain(stack::dirs)),
    ("disown", Builtin::Plain(jobs::disown)),
    ("echo", Builtin::Plain(echo::echo)),
    ("enable", Builtin::Plain(help::enable)),
    ("eval", Builtin::Plain(control::eval)),
    ("exec", Builtin::Plain(control::exec)),
    ("exit", Builtin::Plain(control::exit)),
    ("export", Builtin::Declare(declare::export)),
    ("false", Builtin::Plain(control::no)),
    ("fc", Builtin::Plain(fc::fc)),
    ("fg", Builtin::Plain(fg)),
    ("getopts", Builtin::Plain(getopts::getopts)),
    ("hash", Builtin::Plain(hash::hash)),
    ("help", Builtin::Plain(help::help)),
    ("history", Builtin::Plain(history::history)),
    ("jobs", Builtin::Plain(jobs::jobs)),
    ("kill", Builtin::Plain(kill::kill)),
    ("let", Builtin::Plain(vars::let_)),
    ("local", Builtin::Declare(declare::local)),
    ("logout", Builtin::Plain(control::logout)),
    ("mapfile", Builtin::Plain(mapfile::mapfile)),
    ("popd", Builtin::Plain(stack::popd)),
    ("printf", Builtin::Plain(printf::printf)),
    ("pushd", Builtin::Plain(stack::pushd)),
    ("pwd", Builtin::Plain(dirs::pwd)),
    ("read", Builtin::Plain(read::read)),
    ("readarray", Builtin::Plain(mapfile::mapfile)),
    ("readonly", Builtin::Declare(declare::readonly)),
    ("return", Builtin::Plain(control::return_)),
    ("set", Builtin::Plain(options::set)),
    ("shift", Builtin::Plain(vars::shift)),
    ("shopt", Builtin::Plain(options::shopt)),
    ("source", Builtin::Plain(control::source)),
    ("suspend", Builtin::Plain(foreground::suspend)),
    ("test", Builtin::Plain(test::test)),
    ("times", Builtin::Plain(limits::times)),
    ("trap", Builtin::Plain(trap::trap)),
    ("true", Builtin::Plain(control::yes)),
    ("type", Builtin::Plain(lookup::type_)),
    ("typeset", Builtin::Declare(declare::declare)),
    ("ulimit", Builtin::Plain(limits::ulimit)),
    ("umask", Builtin::Plain(umask::umask)),
    ("unalias", Builtin::Plain(alias::unalias)),
    ("unset", Builtin::Plain(vars::unset)),
    ("wait", Builtin::Plain(jobs::wait)),
    ("which", Builtin::Plain(lookup::which)),
];

/// Finds the builtin of this name.
pub fn find(name: &[u8]) -> Option<Builtin> {
    TABLE.binary_search_by(|(known, _)| known.as_bytes().cmp(name)).ok().map(|at| TABLE[at].1)
}

/// Returns whether POSIX calls a builtin special.
pub fn is_special(name: &[u8]) -> bool {
    help::SPECIAL.iter().any(|known| known.as_bytes() == name)
}

/// Returns text for a message.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl Shell {
    /// Reports a wrong use of a builtin, and its usage: `usage` is what follows its name.
    pub(crate) fn misuse(&mut self, name: &str, what: &str, usage: &str) -> Run {
        self.error(format!("{name}: {what}"));
        self.warn_raw(format!("{}\n", format!("{name}: usage: {name} {usage}").trim_end()).as_bytes());
        self.special_failure(name, 2)
    }

    /// Handles a wrong call of a builtin. In POSIX mode that ends a script if the builtin is a special one.
    pub(crate) fn special_failure(&mut self, name: &str, status: i32) -> Run {
        if self.is_strict() && is_special(name.as_bytes()) { Err(Flow::Exit(status)) } else { Ok(status) }
    }

    /// Returns whether this is a script in POSIX mode, and not within `command`.
    pub(crate) fn is_strict(&self) -> bool {
        !self.invocation.interactive && !self.current.lenient && self.opts.long("posix") == Some(true)
    }
}
