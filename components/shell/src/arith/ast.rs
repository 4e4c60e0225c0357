//! Expressions.

use crate::sym::Sym;

/// Operators before an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Unary {
    Minus,
    Plus,
    Not,
    Complement,
}

/// Operators between operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Pow,
    Shl,
    Shr,
    Less,
    LessEq,
    Greater,
    GreaterEq,
    Eq,
    NotEq,
    And,
    Xor,
    Or,
}

/// What can be assigned to.
#[derive(Debug, Clone)]
pub struct Place {
    /// The variable.
    pub name: Sym,
    /// Its subscript.
    pub index: Option<Box<Subscript>>,
}

/// A subscript.
#[derive(Debug, Clone)]
pub struct Subscript {
    /// As an expression, if it is one.
    pub expr: Option<Expr>,
    /// As it is written.
    pub text: Vec<u8>,
    /// As the key of an associative array: without its quotes.
    pub key: Vec<u8>,
    /// The number of expansions before it.
    pub before: usize,
}

/// An expression.
#[derive(Debug, Clone)]
pub enum Expr {
    /// A constant.
    Num(i64),
    /// An expansion, by its number. True if its value may be a negative number: not after another sign, because `-$x`
    /// may be `--3`.
    Sub(usize, bool),
    /// A variable or element.
    Get(Place),
    /// An operator before an operand.
    Unary(Unary, Box<Self>),
    /// An operator between operands; where the second begins in the text, for messages.
    Binary(Binary, Box<Self>, Box<Self>, u32),
    /// `&&`
    LogicalAnd(Box<Self>, Box<Self>),
    /// `||`
    LogicalOr(Box<Self>, Box<Self>),
    /// `?:`
    Cond(Box<Self>, Box<Self>, Box<Self>),
    /// `=` and, with an operator, `+=` and the like.
    Assign(Place, Option<Binary>, Box<Self>, u32),
    /// `++x` `--x` (the step), and `x++` `x--` when true.
    Step(Place, i64, bool),
    /// `,`
    Comma(Box<Self>, Box<Self>),
    /// From here on, the text is no expression: a message, and where its token begins. What is before it is evaluated.
    Fail(&'static str, usize),
}
