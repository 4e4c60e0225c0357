//! The tree of a program.

/// A variable as the parser refers to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Var {
    /// Of the program.
    Global(usize),
    /// A parameter.
    Local(usize),
}

/// What can be assigned to.
#[derive(Debug, Clone)]
pub(super) enum Lvalue {
    /// A variable.
    Var(Var),
    /// A field.
    Field(Box<Expr>),
    /// An element.
    Elem(Box<ArrayExpr>, Vec<Expr>),
}

/// What names an array.
#[derive(Debug, Clone)]
pub(super) enum ArrayExpr {
    /// A variable.
    Var(Var),
    /// An element that is an array.
    Elem(Box<Self>, Vec<Expr>),
}

/// Operators of two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arith {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Mod,
    /// `^`
    Pow,
}

/// Comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cmp {
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

/// Where `getline` reads.
#[derive(Debug, Clone)]
pub(super) enum Origin {
    /// The main input.
    Main,
    /// A file.
    File(Box<Expr>),
    /// A command's output; `|&` if the flag is set.
    Command(Box<Expr>, bool),
}

/// An expression.
#[derive(Debug, Clone)]
pub(super) enum Expr {
    /// A number.
    Num(f64),
    /// A string.
    Str(Vec<u8>),
    /// `/re/`; its index among the expressions of the program.
    Regex(Vec<u8>),
    /// `@/re/`.
    Strong(Vec<u8>),
    /// A value that can be assigned to.
    Lvalue(Lvalue),
    /// `=`
    Assign(Lvalue, Box<Self>),
    /// `+=` and so on.
    Update(Arith, Lvalue, Box<Self>),
    /// `++`, `--`: the amount, and whether the operator comes first.
    Step(Lvalue, f64, bool),
    /// `? :`
    Cond(Box<Self>, Box<Self>, Box<Self>),
    /// `&&`
    And(Box<Self>, Box<Self>),
    /// `||`
    Or(Box<Self>, Box<Self>),
    /// `!`
    Not(Box<Self>),
    /// `-`
    Neg(Box<Self>),
    /// `+`
    Plus(Box<Self>),
    /// An operation on two numbers.
    Arith(Arith, Box<Self>, Box<Self>),
    /// A comparison.
    Compare(Cmp, Box<Self>, Box<Self>),
    /// Texts that follow each other.
    Concat(Vec<Self>),
    /// `~`, `!~` if the flag is set.
    Match(Box<Self>, Box<Self>, bool),
    /// `(i, j) in a`.
    In(Vec<Self>, ArrayExpr),
    /// A function of the program.
    Call(String, Vec<Self>),
    /// `@f(…)`.
    Indirect(Box<Self>, Vec<Self>),
    /// A builtin.
    Builtin(super::builtin::Builtin, Vec<Self>),
    /// `getline`.
    Getline(Option<Lvalue>, Origin),
    /// In parentheses.
    Group(Box<Self>),
    /// A list in parentheses: before `in`, or the arguments of `print`.
    List(Vec<Self>),
}

/// Where output goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Redirect {
    /// `>`
    File,
    /// `>>`
    Append,
    /// `|`
    Pipe,
    /// `|&`
    Both,
}

/// A statement with its line.
#[derive(Debug, Clone)]
pub(super) struct Stmt {
    /// The line.
    pub line: usize,
    /// What it does.
    pub kind: Kind,
}

/// What a statement does.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// An expression.
    Expr(Expr),
    /// `print`.
    Print(Vec<Expr>, Option<(Redirect, Expr)>),
    /// `printf`.
    Printf(Vec<Expr>, Option<(Redirect, Expr)>),
    /// `if`.
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    /// `while`.
    While(Expr, Box<Stmt>),
    /// `do`.
    Do(Box<Stmt>, Expr),
    /// `for (;;)`.
    For(Option<Box<Stmt>>, Option<Expr>, Option<Box<Stmt>>, Box<Stmt>),
    /// `for (k in a)`.
    ForIn(Lvalue, ArrayExpr, Box<Stmt>),
    /// `switch`.
    Switch(Expr, Vec<(Option<Expr>, Vec<Stmt>)>),
    /// `{ }`.
    Block(Vec<Stmt>),
    /// `next`.
    Next,
    /// `nextfile`.
    NextFile,
    /// `exit`.
    Exit(Option<Expr>),
    /// `return`.
    Return(Option<Expr>),
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `delete`.
    Delete(ArrayExpr, Vec<Expr>),
}

/// When a rule's action runs.
#[derive(Debug, Clone)]
pub(super) enum When {
    /// Before the input.
    Begin,
    /// After it.
    End,
    /// Before a file.
    BeginFile,
    /// After a file.
    EndFile,
    /// For every record.
    Always,
    /// For records for which this is true.
    If(Expr),
    /// From one record to another.
    Range(Expr, Expr),
}

/// A rule.
#[derive(Debug)]
pub(super) struct Rule {
    /// When.
    pub when: When,
    /// The action; without one, the rule prints the record.
    pub action: Option<Vec<Stmt>>,
    /// The line it begins in.
    pub line: usize,
}

/// A function.
#[derive(Debug)]
pub(super) struct Function {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub params: Vec<String>,
    /// What it does.
    pub body: Vec<Stmt>,
}

/// A program.
#[derive(Debug, Default)]
pub(super) struct Program {
    /// Its rules.
    pub rules: Vec<Rule>,
    /// Its functions.
    pub functions: Vec<Function>,
    /// The names of its variables, those of the language first.
    pub globals: Vec<String>,
}
