//! The builtin functions.

macro_rules! builtins {
    ($($name:ident $text:literal $least:literal $most:literal,)*) => {
        /// A builtin function.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub(super) enum Builtin { $($name,)* }

        /// Their names, and the smallest and largest number of arguments.
        const ALL: &[(&str, Builtin, usize, usize)] = &[$(($text, Builtin::$name, $least, $most),)*];
    };
}

builtins! {
    And "and" 2 100,
    Asort "asort" 1 3,
    Asorti "asorti" 1 3,
    Atan2 "atan2" 2 2,
    Close "close" 1 2,
    Compl "compl" 1 1,
    Bindtextdomain "bindtextdomain" 1 2,
    Cos "cos" 1 1,
    Dcgettext "dcgettext" 1 3,
    Dcngettext "dcngettext" 3 5,
    Exp "exp" 1 1,
    Fflush "fflush" 0 1,
    FieldType " field" 1 1,
    Gensub "gensub" 3 4,
    Gsub "gsub" 2 3,
    Index "index" 2 2,
    Int "int" 1 1,
    IsArray "isarray" 1 1,
    Length "length" 0 1,
    Log "log" 1 1,
    Lshift "lshift" 2 2,
    Match "match" 2 3,
    Mkbool "mkbool" 1 1,
    Mktime "mktime" 1 2,
    Or "or" 2 100,
    Patsplit "patsplit" 2 4,
    Rand "rand" 0 0,
    Rshift "rshift" 2 2,
    Sin "sin" 1 1,
    Split "split" 2 4,
    Sprintf "sprintf" 1 100_000,
    Sqrt "sqrt" 1 1,
    Srand "srand" 0 1,
    Strftime "strftime" 0 3,
    Strtonum "strtonum" 1 1,
    Sub "sub" 2 3,
    Substr "substr" 2 3,
    System "system" 1 1,
    Systime "systime" 0 0,
    Tolower "tolower" 1 1,
    Toupper "toupper" 1 1,
    Typeof "typeof" 1 1,
    Xor "xor" 2 100,
}

/// Finds the builtin of a name.
pub(super) fn find(name: &str) -> Option<Builtin> {
    ALL.iter().find(|b| b.0 == name).map(|b| b.1)
}

/// Returns the name, and the smallest and the largest number of arguments.
pub(super) fn facts(builtin: Builtin) -> (&'static str, usize, usize) {
    ALL.iter().find(|b| b.1 == builtin).map_or(("", 0, 0), |b| (b.0, b.2, b.3))
}
