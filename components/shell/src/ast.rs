//! The tree that a script parses to. Words are parsed once into parts; every command knows its line.

use crate::arith::ArithText;
use crate::sym::Sym;
use std::cell::OnceCell;
use std::rc::Rc;

/// A word before expansion.
#[derive(Debug, Clone, Default)]
pub struct Word {
    /// As it was written.
    pub raw: Box<[u8]>,
    /// What it consists of.
    pub parts: Vec<Part>,
    /// Whether an unquoted `{` makes brace expansion possible.
    pub brace: bool,
}

impl Word {
    /// Returns whether it is `name[…]`, its name and brackets not quoted.
    pub fn is_element(&self) -> bool {
        let (Some(Part::Lit(first)), Some(Part::Lit(last))) = (self.parts.first(), self.parts.last()) else { return false };
        let name = first.split(|b| *b == b'[').next().unwrap_or_default();
        name.len() < first.len() && crate::sym::is_name(name) && last.ends_with(b"]")
    }
}

/// A piece of a word.
#[derive(Debug, Clone)]
pub enum Part {
    /// Text; unquoted unless inside `Double`.
    Lit(Box<[u8]>),
    /// Text in single quotes, `$'…'`, or after a backslash.
    Quoted(Box<[u8]>),
    /// `"…"`.
    Double(Vec<Self>),
    /// `$x`, `${…}`.
    Param(Box<Param>),
    /// `$(…)` and backticks.
    Command(Rc<List>),
    /// Backticks around text that is no command; reported when it is reached, as in bash.
    Broken(Rc<crate::parser::SyntaxError>),
    /// `$((…))`.
    Arith(Rc<ArithText>),
    /// `<(…)` (true) and `>(…)`.
    Process(bool, Rc<List>),
    /// `~` or `~name` where it expands.
    Tilde(Box<[u8]>),
}

impl Part {
    /// Returns whether it is `$name` without braces: text after it may belong to the name.
    pub fn is_plain_name(&self) -> bool {
        matches!(self, Self::Param(param) if matches!(param.name, ParamName::Var(_)) && param.raw.get(1) != Some(&b'{'))
    }
}

/// Which parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParamName {
    /// A variable.
    Var(Sym),
    /// `$1` and on; `$0` is 0.
    Positional(u32),
    /// `@ * # ? - $ !`.
    Special(u8),
}

/// The subscript of an array reference.
#[derive(Debug, Clone)]
pub enum Subscript {
    /// `[@]`.
    At,
    /// `[*]`.
    Star,
    /// `[…]`.
    Index(Rc<Index>),
}

/// A subscript's text: an expression for indexed arrays, a key for associative ones.
#[derive(Debug)]
pub struct Index {
    /// As a key.
    pub word: Word,
    /// As an expression.
    pub arith: ArithText,
}

/// A parameter expansion.
#[derive(Debug, Clone)]
pub struct Param {
    /// The parameter.
    pub name: ParamName,
    /// Its subscript.
    pub index: Option<Subscript>,
    /// `${!x}`.
    pub indirect: bool,
    /// What is done with it.
    pub op: ParamOp,
    /// As it was written, for messages.
    pub raw: Box<[u8]>,
}

/// What `${x…}` does.
#[derive(Debug, Clone)]
pub enum ParamOp {
    /// `${x}`
    None,
    /// `${#x}`
    Length,
    /// `${x-w}`, with colon: `${x:-w}`
    Default(bool, Word),
    /// `${x=w}`
    Assign(bool, Word),
    /// `${x?w}`
    Error(bool, Word),
    /// `${x+w}`
    Alternative(bool, Word),
    /// `${x#p}`, longest: `${x##p}`
    RemovePrefix(bool, Word),
    /// `${x%p}`, longest: `${x%%p}`
    RemoveSuffix(bool, Word),
    /// `${x/p/r}` and its forms.
    Replace(ReplaceKind, Word, Word),
    /// `${x:o:l}`
    Slice(Rc<ArithText>, Option<Rc<ArithText>>),
    /// `${x^p}`, `${x,,}` …: the operator, doubled, the pattern.
    Case(u8, bool, Option<Word>),
    /// `${x@Q}`
    Transform(u8),
    /// `${!a[@]}` and `${!a[*]}` (true).
    Keys(bool),
    /// `${!prefix@}` and `${!prefix*}` (true).
    Names(bool),
    /// Not a valid expansion; reported when it is reached, as in bash.
    Bad,
}

/// Which matches `${x/p/r}` replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplaceKind {
    /// The first.
    First,
    /// `//`: all.
    All,
    /// `/#`: at the start.
    Prefix,
    /// `/%`: at the end.
    Suffix,
}

/// A list of and-or lists.
#[derive(Debug, Clone, Default)]
pub struct List {
    /// In order.
    pub items: Vec<ListItem>,
}

/// One and-or list.
#[derive(Debug, Clone)]
pub struct ListItem {
    /// The pipelines.
    pub and_or: AndOr,
    /// Ended by `&`.
    pub background: bool,
    /// Whether its line ends there, without a `;`.
    pub line_end: bool,
}

/// Pipelines joined by `&&` and `||`.
#[derive(Debug, Clone)]
pub struct AndOr {
    /// The first.
    pub first: Pipeline,
    /// The others; true for `&&`.
    pub rest: Vec<(bool, Pipeline)>,
}

/// Commands joined by `|`.
#[derive(Debug, Clone)]
pub struct Pipeline {
    /// `!` before it.
    pub negated: bool,
    /// `time` before it; true for `time -p`.
    pub timed: Option<bool>,
    /// The stages.
    pub commands: Vec<Command>,
}

/// A command.
#[derive(Debug, Clone)]
pub struct Command {
    /// Its line.
    pub line: u32,
    /// What it is.
    pub kind: Kind,
    /// Redirections of compound commands and of simple ones.
    pub redirects: Vec<Redirect>,
}

/// The kinds of commands.
#[derive(Debug, Clone)]
pub enum Kind {
    /// Words and assignments.
    Simple(Simple),
    /// `{ …; }`
    Brace(List),
    /// `( … )`
    Subshell(Rc<List>),
    /// `if`: conditions with their lists, and `else`.
    If(Vec<(List, List)>, Option<List>),
    /// `for x in …`; without `in` the positional parameters.
    For(Sym, Option<Vec<Word>>, List),
    /// `for ((…;…;…))`
    ForArith(Box<[Option<ArithText>; 3]>, List),
    /// `while`, or `until` (true).
    While(bool, List, List),
    /// `case`
    Case(Word, Vec<CaseItem>),
    /// `select`
    Select(Sym, Option<Vec<Word>>, List),
    /// A function's definition.
    Function(Rc<Function>),
    /// `[[ … ]]`
    Cond(Cond),
    /// `(( … ))`
    Arith(ArithText),
    /// `coproc [NAME] …`
    Coproc(Box<[u8]>, Box<Command>),
}

/// A simple command.
#[derive(Debug, Clone, Default)]
pub struct Simple {
    /// Assignments before the command.
    pub assigns: Vec<Assign>,
    /// The words.
    pub words: Vec<Arg>,
}

/// A word of a simple command.
#[derive(Debug, Clone)]
pub enum Arg {
    /// A word.
    Word(Word),
    /// An assignment given to a declaration builtin.
    Assign(Box<Assign>, Word),
}

/// An assignment.
#[derive(Debug, Clone)]
pub struct Assign {
    /// The variable.
    pub name: Sym,
    /// Its subscript.
    pub index: Option<Rc<Index>>,
    /// `+=`
    pub append: bool,
    /// What is assigned.
    pub value: AssignValue,
}

/// What is assigned.
#[derive(Debug, Clone)]
pub enum AssignValue {
    /// A word.
    Scalar(Word),
    /// `( … )`
    Array(Vec<Element>),
    /// `a[0]=( … )`, which is refused when it is reached.
    Misplaced,
}

/// An element of `( … )`.
#[derive(Debug, Clone)]
pub struct Element {
    /// `[…]=`
    pub index: Option<Rc<Index>>,
    /// `[…]+=`
    pub append: bool,
    /// The value.
    pub value: Word,
}

/// A redirection.
#[derive(Debug, Clone)]
pub struct Redirect {
    /// The descriptor before the operator.
    pub fd: RedirectFd,
    /// The operator.
    pub op: RedirectOp,
    /// The word after it.
    pub target: Word,
    /// The text of a here-document.
    pub here: Option<Rc<HereDoc>>,
}

/// The descriptor a redirection is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedirectFd {
    /// The operator's own.
    Default,
    /// A number.
    Number(u32),
    /// `{name}`
    Var(Sym),
}

/// Redirection operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum RedirectOp {
    In,
    Out,
    Append,
    Clobber,
    ReadWrite,
    DupIn,
    DupOut,
    Both,
    BothAppend,
    HereDoc,
    HereDocStrip,
    HereString,
}

/// A here-document; its body is read when the line ends.
#[derive(Debug, Default)]
pub struct HereDoc {
    /// The word that ends it.
    pub delimiter: Box<[u8]>,
    /// Whether the delimiter was quoted: the body is literal.
    pub quoted: bool,
    /// `<<-`
    pub strip: bool,
    /// The body.
    pub body: OnceCell<Word>,
}

/// One branch of `case`.
#[derive(Debug, Clone)]
pub struct CaseItem {
    /// The patterns.
    pub patterns: Vec<Word>,
    /// The commands.
    pub body: List,
    /// What follows: `;;`, `;&` or `;;&`.
    pub end: CaseEnd,
}

/// How a branch of `case` ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaseEnd {
    /// `;;`
    Break,
    /// `;&`
    FallThrough,
    /// `;;&`
    Continue,
}

/// A function.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: Box<[u8]>,
    /// Its body, a compound command with its redirections.
    pub body: Command,
    /// The file it was read from.
    pub source: Rc<[u8]>,
}

/// An expression of `[[ … ]]`.
#[derive(Debug, Clone)]
pub enum Cond {
    /// A word that must not be empty.
    Word(Word),
    /// `-f x`
    Unary(Box<[u8]>, Word),
    /// `a == b` and the like.
    Binary(Word, Box<[u8]>, Word),
    /// `! e`
    Not(Box<Self>),
    /// `a && b`
    And(Box<Self>, Box<Self>),
    /// `a || b`
    Or(Box<Self>, Box<Self>),
    /// `( e )`
    Group(Box<Self>),
}
