//! POSIX regular expressions: leftmost-longest matches, back-references, texts of bytes. Most run on `regex-automata`; where
//! its first match may not be the longest, a second automaton finds the end, and a matcher of our own finds the groups.

mod ast;
mod backtrack;
pub mod bracket;
mod case;
mod classes;
pub mod escapes;
mod hir;
mod letters;
mod parse;
mod program;
mod repeat;

pub use parse::{Flavor, Options};

use ast::{Assert, Node};
use backtrack::Outcome;
use memchr::memmem::Finder;
use parse::Parsed;
use program::Program;
use regex_automata::hybrid::dfa::{Cache as LazyCache, DFA as Lazy};
use regex_automata::meta::{self, Cache};
use regex_automata::nfa::thompson::{self, pikevm::PikeVM};
use regex_automata::{Anchored, Input, MatchKind, util::captures::Captures};
use std::cell::{Cell, RefCell};

/// The memory an expression may take, compiled.
const SIZE_LIMIT: usize = 64 << 20;
/// The memory that the states of a lazy automaton may take.
const CACHE: usize = 8 << 20;

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
    ignored: Vec<&'static str>,
    gave_up: Cell<bool>,
}

/// Finds the longest end of a match whose start is known.
struct Longest {
    lazy: Option<(Lazy, RefCell<LazyCache>)>,
    vm: PikeVM,
}

/// A match: start and end, in bytes.
pub type Span = (usize, usize);

/// What a match must be besides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whole {
    /// Anything.
    Part,
    /// A word: no word's character beside it.
    Word,
    /// A line, or the text if `^` and `$` do not match at lines.
    Line,
}

impl Regex {
    /// Compiles; errors are in glibc's words.
    pub fn new(source: &[u8], options: Options) -> Result<Self, String> {
        Self::compile(parse::parse(source, 0, options)?, options, true)
    }

    /// Compiles several expressions, one of which must match, and `whole`. Groups cannot be asked for: it is faster without.
    pub fn any(sources: &[impl AsRef<[u8]>], options: Options, whole: Whole) -> Result<Self, String> {
        let mut all = Parsed { node: Node::Empty, groups: 0, back: false, ignored: Vec::new() };
        let mut nodes = Vec::with_capacity(sources.len());
        for source in sources {
            let one = parse::parse(source.as_ref(), all.groups, options)?;
            nodes.push(one.node);
            all.groups = one.groups;
            all.back |= one.back;
            all.ignored.extend(one.ignored);
        }
        all.node = if nodes.len() == 1 { nodes.remove(0) } else { Node::Alt(nodes) };
        let around = match whole {
            Whole::Part => None,
            Whole::Word => Some((Assert::WordStartHalf, Assert::WordEndHalf)),
            Whole::Line => Some((Assert::LineStart, Assert::LineEnd)),
        };
        if let Some((before, after)) = around {
            all.node = Node::Cat(vec![Node::Assert(before), all.node, Node::Assert(after)]);
        }
        Self::compile(all, options, false)
    }

    fn compile(parsed: Parsed, options: Options, captures: bool) -> Result<Self, String> {
        let big = || "Regular expression too big".to_owned();
        let tree = hir::translate(&parsed.node, options, captures);
        let ambiguous = !parsed.back && hir::ambiguous(&parsed.node, options.utf8);
        let config = meta::Config::new().utf8_empty(false).nfa_size_limit(Some(SIZE_LIMIT)).hybrid_cache_capacity(CACHE);
        let meta = meta::Builder::new().configure(config).build_from_hir(&tree).map_err(|_| big())?;
        let longest = if ambiguous { Some(Longest::new(&tree).ok_or_else(big)?) } else { None };
        let program = if parsed.back || (ambiguous && captures) { Some(Program::new(&parsed.node, parsed.groups)?) } else { None };
        let literal = literal(&parsed.node).map(|text| Finder::new(&text).into_owned());
        Ok(Self {
            options,
            groups: if captures { parsed.groups } else { 0 },
            literal,
            cache: RefCell::new(meta.create_cache()),
            captures: RefCell::new(meta.create_captures()),
            meta,
            longest,
            program,
            back: parsed.back,
            ignored: parsed.ignored,
            gave_up: Cell::new(false),
        })
    }

    /// Checks whether it is well-formed.
    pub fn check(source: &[u8], options: Options) -> Result<(), String> {
        parse::parse(source, 0, options).map(|_| ())
    }

    /// Returns the expression as a pattern of Rust's `regex` crate, which knows no references to groups: they are an error.
    pub fn as_rust(source: &[u8], options: Options) -> Result<String, String> {
        let parsed = parse::parse(source, 0, options)?;
        if parsed.back {
            return Err("Invalid back reference".into());
        }
        let mut out = String::new();
        let printed = regex_syntax::hir::print::Printer::new().print(&hir::translate(&parsed.node, options, true), &mut out);
        printed.map(|()| out).map_err(|error| error.to_string())
    }

    /// Returns the number of groups.
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// Returns whether it refers back to a group. Searches are slower then, and may be given up: search each line by itself.
    pub fn refers_back(&self) -> bool {
        self.back
    }

    /// Returns the operators that were ignored as they had nothing to repeat, as grep's warnings name them.
    pub fn ignored(&self) -> &[&'static str] {
        &self.ignored
    }

    /// Returns whether a search was given up: back-references needed too many steps, which counts as no match.
    pub fn gave_up(&self) -> bool {
        self.gave_up.get()
    }

    /// Returns whether there is a match.
    pub fn is_match(&self, text: &[u8]) -> bool {
        self.any_end(text, 0).is_some()
    }

    /// Returns where some match at or after `from` ends: the first end that there is, not that of the leftmost, longest match.
    pub fn any_end(&self, text: &[u8], from: usize) -> Option<usize> {
        if let Some(finder) = &self.literal {
            return finder.find(&text[from..]).map(|at| from + at + finder.needle().len());
        }
        if self.back {
            return self.backtrack(text, from, false).map(|slots| slots[1]);
        }
        let input = Input::new(text).range(from..).earliest(true);
        self.meta.search_half_with(&mut self.cache.borrow_mut(), &input).map(|found| found.offset())
    }

    /// Finds the leftmost, longest match at or after `from`.
    pub fn find(&self, text: &[u8], from: usize) -> Option<Span> {
        if let Some(finder) = &self.literal {
            let at = from + finder.find(&text[from..])?;
            return Some((at, at + finder.needle().len()));
        }
        if self.back {
            return self.backtrack(text, from, true).map(|slots| (slots[0], slots[1]));
        }
        let input = Input::new(text).range(from..);
        let found = self.meta.search_with(&mut self.cache.borrow_mut(), &input)?;
        match &self.longest {
            Some(longest) => Some((found.start(), longest.end(text, found.start()).unwrap_or(found.end()))),
            None => Some((found.start(), found.end())),
        }
    }

    /// Returns the match at or after `from` with its groups, the whole match first.
    pub fn captures(&self, text: &[u8], from: usize, groups: &mut Vec<Option<Span>>) -> bool {
        groups.clear();
        if self.groups == 0 && !self.back {
            groups.extend(self.find(text, from).map(Some));
            return !groups.is_empty();
        }
        if let Some(program) = &self.program {
            let slots = if self.back {
                self.backtrack(text, from, true)
            } else {
                self.find(text, from).and_then(|(start, end)| match backtrack::run(program, self.options, text, start, Some(end), true) {
                    Outcome::Found(slots) => Some(slots),
                    Outcome::Nothing | Outcome::GaveUp => None,
                })
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

    /// Returns the slots of the first match at or after `from`, the longest if `longest`.
    fn backtrack(&self, text: &[u8], from: usize, longest: bool) -> Option<Vec<usize>> {
        let program = self.program.as_ref()?;
        let mut at = from;
        while at <= text.len() {
            // The next place where it could match if references matched more than they do.
            let next = self.meta.search_with(&mut self.cache.borrow_mut(), &Input::new(text).range(at..))?;
            at = at.max(next.start());
            match backtrack::run(program, self.options, text, at, None, longest) {
                Outcome::Found(slots) => return Some(slots),
                Outcome::Nothing => {}
                Outcome::GaveUp => {
                    self.gave_up.set(true);
                    return None;
                }
            }
            at += 1;
        }
        None
    }
}

impl Longest {
    fn new(tree: &regex_syntax::hir::Hir) -> Option<Self> {
        let config = thompson::Config::new().utf8(false).nfa_size_limit(Some(SIZE_LIMIT));
        let nfa = thompson::Compiler::new().configure(config).build_from_hir(tree).ok()?;
        let settings = Lazy::config().match_kind(MatchKind::All).unicode_word_boundary(true).cache_capacity(CACHE);
        let lazy = Lazy::builder().configure(settings).build_from_nfa(nfa.clone()).ok();
        let vm = PikeVM::builder().configure(PikeVM::config().match_kind(MatchKind::All)).build_from_nfa(nfa).ok()?;
        let lazy = lazy.map(|dfa| {
            let cache = RefCell::new(dfa.create_cache());
            (dfa, cache)
        });
        Some(Self { lazy, vm })
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

/// Returns the text, if the expression is nothing else.
fn literal(node: &Node) -> Option<Vec<u8>> {
    match node {
        Node::Literal(bytes) => Some(bytes.clone()),
        Node::Cat(parts) => {
            parts.iter().map(|p| if let Node::Literal(b) = p { Some(&b[..]) } else { None }).collect::<Option<Vec<_>>>().map(|p| p.concat())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
