//! POSIX regular expressions: leftmost-longest matches, back-references, texts of bytes. Most run on `regex-automata`; where
//! its first match may not be the longest, a second automaton finds the end, and a matcher of our own finds the groups.

mod ast;
mod backtrack;
pub mod bracket;
pub mod escapes;
mod hir;
mod parse;
mod program;

pub use parse::{Flavor, Options};

use memchr::memmem::Finder;
use program::Program;
use regex_automata::hybrid::dfa::{Cache as LazyCache, DFA as Lazy};
use regex_automata::meta::{self, Cache};
use regex_automata::nfa::thompson::{self, pikevm::PikeVM};
use regex_automata::{Anchored, Input, MatchKind, util::captures::Captures};
use std::cell::RefCell;

/// The memory an expression may take, compiled.
const SIZE_LIMIT: usize = 64 << 20;

/// A compiled expression.
pub struct Regex {
    options: Options,
    groups: usize,
    /// A text without anything special.
    literal: Option<Finder<'static>>,
    meta: meta::Regex,
    cache: RefCell<Cache>,
    captures: RefCell<Captures>,
    longest: Option<Longest>,
    program: Option<Program>,
    back: bool,
    ambiguous: bool,
}

/// Finds the longest end of a match whose start is known.
struct Longest {
    lazy: Option<(Lazy, RefCell<LazyCache>)>,
    vm: PikeVM,
}

/// A match: start and end.
pub type Span = (usize, usize);

impl Regex {
    /// Compile; errors are in glibc's words.
    pub fn new(source: &[u8], options: Options) -> Result<Regex, String> {
        let parsed = parse::parse(source, options)?;
        let big = || "Regular expression too big".to_owned();
        let tree = hir::translate(&parsed.node, options);
        let ambiguous = parsed.back || hir::ambiguous(&parsed.node, options.utf8);
        let config = meta::Config::new().utf8_empty(false).nfa_size_limit(Some(SIZE_LIMIT)).hybrid_cache_capacity(4 << 20);
        let meta = meta::Builder::new().configure(config).build_from_hir(&tree).map_err(|_| big())?;
        let longest = if ambiguous && !parsed.back { Some(Longest::new(&tree).ok_or_else(big)?) } else { None };
        let program = if ambiguous { Some(Program::new(&parsed.node, parsed.groups)?) } else { None };
        let literal = literal(&parsed.node).map(|text| Finder::new(&text).into_owned());
        Ok(Regex {
            options,
            groups: parsed.groups,
            literal,
            cache: RefCell::new(meta.create_cache()),
            captures: RefCell::new(meta.create_captures()),
            meta,
            longest,
            program,
            back: parsed.back,
            ambiguous,
        })
    }

    /// Whether it is well-formed.
    pub fn check(source: &[u8], options: Options) -> Result<(), String> {
        parse::parse(source, options).map(|_| ())
    }

    /// The number of groups.
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// Whether there is a match.
    pub fn is_match(&self, text: &[u8]) -> bool {
        if let Some(finder) = &self.literal {
            return finder.find(text).is_some();
        }
        let input = Input::new(text).earliest(true);
        let found = self.meta.search_half_with(&mut self.cache.borrow_mut(), &input).is_some();
        found && (!self.back || self.find(text, 0).is_some())
    }

    /// The leftmost, longest match at or after `from`.
    pub fn find(&self, text: &[u8], from: usize) -> Option<Span> {
        if let Some(finder) = &self.literal {
            let at = from + finder.find(&text[from..])?;
            return Some((at, at + finder.needle().len()));
        }
        let input = Input::new(text).range(from..);
        let found = self.meta.search_with(&mut self.cache.borrow_mut(), &input)?;
        if self.back {
            return self.backtrack(text, found.start()).map(|slots| (slots[0], slots[1]));
        }
        match &self.longest {
            Some(longest) => Some((found.start(), longest.end(text, found.start()).unwrap_or(found.end()))),
            None => Some((found.start(), found.end())),
        }
    }

    /// The match at or after `from` with its groups, the whole match first.
    pub fn captures(&self, text: &[u8], from: usize, groups: &mut Vec<Option<Span>>) -> bool {
        groups.clear();
        if self.groups == 0 && !self.back {
            groups.extend(self.find(text, from).map(Some));
            return !groups.is_empty();
        }
        if let (true, Some(program)) = (self.ambiguous, &self.program) {
            let slots = if self.back {
                let input = Input::new(text).range(from..);
                let first = self.meta.search_with(&mut self.cache.borrow_mut(), &input);
                first.and_then(|first| self.backtrack(text, first.start()))
            } else {
                self.find(text, from).and_then(|(start, end)| backtrack::run(program, self.options, text, start, Some(end), true))
            };
            let Some(slots) = slots else { return false };
            let pair = |s: &[usize]| (s[0] != usize::MAX && s[1] != usize::MAX).then(|| (s[0], s[1]));
            groups.extend(slots.chunks(2).map(pair));
            return true;
        }
        let input = Input::new(text).range(from..);
        let mut captures = self.captures.borrow_mut();
        self.meta.search_captures_with(&mut self.cache.borrow_mut(), &input, &mut captures);
        if !captures.is_match() {
            return false;
        }
        groups.extend((0..=self.groups).map(|n| captures.get_group(n).map(|s| (s.start, s.end))));
        true
    }

    fn backtrack(&self, text: &[u8], from: usize) -> Option<Vec<usize>> {
        let program = self.program.as_ref()?;
        let mut at = from;
        while at <= text.len() {
            if let Some(slots) = backtrack::run(program, self.options, text, at, None, true) {
                return Some(slots);
            }
            at += 1;
            // The next place where it could match if references matched more than they do.
            let next = self.meta.search_with(&mut self.cache.borrow_mut(), &Input::new(text).range(at.min(text.len())..))?;
            at = at.max(next.start());
        }
        None
    }
}

impl Longest {
    fn new(tree: &regex_syntax::hir::Hir) -> Option<Longest> {
        let config = thompson::Config::new().utf8(false).nfa_size_limit(Some(SIZE_LIMIT));
        let nfa = thompson::Compiler::new().configure(config).build_from_hir(tree).ok()?;
        let settings = Lazy::config().match_kind(MatchKind::All).unicode_word_boundary(true).cache_capacity(4 << 20);
        let lazy = Lazy::builder().configure(settings).build_from_nfa(nfa.clone()).ok();
        let vm = PikeVM::builder().configure(PikeVM::config().match_kind(MatchKind::All)).build_from_nfa(nfa).ok()?;
        let lazy = lazy.map(|dfa| {
            let cache = RefCell::new(dfa.create_cache());
            (dfa, cache)
        });
        Some(Longest { lazy, vm })
    }

    fn end(&self, text: &[u8], start: usize) -> Option<usize> {
        let input = Input::new(text).range(start..).anchored(Anchored::Yes);
        if let Some((dfa, cache)) = &self.lazy
            && let Ok(found) = dfa.try_search_fwd(&mut cache.borrow_mut(), &input)
        {
            return found.map(|m| m.offset());
        }
        let mut cache = self.vm.create_cache();
        self.vm.find(&mut cache, input).map(|m| m.end())
    }
}

/// The text, if the expression is nothing else.
fn literal(node: &ast::Node) -> Option<Vec<u8>> {
    match node {
        ast::Node::Literal(bytes) => Some(bytes.clone()),
        ast::Node::Cat(parts) => parts
            .iter()
            .map(|p| if let ast::Node::Literal(b) = p { Some(&b[..]) } else { None })
            .collect::<Option<Vec<_>>>()
            .map(|p| p.concat()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
