//! The options of `set -o` and `shopt`.

/// Options of `set`: letter (0 for none), long name.
pub const SET_OPTIONS: [(u8, &str); 27] = [
    (b'a', "allexport"),
    (b'B', "braceexpand"),
    (0, "emacs"),
    (b'e', "errexit"),
    (b'E', "errtrace"),
    (b'T', "functrace"),
    (b'h', "hashall"),
    (b'H', "histexpand"),
    (0, "history"),
    (0, "ignoreeof"),
    (0, "interactive-comments"),
    (b'k', "keyword"),
    (b'm', "monitor"),
    (b'C', "noclobber"),
    (b'n', "noexec"),
    (b'f', "noglob"),
    (0, "nolog"),
    (b'b', "notify"),
    (b'u', "nounset"),
    (b't', "onecmd"),
    (b'P', "physical"),
    (0, "pipefail"),
    (0, "posix"),
    (b'p', "privileged"),
    (b'v', "verbose"),
    (0, "vi"),
    (b'x', "xtrace"),
];

/// Options of `shopt`, with their defaults in a script.
pub const SHOPTS: [(&str, bool); 57] = [
    ("autocd", false),
    ("assoc_expand_once", false),
    ("cdable_vars", false),
    ("cdspell", false),
    ("checkhash", false),
    ("checkjobs", false),
    ("checkwinsize", true),
    ("cmdhist", true),
    ("compat31", false),
    ("compat32", false),
    ("compat40", false),
    ("compat41", false),
    ("compat42", false),
    ("compat43", false),
    ("compat44", false),
    ("complete_fullquote", true),
    ("direxpand", false),
    ("dirspell", false),
    ("dotglob", false),
    ("execfail", false),
    ("expand_aliases", false),
    ("extdebug", false),
    ("extglob", false),
    ("extquote", true),
    ("failglob", false),
    ("force_fignore", true),
    ("globasciiranges", true),
    ("globskipdots", true),
    ("globstar", false),
    ("gnu_errfmt", false),
    ("histappend", false),
    ("histreedit", false),
    ("histverify", false),
    ("hostcomplete", true),
    ("huponexit", false),
    ("inherit_errexit", false),
    ("interactive_comments", true),
    ("lastpipe", false),
    ("lithist", false),
    ("localvar_inherit", false),
    ("localvar_unset", false),
    ("login_shell", false),
    ("mailwarn", false),
    ("no_empty_cmd_completion", false),
    ("nocaseglob", false),
    ("nocasematch", false),
    ("noexpand_translation", false),
    ("nullglob", false),
    ("patsub_replacement", true),
    ("progcomp", true),
    ("progcomp_alias", false),
    ("promptvars", true),
    ("restricted_shell", false),
    ("shift_verbose", false),
    ("sourcepath", true),
    ("varredir_close", false),
    ("xpg_echo", false),
];

/// The bit of `restricted_shell`, which redirections and commands check.
const RESTRICTED: u64 = 1 << 52;

const _: () = assert!(matches!(SHOPTS[52].0.as_bytes(), b"restricted_shell"));

/// The state of all options.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    set: u32,
    shopt: u64,
}

impl Default for Options {
    fn default() -> Self {
        let mut options = Self { set: 0, shopt: 0 };
        for name in ["braceexpand", "hashall", "interactive-comments"] {
            options.set_long(name, true);
        }
        for (name, on) in SHOPTS {
            options.set_shopt(name, on);
        }
        options
    }
}

/// Returns the bit of a `set` option, by its letter, at compile time where the letter is constant.
const fn letter_bit(letter: u8) -> u32 {
    let mut at = 0;
    while at < SET_OPTIONS.len() {
        if SET_OPTIONS[at].0 == letter {
            return 1 << at;
        }
        at += 1;
    }
    0
}

/// Returns whether `set` has an option with this letter.
pub fn is_set_letter(letter: u8) -> bool {
    letter != 0 && letter_bit(letter) != 0
}

impl Options {
    /// Returns whether the option with this letter is on.
    #[inline]
    pub fn has(&self, letter: u8) -> bool {
        self.set & letter_bit(letter) != 0
    }
    /// Returns whether `pipefail` is on.
    pub fn pipefail(&self) -> bool {
        self.long("pipefail") == Some(true)
    }
    /// Sets by letter; returns false if there is no such option.
    pub fn set_letter(&mut self, letter: u8, on: bool) -> bool {
        let bit = letter_bit(letter);
        if letter == 0 || bit == 0 {
            return false;
        }
        if on {
            self.set |= bit;
        } else {
            self.set &= !bit;
        }
        true
    }
    /// Returns the state of a `set -o` option.
    pub fn long(&self, name: &str) -> Option<bool> {
        let at = SET_OPTIONS.iter().position(|(_, long)| *long == name)?;
        Some(self.set & (1 << at) != 0)
    }
    /// Sets by long name; returns false if there is no such option.
    pub fn set_long(&mut self, name: &str, on: bool) -> bool {
        let Some(at) = SET_OPTIONS.iter().position(|(_, long)| *long == name) else { return false };
        if on {
            self.set |= 1 << at;
            // Only one editing mode at a time.
            match name {
                "vi" => drop(self.set_long("emacs", false)),
                "emacs" => drop(self.set_long("vi", false)),
                _ => {}
            }
        } else {
            self.set &= !(1 << at);
        }
        true
    }
    /// Returns whether the shell is restricted.
    #[inline]
    pub fn restricted(&self) -> bool {
        self.shopt & RESTRICTED != 0
    }
    /// Returns the state of a `shopt` option.
    pub fn shopt(&self, name: &str) -> bool {
        self.find_shopt(name) == Some(true)
    }
    /// Finds the state of a `shopt` option if there is one of this name.
    pub fn find_shopt(&self, name: &str) -> Option<bool> {
        let at = SHOPTS.iter().position(|(known, _)| *known == name)?;
        Some(self.shopt & (1 << at) != 0)
    }
    /// Sets a `shopt` option; returns false if there is no such option.
    pub fn set_shopt(&mut self, name: &str, on: bool) -> bool {
        let Some(at) = SHOPTS.iter().position(|(known, _)| *known == name) else { return false };
        if on {
            self.shopt |= 1 << at;
        } else {
            self.shopt &= !(1 << at);
        }
        true
    }
    /// Returns `$-`
    pub fn letters(&self) -> Vec<u8> {
        let mut letters: Vec<u8> = SET_OPTIONS
            .iter()
            .enumerate()
            .filter(|(at, (letter, _))| *letter != 0 && self.set & (1 << at) != 0)
            .map(|(_, (l, _))| *l)
            .collect();
        if self.restricted() {
            letters.push(b'r');
        }
        letters.sort_by_key(|letter| (letter.is_ascii_uppercase(), *letter));
        letters
    }
    /// Returns the options as numbers, for a shell in another process.
    pub fn raw(&self) -> (u32, u64) {
        (self.set, self.shopt)
    }
    /// Creates the options from numbers.
    pub fn from_raw(set: u32, shopt: u64) -> Self {
        Self { set, shopt }
    }
}
