//! Interned names: a variable's name is looked up once, when it is parsed; from then on it is an index into a table.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// An interned name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sym(pub u32);

#[derive(Default)]
struct Interner {
    map: HashMap<Rc<[u8]>, u32>,
    names: Vec<Rc<[u8]>>,
}

thread_local! {
    static INTERNER: RefCell<Interner> = RefCell::new(Interner::with_known());
}

impl Interner {
    fn with_known() -> Self {
        let mut interner = Self::default();
        for name in KNOWN {
            interner.intern(name.as_bytes());
        }
        interner
    }
    fn intern(&mut self, name: &[u8]) -> u32 {
        if let Some(index) = self.map.get(name) {
            return *index;
        }
        let name: Rc<[u8]> = name.into();
        let index = self.names.len() as u32;
        self.names.push(name.clone());
        self.map.insert(name, index);
        index
    }
}

/// Returns the symbol of a name.
pub fn intern(name: &[u8]) -> Sym {
    INTERNER.with(|interner| Sym(interner.borrow_mut().intern(name)))
}

impl Sym {
    /// Returns its name.
    pub fn name(self) -> Rc<[u8]> {
        INTERNER.with(|interner| interner.borrow().names[self.0 as usize].clone())
    }
    /// Returns its name for messages.
    pub fn text(self) -> String {
        String::from_utf8_lossy(&self.name()).into_owned()
    }
}

macro_rules! known {
    ($($index:literal $name:ident),* $(,)?) => {
        const KNOWN: &[&str] = &[$(stringify!($name)),*];
        $(
            #[allow(missing_docs)]
            pub const $name: Sym = Sym($index);
        )*
    };
}

known! {
    0 IFS, 1 PATH, 2 HOME, 3 PWD, 4 OLDPWD, 5 OPTIND, 6 OPTARG, 7 OPTERR, 8 REPLY, 9 PS4, 10 RANDOM, 11 SECONDS,
    12 LINENO, 13 FUNCNAME, 14 BASH_SOURCE, 15 BASH_LINENO, 16 PIPESTATUS, 17 BASHPID, 18 EPOCHSECONDS,
    19 EPOCHREALTIME, 20 DIRSTACK, 21 BASH_REMATCH, 22 CDPATH, 23 MAPFILE, 24 GLOBIGNORE, 25 BASH_SUBSHELL,
    26 SHLVL, 27 PPID, 28 UID, 29 EUID, 30 HOSTNAME, 31 BASH_VERSION, 32 BASH_VERSINFO, 33 SHELLOPTS, 34 BASHOPTS,
    35 OSTYPE, 36 HOSTTYPE, 37 MACHTYPE, 38 PS3, 39 BASH, 40 SRANDOM, 41 GROUPS, 42 BASH_COMMAND, 43 COPROC,
    44 TMOUT, 45 FUNCNEST, 46 PS1, 47 PS2, 48 _LAST, 49 BASH_ARGV0, 50 TIMEFORMAT, 51 POSIXLY_CORRECT,
    52 LC_ALL, 53 LC_CTYPE, 54 LANG, 55 COLUMNS, 56 BASH_EXECUTION_STRING, 57 BASH_ENV, 58 HISTSIZE, 59 HISTFILESIZE, 60 HISTCMD, 61 BASH_ARGC, 62 BASH_ARGV, 63 BASH_XTRACEFD,
    64 LINES,
}

/// Returns `$_`, whose name is not a Rust identifier.
pub fn underscore() -> Sym {
    intern(b"_")
}

/// Returns whether `name` is a valid variable name.
pub fn is_name(name: &[u8]) -> bool {
    match name.first() {
        Some(first) if first.is_ascii_alphabetic() || *first == b'_' => name.iter().all(|b| is_name_byte(*b)),
        _ => false,
    }
}

/// Returns whether a byte may be inside a name.
pub fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
