//! Options as the programs of libjpeg have them: one dash, a word in any case that may be abbreviated, values in the next
//! argument. Two dashes are understood too, and options after the file.

use std::ffi::{OsStr, OsString};

/// One option: its word, the name of its value (empty: it takes none), its line in the help text (empty: it is not shown).
/// Of several that an abbreviation fits, the first is meant.
#[derive(Debug)]
pub(crate) struct Opt {
    pub(crate) name: &'static str,
    pub(crate) value: &'static str,
    pub(crate) help: &'static str,
}

/// Returns an option without a value.
pub(crate) const fn flag(name: &'static str, help: &'static str) -> Opt {
    Opt { name, value: "", help }
}

/// Returns an option with a value.
pub(crate) const fn value(name: &'static str, value: &'static str, help: &'static str) -> Opt {
    Opt { name, value, help }
}

/// A parsed command line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Line {
    given: Vec<(&'static str, OsString)>,
    /// The file to read; none for standard input.
    pub(crate) file: Option<OsString>,
}

/// What a command line asks for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    Work(Line),
    Help,
    Version,
}

impl Line {
    /// Returns whether an option was given.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// Returns the last value of an option.
    pub(crate) fn value(&self, name: &str) -> Option<&OsStr> {
        self.given.iter().rev().find(|(given, _)| *given == name).map(|(_, value)| value.as_os_str())
    }

    /// Returns the last value of an option as text.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.value(name).map(|value| value.to_string_lossy().into_owned())
    }

    /// Returns which of several options was given last.
    pub(crate) fn last_of(&self, names: &[&str]) -> Option<&'static str> {
        self.given.iter().rev().find(|(given, _)| names.contains(given)).map(|(given, _)| *given)
    }
}

/// Parses `args`, the name of the program first.
pub(crate) fn parse(options: &'static [Opt], args: &[OsString]) -> Result<Asked, String> {
    let mut line = Line::default();
    let mut rest = args.iter().skip(1);
    let mut ended = false;
    while let Some(arg) = rest.next() {
        let word = arg.to_string_lossy();
        if word == "--" && !ended {
            ended = true;
        } else if ended || word == "-" || !word.starts_with('-') {
            if line.file.replace(arg.clone()).is_some() {
                return Err("more than one file was given".into());
            }
        } else {
            let name = word.strip_prefix("--").or(word.strip_prefix('-')).unwrap_or_default().to_ascii_lowercase();
            let exact = options.iter().find(|option| option.name == name);
            let Some(option) = exact.or_else(|| options.iter().find(|option| !name.is_empty() && option.name.starts_with(&name))) else {
                return match name.as_str() {
                    "help" | "h" => Ok(Asked::Help),
                    "version" => Ok(Asked::Version),
                    _ => Err(format!("unknown option '{word}'")),
                };
            };
            let value = match option.value {
                "" => OsString::new(),
                what => rest.next().cloned().ok_or_else(|| format!("option '-{}' needs a value: {what}", option.name))?,
            };
            line.given.push((option.name, value));
        }
    }
    line.file = line.file.filter(|file| file != "-");
    Ok(Asked::Work(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: &[Opt] = &[value("quality", "N", ""), flag("optimize", ""), value("outfile", "FILE", ""), value("qtables", "FILE", "")];

    fn asked(args: &[&str]) -> Result<Asked, String> {
        let args: Vec<OsString> = std::iter::once("cjpeg").chain(args.iter().copied()).map(OsString::from).collect();
        parse(OPTIONS, &args)
    }

    fn line(args: &[&str]) -> Line {
        match asked(args) {
            Ok(Asked::Work(line)) => line,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn words_are_abbreviated_and_of_any_case() {
        let found = line(&["-q", "5", "--Opt", "-qual", "7", "in.ppm", "-outf", "o"]);
        assert_eq!(found.text("quality").as_deref(), Some("7"));
        assert!(found.has("optimize") && !found.has("qtables"));
        assert_eq!((found.value("outfile"), found.file.as_deref()), (Some(OsStr::new("o")), Some(OsStr::new("in.ppm"))));
        assert_eq!(found.last_of(&["quality", "optimize"]), Some("quality"));
    }

    #[test]
    fn standard_input_has_two_names() {
        assert_eq!(line(&["-"]).file, None);
        assert_eq!(line(&[]).file, None);
        assert_eq!(line(&["--", "-q"]).file.as_deref(), Some(OsStr::new("-q")));
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(asked(&["-zz"]), Err("unknown option '-zz'".into()));
        assert_eq!(asked(&["-q"]), Err("option '-quality' needs a value: N".into()));
        assert_eq!(asked(&["a", "b"]), Err("more than one file was given".into()));
        assert_eq!(asked(&["--version"]), Ok(Asked::Version));
    }
}
