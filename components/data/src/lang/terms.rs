//! Terms, patterns, objects, strings.

use super::Mistake;
use super::lex::Tok;
use super::parse::{Parsed, Parser};
use super::tree::{Key, Pattern, Piece, Tree};
use crate::json::Val;

impl Parser {
    /// Parses a term with what follows it: `.a[0].b?`.
    pub(super) fn term(&mut self) -> Parsed<Tree> {
        let mut term = self.nested(Self::simple_term)?;
        loop {
            match self.peek().clone() {
                Tok::Field(name) => {
                    self.next();
                    let optional = self.accept("?");
                    term = Tree::Index(Box::new(term), Box::new(Tree::Const(Val::str(name))), optional);
                }
                Tok::Sign(".") => {
                    self.next();
                    match self.peek() {
                        Tok::Quote | Tok::Format(_) => term = self.string_index(term)?,
                        Tok::Sign("[") => term = self.bracket(term)?,
                        _ => return Err(self.unexpected(", expecting FORMAT or QQSTRING_START or '['")),
                    }
                }
                Tok::Sign("[") => term = self.bracket(term)?,
                Tok::Sign("?") => {
                    self.next();
                    term = Tree::Try(Box::new(term), None);
                }
                _ => return Ok(term),
            }
        }
    }

    fn string_index(&mut self, term: Tree) -> Parsed<Tree> {
        let format = self.format();
        if *self.peek() != Tok::Quote {
            return Err(self.unexpected(", expecting QQSTRING_START"));
        }
        let key = self.string(format)?;
        let optional = self.accept("?");
        Ok(Tree::Index(Box::new(term), Box::new(key), optional))
    }

    fn format(&mut self) -> Option<String> {
        match self.peek().clone() {
            Tok::Format(name) => {
                self.next();
                Some(name)
            }
            _ => None,
        }
    }

    /// Parses the text in `[…]` after a term.
    fn bracket(&mut self, term: Tree) -> Parsed<Tree> {
        self.next();
        let term = Box::new(term);
        if self.accept("]") {
            let optional = self.accept("?");
            return Ok(Tree::Iterate(term, optional));
        }
        if self.accept(":") {
            let end = self.pipe()?;
            self.expect("]")?;
            let optional = self.accept("?");
            return Ok(Tree::Slice(term, None, Some(Box::new(end)), optional));
        }
        let key = Box::new(self.pipe()?);
        if self.accept(":") {
            let end = if *self.peek() == Tok::Sign("]") { None } else { Some(Box::new(self.pipe()?)) };
            self.expect("]")?;
            let optional = self.accept("?");
            return Ok(Tree::Slice(term, Some(key), end, optional));
        }
        if !self.accept("]") {
            return Err(self.unexpected(""));
        }
        let optional = self.accept("?");
        Ok(Tree::Index(term, key, optional))
    }

    fn simple_term(&mut self) -> Parsed<Tree> {
        let at = self.place();
        match self.peek().clone() {
            Tok::Sign(".") => {
                self.next();
                if matches!(self.peek(), Tok::Quote | Tok::Format(_)) {
                    return self.string_index(Tree::Identity);
                }
                Ok(Tree::Identity)
            }
            Tok::Sign("..") => {
                self.next();
                Ok(Tree::RecurseAll)
            }
            Tok::Field(name) => {
                self.next();
                let optional = self.accept("?");
                Ok(Tree::Index(Box::new(Tree::Identity), Box::new(Tree::Const(Val::str(name))), optional))
            }
            Tok::Literal(index) => {
                self.next();
                Ok(Tree::Const(self.numbers[index].clone()))
            }
            Tok::Quote => self.string(None),
            Tok::Format(name) => {
                self.next();
                if *self.peek() == Tok::Quote { self.string(Some(name)) } else { Ok(Tree::Format(name)) }
            }
            Tok::Binding(name) => {
                self.next();
                if name == "__loc__" {
                    return Ok(Tree::Location(self.line(at)));
                }
                Ok(Tree::Var(name, at))
            }
            Tok::Sign("(") => {
                self.next();
                let inner = self.pipe()?;
                if !self.accept(")") {
                    return Err(self.unexpected(""));
                }
                Ok(inner)
            }
            Tok::Sign("[") => {
                self.next();
                if self.accept("]") {
                    return Ok(Tree::Array(None));
                }
                let inner = self.pipe()?;
                if !self.accept("]") {
                    return Err(self.unexpected(""));
                }
                Ok(Tree::Array(Some(Box::new(inner))))
            }
            Tok::Sign("{") => self.object(),
            Tok::Word("if") => {
                self.next();
                self.conditional().map_err(|mistake| {
                    if *self.peek() == Tok::End && mistake.note.is_none() {
                        return Mistake { note: Some(("Possibly unterminated 'if' statement".into(), at)), ..mistake };
                    }
                    mistake
                })
            }
            Tok::Word("reduce") => {
                self.next();
                let source = Box::new(self.term()?);
                self.expect_word("as")?;
                let patterns = self.patterns()?;
                self.expect("(")?;
                let init = Box::new(self.pipe()?);
                self.expect(";")?;
                let update = Box::new(self.pipe()?);
                self.expect(")")?;
                Ok(Tree::Reduce(source, patterns, init, update))
            }
            Tok::Word("foreach") => {
                self.next();
                let source = Box::new(self.term()?);
                self.expect_word("as")?;
                let patterns = self.patterns()?;
                self.expect("(")?;
                let init = Box::new(self.pipe()?);
                self.expect(";")?;
                let update = Box::new(self.pipe()?);
                let extract = if self.accept(";") { Some(Box::new(self.pipe()?)) } else { None };
                self.expect(")")?;
                Ok(Tree::Foreach(source, patterns, init, update, extract))
            }
            Tok::Ident(name) => {
                self.next();
                self.call(name, at)
            }
            _ => Err(self.unexpected("")),
        }
    }

    fn line(&self, at: usize) -> usize {
        self.text[..at].matches('\n').count() + 1
    }

    fn call(&mut self, name: String, at: usize) -> Parsed<Tree> {
        if name == "break"
            && let Tok::Binding(label) = self.peek().clone()
        {
            self.next();
            return Ok(Tree::Break(label, at));
        }
        let mut args = Vec::new();
        if self.accept("(") {
            loop {
                args.push(self.pipe()?);
                if self.accept(")") {
                    break;
                }
                if !self.accept(";") {
                    return Err(self.unexpected(""));
                }
            }
        }
        Ok(Tree::Call(name, args, at))
    }

    fn conditional(&mut self) -> Parsed<Tree> {
        let condition = Box::new(self.pipe()?);
        self.expect_word("then")?;
        let then = Box::new(self.pipe()?);
        let otherwise = if self.accept("elif") {
            return Ok(Tree::If(condition, then, Some(Box::new(self.nested(Self::conditional)?))));
        } else if self.accept("else") {
            Some(Box::new(self.pipe()?))
        } else {
            None
        };
        self.expect_word("end")?;
        Ok(Tree::If(condition, then, otherwise))
    }

    /// Parses a string with its interpolations.
    pub(super) fn string(&mut self, format: Option<String>) -> Parsed<Tree> {
        self.next();
        let mut pieces = Vec::new();
        loop {
            match self.peek().clone() {
                Tok::Text(text) => {
                    self.next();
                    pieces.push(Piece::Text(text));
                }
                Tok::Open => {
                    self.next();
                    let code = self.pipe()?;
                    if *self.peek() != Tok::Close {
                        return Err(self.unexpected(""));
                    }
                    self.next();
                    pieces.push(Piece::Code(code));
                }
                Tok::Unquote => {
                    self.next();
                    return Ok(Tree::Text(format, pieces));
                }
                _ => return Err(self.unexpected(", expecting QQSTRING_TEXT or QQSTRING_INTERP_START or QQSTRING_END")),
            }
        }
    }

    fn object(&mut self) -> Parsed<Tree> {
        self.next();
        Ok(Tree::Object(if self.accept("}") { Vec::new() } else { self.listed("}", Self::pair)? }))
    }

    fn pair(&mut self) -> Parsed<(Key, Option<Tree>, usize)> {
        let at = self.place();
        let (key, short) = match self.peek().clone() {
            Tok::Binding(name) => {
                self.next();
                if name == "__loc__" {
                    return Ok((Key::Name(name), Some(Tree::Location(self.line(at))), at));
                }
                if self.accept(":") {
                    let value = self.member_value()?;
                    return Ok((Key::Code(Tree::Var(name, at)), Some(value), at));
                }
                return Ok((Key::Name(name.clone()), Some(Tree::Var(name, at)), at));
            }
            Tok::Ident(name) => {
                self.next();
                (Key::Name(name), true)
            }
            Tok::Word(word) => {
                self.next();
                (Key::Name(word.to_owned()), true)
            }
            Tok::Quote | Tok::Format(_) => {
                let format = self.format();
                if *self.peek() != Tok::Quote {
                    return Err(self.unexpected(", expecting QQSTRING_START"));
                }
                (Key::Code(self.string(format)?), true)
            }
            Tok::Literal(index) => {
                let number = self.numbers[index].clone();
                self.next();
                (Key::Code(Tree::Const(number)), false)
            }
            Tok::Sign("(") => {
                self.next();
                let inner = self.pipe()?;
                self.expect(")")?;
                (Key::Code(inner), false)
            }
            _ => return Err(self.unexpected("")),
        };
        if self.accept(":") {
            return Ok((key, Some(self.member_value()?), at));
        }
        if short { Ok((key, None, at)) } else { Err(self.unexpected(", expecting ':'")) }
    }

    pub(super) fn patterns(&mut self) -> Parsed<Vec<Pattern>> {
        let mut list = vec![self.pattern()?];
        while self.accept("?//") {
            list.push(self.pattern()?);
        }
        Ok(list)
    }

    fn pattern(&mut self) -> Parsed<Pattern> {
        self.nested(|p| match p.peek().clone() {
            Tok::Binding(name) => {
                p.next();
                Ok(Pattern::Var(name))
            }
            Tok::Sign("[") => {
                p.next();
                Ok(Pattern::Array(p.listed("]", Self::pattern)?))
            }
            Tok::Sign("{") => {
                p.next();
                Ok(Pattern::Object(p.listed("}", Self::member_pattern)?))
            }
            _ => Err(p.unexpected(", expecting BINDING or '[' or '{'")),
        })
    }

    /// Parses items between commas, up to the sign that closes them.
    fn listed<T>(&mut self, close: &str, item: impl Fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut list = vec![item(self)?];
        while !self.accept(close) {
            if !self.accept(",") {
                return Err(self.unexpected(""));
            }
            list.push(item(self)?);
        }
        Ok(list)
    }

    fn member_pattern(&mut self) -> Parsed<(Option<String>, Key, Option<Pattern>)> {
        let key = match self.peek().clone() {
            Tok::Binding(name) => {
                self.next();
                let inner = if self.accept(":") { Some(self.pattern()?) } else { None };
                return Ok((Some(name.clone()), Key::Name(name), inner));
            }
            Tok::Ident(name) => {
                self.next();
                Key::Name(name)
            }
            Tok::Word(word) => {
                self.next();
                Key::Name(word.to_owned())
            }
            Tok::Quote | Tok::Format(_) => {
                let format = self.format();
                Key::Code(self.string(format)?)
            }
            Tok::Sign("(") => {
                self.next();
                let inner = self.pipe()?;
                self.expect(")")?;
                Key::Code(inner)
            }
            _ => return Err(self.unexpected("")),
        };
        if !self.accept(":") {
            return Err(match key {
                Key::Name(_) | Key::Code(_) => Mistake::new(self.unexpected(", expecting ':'").message, self.place()),
            });
        }
        Ok((None, key, Some(self.pattern()?)))
    }
}
