//! The tree of a program, with names as they were written.

use crate::json::Val;

/// Two-sided operators that compute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Eq,
    Ne,
    Lt,
    Gt,
    Le,
    Ge,
}

/// A part of a string.
#[derive(Debug, Clone)]
pub(super) enum Piece {
    Text(String),
    Code(Tree),
}

/// A key of an object that is built, or of a pattern.
#[derive(Debug, Clone)]
pub(super) enum Key {
    Name(String),
    Code(Tree),
}

/// A pattern that takes a value apart.
#[derive(Debug, Clone)]
pub(super) enum Pattern {
    Var(String),
    Array(Vec<Pattern>),
    /// The variable that also gets the value of this member, its key, the pattern.
    Object(Vec<(Option<String>, Key, Option<Pattern>)>),
}

/// A function that is defined.
#[derive(Debug, Clone)]
pub(super) struct Function {
    pub name: String,
    pub params: Vec<String>,
    pub body: Tree,
}

/// A program or a part of it.
#[derive(Debug, Clone)]
pub(super) enum Tree {
    Identity,
    RecurseAll,
    Const(Val),
    Text(Option<String>, Vec<Piece>),
    Format(String),
    /// The flag of these three says that their own errors are no errors: `.a?`.
    Index(Box<Tree>, Box<Tree>, bool),
    Slice(Box<Tree>, Option<Box<Tree>>, Option<Box<Tree>>, bool),
    Iterate(Box<Tree>, bool),
    Try(Box<Tree>, Option<Box<Tree>>),
    Negate(Box<Tree>),
    Pipe(Box<Tree>, Box<Tree>),
    Comma(Box<Tree>, Box<Tree>),
    Binary(Op, Box<Tree>, Box<Tree>),
    And(Box<Tree>, Box<Tree>),
    Or(Box<Tree>, Box<Tree>),
    Alternative(Box<Tree>, Box<Tree>),
    Assign(Box<Tree>, Box<Tree>),
    Modify(Box<Tree>, Box<Tree>),
    /// `a op= b`; no operator is `//=`.
    Update(Option<Op>, Box<Tree>, Box<Tree>),
    If(Box<Tree>, Box<Tree>, Option<Box<Tree>>),
    Reduce(Box<Tree>, Vec<Pattern>, Box<Tree>, Box<Tree>),
    Foreach(Box<Tree>, Vec<Pattern>, Box<Tree>, Box<Tree>, Option<Box<Tree>>),
    Define(Box<Function>, Box<Tree>),
    Call(String, Vec<Tree>, usize),
    Var(String, usize),
    Bind(Box<Tree>, Vec<Pattern>, Box<Tree>),
    Label(String, Box<Tree>),
    Break(String, usize),
    Array(Option<Box<Tree>>),
    Object(Vec<(Key, Option<Tree>, usize)>),
    Location(usize),
}

/// What a program takes from elsewhere.
#[derive(Debug, Clone)]
pub(super) struct Import {
    pub path: String,
    /// The name it goes by; an `include` has none.
    pub name: Option<String>,
    /// Whether it is data, `import "x" as $name`.
    pub data: bool,
    pub meta: Option<Val>,
}

/// A whole file.
#[derive(Debug, Clone, Default)]
pub(super) struct Source {
    pub module: Option<Val>,
    pub imports: Vec<Import>,
    pub functions: Vec<Function>,
    pub main: Option<Tree>,
}

impl Tree {
    /// The value of a constant made of literals, if it is one.
    pub(super) fn constant(&self) -> Option<Val> {
        match self {
            Tree::Const(val) => Some(val.clone()),
            Tree::Text(None, pieces) => {
                let mut text = String::new();
                for piece in pieces {
                    let Piece::Text(part) = piece else { return None };
                    text += part;
                }
                Some(Val::str(text))
            }
            Tree::Call(name, args, _) if args.is_empty() => match name.as_str() {
                "true" => Some(Val::Bool(true)),
                "false" => Some(Val::Bool(false)),
                "null" => Some(Val::Null),
                _ => None,
            },
            Tree::Array(None) => Some(Val::arr(Vec::new())),
            Tree::Array(Some(inner)) => inner.constants().map(Val::arr),
            Tree::Object(pairs) => {
                let mut map = crate::json::Map::default();
                for (key, value, _) in pairs {
                    let key = match key {
                        Key::Name(name) => name.clone(),
                        Key::Code(code) => code.constant()?.as_str()?.to_owned(),
                    };
                    map.insert(std::rc::Rc::new(key), value.as_ref()?.constant()?);
                }
                Some(Val::obj(map))
            }
            _ => None,
        }
    }

    fn constants(&self) -> Option<Vec<Val>> {
        match self {
            Tree::Comma(a, b) => {
                let mut list = a.constants()?;
                list.extend(b.constants()?);
                Some(list)
            }
            other => other.constant().map(|val| vec![val]),
        }
    }
}
