//! Reading `find`'s command line.

use super::exec::Exec;
use super::expression::{Compare, Expression, Links, Plan, Sink, Stamp, Step};
use super::{printf, values};
use crate::sys;
use crate::text;
use std::ffi::OsString;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use wisp_tool::calendar;

/// The words of the command line, and the plan read so far.
pub(super) struct Parser {
    words: Vec<OsString>,
    at: usize,
    pub(super) plan: Plan,
    acts: bool,
    prunes: bool,
    deletes: bool,
    pub(super) regex_type: String,
}

/// Reads the command line (without the name).
pub(super) fn parse(words: Vec<OsString>) -> Result<Plan, String> {
    let plan = Plan {
        starts: Vec::new(),
        expression: Expression::And(Vec::new()),
        execs: Vec::new(),
        files: Vec::new(),
        links: Links::Never,
        min_depth: 0,
        max_depth: usize::MAX,
        contents_first: false,
        one_system: false,
        now: calendar::now(),
    };
    let mut p = Parser { words, at: 0, plan, acts: false, prunes: false, deletes: false, regex_type: "emacs".into() };
    p.leading()?;
    let expression = p.list()?;
    if let Some(word) = p.peek() {
        return Err(if word == ")" { "you have too many ')'".into() } else { format!("paths must precede expression: `{word}'") });
    }
    if p.deletes && p.prunes && !p.plan.contents_first {
        return Err("The -delete action automatically turns on -depth, but -prune does nothing when -depth is in effect.  If you want to carry on anyway, just explicitly use the -depth option.".into());
    }
    p.plan.contents_first |= p.deletes;
    p.plan.expression =
        if p.acts { expression } else { Expression::And(vec![expression, Expression::Step(Step::Print { sink: None, end: b'\n' })]) };
    if p.plan.starts.is_empty() {
        p.plan.starts.push(PathBuf::from("."));
    }
    Ok(p.plan)
}

impl Parser {
    fn peek(&self) -> Option<String> {
        self.words.get(self.at).map(|w| w.to_string_lossy().into_owned())
    }

    pub(super) fn value(&mut self, of: &str) -> Result<String, String> {
        let word = self.peek().ok_or_else(|| format!("missing argument to `{of}'"))?;
        self.at += 1;
        Ok(word)
    }

    /// Returns a pattern of names. As in these, each byte that is not UTF-8 is one character (`text::shown`).
    pub(super) fn pattern(&mut self, of: &str) -> Result<String, String> {
        let word = self.words.get(self.at).map(text::show).ok_or_else(|| format!("missing argument to `{of}'"))?;
        self.at += 1;
        Ok(word)
    }

    /// Returns the name of a file.
    pub(super) fn file(&mut self, of: &str) -> Result<PathBuf, String> {
        self.pattern(of).map(|name| sys::path_from_bytes(&text::written(&name)))
    }

    fn leading(&mut self) -> Result<(), String> {
        while let Some(word) = self.peek() {
            match word.as_str() {
                "-H" => self.plan.links = Links::Arguments,
                "-L" => self.plan.links = Links::Always,
                "-P" => self.plan.links = Links::Never,
                "--" => {
                    self.at += 1;
                    break;
                }
                "-D" => self.at += 1,
                w if w.starts_with("-O") => {}
                _ => break,
            }
            self.at += 1;
        }
        while let Some(word) = self.peek() {
            if (word.starts_with('-') && word.len() > 1) || matches!(word.as_str(), "(" | "!") {
                break;
            }
            self.plan.starts.push(PathBuf::from(&self.words[self.at]));
            self.at += 1;
        }
        Ok(())
    }

    fn list(&mut self) -> Result<Expression, String> {
        let mut all = vec![self.or()?];
        while self.peek().is_some_and(|w| w == ",") {
            self.at += 1;
            if self.peek().is_none() {
                return Err("expected an expression after ','".into());
            }
            all.push(self.or()?);
        }
        Ok(one_or(all, Expression::List))
    }

    fn or(&mut self) -> Result<Expression, String> {
        let mut all = vec![self.and()?];
        while let Some(word) = self.peek().filter(|w| w == "-o" || w == "-or") {
            self.at += 1;
            if self.peek().is_none() {
                return Err(format!("expected an expression after '{word}'"));
            }
            all.push(self.and()?);
        }
        Ok(one_or(all, Expression::Or))
    }

    fn and(&mut self) -> Result<Expression, String> {
        let mut all = Vec::new();
        loop {
            match self.peek().as_deref() {
                None | Some(")" | "," | "-o" | "-or") => break,
                Some(word @ ("-a" | "-and")) => {
                    if all.is_empty() {
                        return Err(format!("invalid expression; you have used a binary operator '{word}' with nothing before it."));
                    }
                    self.at += 1;
                    if self.peek().is_none() {
                        return Err(format!("expected an expression after '{word}'"));
                    }
                    all.push(self.not()?);
                }
                _ => all.push(self.not()?),
            }
        }
        if all.is_empty() && self.at > 0 && matches!(self.peek().as_deref(), Some("-o" | "-or" | ",")) {
            let word = self.peek().unwrap_or_default();
            return Err(format!("invalid expression; you have used a binary operator '{word}' with nothing before it."));
        }
        Ok(one_or(all, Expression::And))
    }

    fn not(&mut self) -> Result<Expression, String> {
        match self.peek().as_deref() {
            Some(word @ ("!" | "-not")) => {
                let word = word.to_owned();
                self.at += 1;
                if self.peek().is_none() {
                    return Err(format!("expected an expression after '{word}'"));
                }
                Ok(Expression::Not(Box::new(self.not()?)))
            }
            Some("(") => {
                self.at += 1;
                if self.peek().is_none() {
                    let hint = "Perhaps you need an extra predicate after '('";
                    return Err(format!("invalid expression; expected to find a ')' but didn't see one. {hint}"));
                }
                if self.peek().is_some_and(|w| w == ")") {
                    return Err("invalid expression; empty parentheses are not allowed.".into());
                }
                let inner = self.list()?;
                if self.peek().is_none_or(|w| w != ")") {
                    return Err("invalid expression; I was expecting to find a ')' somewhere but did not see one.".into());
                }
                self.at += 1;
                Ok(inner)
            }
            None => Err("expected an expression".into()),
            Some(_) => self.step().map(Expression::Step),
        }
    }

    /// Reads one option, test or action with its values.
    fn step(&mut self) -> Result<Step, String> {
        let word = self.value("")?;
        if self.option(&word)? {
            return Ok(Step::True);
        }
        if let Some(step) = self.test(&word)? {
            return Ok(step);
        }
        if let Some(step) = self.action(&word)? {
            return Ok(step);
        }
        Err(if word.starts_with('-') { format!("unknown predicate `{word}'") } else { format!("paths must precede expression: `{word}'") })
    }

    /// Reads an option, which changes the plan and is always true. The result is whether `word` is one.
    fn option(&mut self, word: &str) -> Result<bool, String> {
        match word {
            "-noleaf" | "-warn" | "-nowarn" | "-ignore_readdir_race" | "-noignore_readdir_race" => {}
            "-daystart" => self.start_of_day(),
            "-depth" | "-d" => self.plan.contents_first = true,
            "-follow" => self.plan.links = Links::Always,
            "-xdev" | "-mount" => self.plan.one_system = true,
            "-maxdepth" => self.plan.max_depth = self.depth(word)?,
            "-mindepth" => self.plan.min_depth = self.depth(word)?,
            "-regextype" => {
                self.regex_type = self.value(word)?;
                values::check_regex_type(&self.regex_type)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Reads a test; `None` if `word` is none.
    fn test(&mut self, word: &str) -> Result<Option<Step>, String> {
        let fold = word.starts_with("-i");
        Ok(Some(match word {
            "-true" => Step::True,
            "-false" => Step::False,
            "-name" | "-iname" => Step::Name { pattern: self.pattern(word)?, fold },
            "-path" | "-ipath" | "-wholename" | "-iwholename" => Step::Path { pattern: self.path_pattern(word)?, fold },
            "-lname" | "-ilname" => Step::LinkName { pattern: self.pattern(word)?, fold },
            "-regex" | "-iregex" => Step::Regex(Box::new(self.regex(word, fold)?)),
            "-type" | "-xtype" => self.kinds(word)?,
            "-size" => self.size(word)?,
            "-empty" => Step::Empty,
            "-atime" | "-ctime" | "-mtime" | "-amin" | "-cmin" | "-mmin" => self.age(word)?,
            "-newer" | "-anewer" | "-cnewer" => self.newer_than_file(word)?,
            w if w.len() == 8 && w.starts_with("-newer") => self.newer(word)?,
            "-perm" => self.perm(word)?,
            "-user" | "-group" => self.owner(word)?,
            "-uid" => Step::User(self.number(word)?),
            "-gid" => Step::Group(self.number(word)?),
            "-nouser" => Step::NoUser,
            "-nogroup" => Step::NoGroup,
            "-links" => Step::Links(self.number(word)?),
            "-inum" => Step::Inode(self.number(word)?),
            "-samefile" => self.same_file(word)?,
            "-readable" => Step::Access(4),
            "-writable" => Step::Access(2),
            "-executable" => Step::Access(1),
            "-used" => self.used(word)?,
            "-context" => return Err("invalid predicate -context: SELinux is not enabled.".into()),
            "-fstype" => Step::FsType(self.value(word)?),
            _ => return Ok(None),
        }))
    }

    /// Reads an action; `None` if `word` is none. With `-prune` and `-quit` alone, `find` still prints.
    fn action(&mut self, word: &str) -> Result<Option<Step>, String> {
        let step = match word {
            "-prune" => {
                self.prunes = true;
                return Ok(Some(Step::Prune));
            }
            "-quit" => return Ok(Some(Step::Quit)),
            "-print" => Step::Print { sink: None, end: b'\n' },
            "-print0" => Step::Print { sink: None, end: 0 },
            "-fprint" => Step::Print { sink: self.sink(word)?, end: b'\n' },
            "-fprint0" => Step::Print { sink: self.sink(word)?, end: 0 },
            "-printf" => Step::Printf { sink: None, format: printf::parse(&self.value(word)?)? },
            "-fprintf" => Step::Printf { sink: self.sink(word)?, format: printf::parse(&self.value(word)?)? },
            "-ls" => Step::Ls { sink: None },
            "-fls" => Step::Ls { sink: self.sink(word)? },
            "-delete" => {
                self.deletes = true;
                Step::Delete
            }
            "-exec" | "-execdir" | "-ok" | "-okdir" => self.exec(word)?,
            _ => return Ok(None),
        };
        self.acts = true;
        Ok(Some(step))
    }

    fn exec(&mut self, word: &str) -> Result<Step, String> {
        let (exec, next) = Exec::parse(word, &self.words[self.at..])?;
        self.at += next;
        self.plan.execs.push(exec);
        Ok(Step::Exec(self.plan.execs.len() - 1))
    }

    fn depth(&mut self, word: &str) -> Result<usize, String> {
        let value = self.value(word)?;
        let depth = value.bytes().all(|b| b.is_ascii_digit()).then(|| value.parse().ok()).flatten();
        depth.ok_or_else(|| format!("Expected a positive decimal integer argument to {word}, but got {}", text::quote(&value)))
    }

    /// Implements `-daystart`: ages count from the end of today, not from now.
    fn start_of_day(&mut self) {
        let zone = calendar::TimeZone::local();
        let (today, _) = zone.civil(calendar::seconds(self.plan.now));
        let midnight = zone.moment(calendar::days(today.year, today.month, today.day) * calendar::DAY);
        self.plan.now = i128::from(midnight + calendar::DAY) * 1_000_000_000;
    }

    /// Returns the value `n`, `+n` or `-n`.
    fn number(&mut self, word: &str) -> Result<Compare, String> {
        let value = self.value(word)?;
        Compare::parse(&value).ok_or_else(|| invalid(&value, word))
    }

    pub(super) fn stat(&self, file: impl AsRef<Path>) -> Result<sys::Stat, String> {
        let (file, follow) = (file.as_ref(), self.plan.links != Links::Never);
        sys::stat(file, follow).map_err(|error| format!("{}: {}", text::quote(file), text::reason(&error)))
    }

    /// Creates the file that an action writes to.
    fn sink(&mut self, word: &str) -> Result<Sink, String> {
        let name = self.file(word)?;
        let file = std::fs::File::create(&name).map_err(|error| format!("{}: {}", text::quote(&name), text::reason(&error)))?;
        self.plan.files.push(BufWriter::new(file));
        Ok(Some(self.plan.files.len() - 1))
    }
}

/// Returns the message about a value that `word` does not take.
pub(super) fn invalid(value: &str, word: &str) -> String {
    format!("invalid argument `{value}' to `{word}'")
}

/// Returns the time that a letter names.
pub(super) fn stamp(letter: u8) -> Stamp {
    match letter {
        b'a' => Stamp::Access,
        b'c' => Stamp::Change,
        _ => Stamp::Modify,
    }
}

fn one_or(mut all: Vec<Expression>, many: fn(Vec<Expression>) -> Expression) -> Expression {
    if all.len() == 1 { all.remove(0) } else { many(all) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(e: &Expression) -> String {
        match e {
            Expression::Step(Step::Name { pattern, .. }) => pattern.clone(),
            Expression::Step(Step::Print { .. }) => "print".into(),
            Expression::Step(Step::Prune) => "prune".into(),
            Expression::Step(_) => "step".into(),
            Expression::Not(e) => format!("!{}", shape(e)),
            Expression::And(all) => format!("({})", all.iter().map(shape).collect::<Vec<_>>().join("&")),
            Expression::Or(all) => format!("({})", all.iter().map(shape).collect::<Vec<_>>().join("|")),
            Expression::List(all) => format!("({})", all.iter().map(shape).collect::<Vec<_>>().join(",")),
        }
    }

    fn read(text: &str) -> Result<Plan, String> {
        parse(text.split(' ').filter(|w| !w.is_empty()).map(OsString::from).collect())
    }

    #[test]
    fn expressions_become_trees() {
        for (text, want) in [
            (". -name a", "(a&print)"),
            ("-name a -o -name b", "((a|b)&print)"),
            ("-name a -name b -o -name c -print", "((a&b)|(c&print))"),
            ("-name a -prune -o -print", "((a&prune)|print)"),
            ("! ( -name a -o -name b )", "(!(a|b)&print)"),
            ("-name a , -name b", "((a,b)&print)"),
            ("-not -name a -a -name b", "((!a&b)&print)"),
        ] {
            assert_eq!(shape(&read(text).map_err(|e| format!("{text}: {e}")).unwrap().expression), want, "{text}");
        }
        assert_eq!(read("x y").unwrap().starts.len(), 2);
        assert_eq!(read("").unwrap().starts, [PathBuf::from(".")]);
        assert_eq!(read("-maxdepth 2 -L").err().unwrap(), "unknown predicate `-L'");
    }

    #[test]
    fn errors_say_what_is_wrong() {
        for (text, want) in [
            ("-name", "missing argument to `-name'"),
            ("-foo", "unknown predicate `-foo'"),
            (". -name a b", "paths must precede expression: `b'"),
            ("( -name a", "invalid expression; I was expecting to find a ')' somewhere but did not see one."),
            ("-type q", "Unknown argument to -type: q"),
            ("-size x", "invalid -size type `x'"),
            ("-mtime x", "invalid argument `x' to `-mtime'"),
            ("-name a )", "you have too many ')'"),
            ("-name a -o", "expected an expression after '-o'"),
        ] {
            assert_eq!(read(text).err().unwrap(), want, "{text}");
        }
    }
}
