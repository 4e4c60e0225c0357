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
    Array(Vec<Self>),
    /// The variable that also gets the value of this member, its key, the pattern.
    Object(Vec<(Option<String>, Key, Option<Self>)>),
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
    Index(Box<Self>, Box<Self>, bool),
    Slice(Box<Self>, Option<Box<Self>>, Option<Box<Self>>, bool),
    Iterate(Box<Self>, bool),
    Try(Box<Self>, Option<Box<Self>>),
    Negate(Box<Self>),
    Pipe(Box<Self>, Box<Self>),
    Comma(Box<Self>, Box<Self>),
    Binary(Op, Box<Self>, Box<Self>),
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
    Alternative(Box<Self>, Box<Self>),
    Assign(Box<Self>, Box<Self>),
    Modify(Box<Self>, Box<Self>),
    /// `a op= b`; no operator is `//=`.
    Update(Option<Op>, Box<Self>, Box<Self>),
    If(Box<Self>, Box<Self>, Option<Box<Self>>),
    Reduce(Box<Self>, Vec<Pattern>, Box<Self>, Box<Self>),
    Foreach(Box<Self>, Vec<Pattern>, Box<Self>, Box<Self>, Option<Box<Self>>),
    Define(Box<Function>, Box<Self>),
    Call(String, Vec<Self>, usize),
    Var(String, usize),
    Bind(Box<Self>, Vec<Pattern>, Box<Self>),
    Label(String, Box<Self>),
    Break(String, usize),
    Array(Option<Box<Self>>),
    Object(Vec<(Key, Option<Self>, usize)>),
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
    /// Returns the value of a constant made of literals, if it is one.
    pub(super) fn constant(&self) -> Option<Val> {
        match self {
            Self::Const(val) => Some(val.clone()),
            Self::Text(None, pieces) => {
                let mut text = String::new();
                for piece in pieces {
                    let Piece::Text(part) = piece else { return None };
                    text += part;
                }
                Some(Val::str(text))
            }
            Self::Call(name, args, _) if args.is_empty() => match name.as_str() {
                "true" => Some(Val::Bool(true)),
                "false" => Some(Val::Bool(false)),
                "null" => Some(Val::Null),
                _ => None,
            },
            Self::Array(None) => Some(Val::arr(Vec::new())),
            Self::Array(Some(inner)) => inner.constants().map(Val::arr),
            Self::Object(pairs) => {
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
            Self::Comma(a, b) => {
                let mut list = a.constants()?;
                list.extend(b.constants()?);
                Some(list)
            }
            other => other.constant().map(|val| vec![val]),
        }
    }
}
