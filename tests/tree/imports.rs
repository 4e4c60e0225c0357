//! Reads what the files of a crate name of each other: `use` and paths, resolved to the file that defines the name.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::Peekable;

use proc_macro2::token_stream::IntoIter;
use proc_macro2::{Delimiter, Punct, Spacing, TokenStream, TokenTree};

/// What files name: a pair of files, and the names of the second that the first uses.
pub(crate) type Imports<'a> = BTreeMap<(&'a str, &'a str), BTreeSet<String>>;

/// The names of a path: `crate::a::B`.
type Names = Vec<String>;

type Tokens = Peekable<IntoIter>;

/// A module, which is a file or stands in one.
#[derive(Default)]
struct Module<'a> {
    file: &'a str,
    items: BTreeSet<String>,
    inner: BTreeSet<String>,
    imports: BTreeMap<String, Names>,
    globs: Vec<Names>,
    /// The paths in its code, those of `use` too.
    mentions: BTreeSet<Names>,
}

/// Where a path leads.
enum Target<'a> {
    File(&'a str),
    Module(Names),
}

/// The modules of one crate by their paths.
#[derive(Default)]
struct Crate<'a> {
    modules: BTreeMap<Names, Module<'a>>,
}

/// Returns what the files of a crate name of each other. A file is its path in `src` and its code. To declare a module, or to
/// import one, is not to name it: what is named through it counts, for the file that defines it.
pub(crate) fn imports<'a>(files: &'a [(String, String)]) -> Imports<'a> {
    let mut all = Crate::default();
    for (name, code) in files {
        let tokens: TokenStream = code.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
        all.read(tokens, module_path(name), name);
    }
    let mut found = Imports::new();
    for (path, module) in &all.modules {
        // `Kind::File` of an imported `Kind` says no more than its import.
        let known = |names: &Names| {
            module.imports.contains_key(&names[0]) && matches!(all.look_up(path, &names[0], false, 0), Some(Target::File(_)))
        };
        for mention in module.mentions.iter().filter(|names| !known(names)) {
            if let Some(Target::File(file)) = all.resolve(path, mention, 0)
                && file != module.file
            {
                found.entry((module.file, file)).or_default().insert(mention.join("::"));
            }
        }
    }
    found
}

/// Returns the path of a file's module.
fn module_path(file: &str) -> Names {
    let mut path: Names = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if path.last().is_some_and(|name| name == "mod") || ["lib", "main"].contains(&path.join("/").as_str()) {
        path.pop();
    }
    path
}

impl<'a> Crate<'a> {
    /// Reads a module's items, and those of the modules in it.
    fn read(&mut self, tokens: TokenStream, path: Names, file: &'a str) {
        let mut module = Module { file, ..Module::default() };
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            let word = token.to_string();
            match (word.as_str(), tokens.peek()) {
                ("mod", Some(TokenTree::Ident(name))) => {
                    let name = name.to_string();
                    tokens.next();
                    if let Some(TokenTree::Group(body)) = tokens.peek() {
                        let inner = path.iter().chain([&name]).cloned().collect();
                        self.read(body.stream(), inner, file);
                        tokens.next();
                    }
                    module.inner.insert(name);
                }
                ("fn" | "struct" | "enum" | "trait" | "type" | "const" | "static", Some(TokenTree::Ident(name))) => {
                    module.items.insert(name.to_string());
                }
                _ => module.token(token, &mut tokens),
            }
        }
        self.modules.insert(path, module);
    }

    /// Returns where `names` lead from the module at `from`; nothing for what is not of this crate.
    fn resolve(&self, from: &[String], names: &[String], depth: u8) -> Option<Target<'a>> {
        let mut place = from.to_vec();
        let mut rest = names.iter().enumerate().peekable();
        while let Some((_, name)) = rest.next_if(|(_, name)| ["crate", "self", "super"].contains(&name.as_str())) {
            match name.as_str() {
                "crate" => place.clear(),
                "super" => drop(place.pop()),
                _ => {}
            }
        }
        for (at, name) in rest {
            match self.look_up(&place, name, at + 1 == names.len(), depth) {
                Some(Target::Module(path)) => place = path,
                Some(file) => return Some(file),
                // Of another crate, or a variable; in a module of ours, what a macro defined there.
                None if at == 0 => return None,
                None => return self.modules.get(&place).map(|module| Target::File(module.file)),
            }
        }
        Some(Target::Module(place))
    }

    /// Returns what `name` is in the module at `place`.
    fn look_up(&self, place: &[String], name: &String, last: bool, depth: u8) -> Option<Target<'a>> {
        let module = self.modules.get(place)?;
        let inner = || {
            let path: Names = place.iter().chain([name]).cloned().collect();
            (module.inner.contains(name) && self.modules.contains_key(&path)).then_some(Target::Module(path))
        };
        // `use a::a`, and imports in a circle.
        if depth > 8 {
            return None;
        }
        let import = || module.imports.get(name).and_then(|names| self.resolve(place, names, depth + 1));
        let item = || module.items.contains(name).then_some(Target::File(module.file));
        let glob = || {
            module.globs.iter().find_map(|names| match self.resolve(place, names, depth + 1)? {
                Target::Module(path) if path != place => self.look_up(&path, name, last, depth + 1),
                _ => None,
            })
        };
        if last { item().or_else(import).or_else(inner).or_else(glob) } else { inner().or_else(import).or_else(item).or_else(glob) }
    }
}

impl Module<'_> {
    /// Reads a token in a module or in an item: a `use`, a path, or a group of further tokens.
    fn token(&mut self, token: TokenTree, rest: &mut Tokens) {
        match token {
            TokenTree::Group(group) => {
                let mut tokens = group.stream().into_iter().peekable();
                while let Some(token) = tokens.next() {
                    self.token(token, &mut tokens);
                }
            }
            // `impl Trait + use<'a>` imports nothing.
            TokenTree::Ident(word) if word == "use" && !punct(rest, '<') => self.tree(Vec::new(), rest),
            TokenTree::Ident(word) => {
                let mut names = vec![word.to_string()];
                while colons(rest) {
                    match rest.peek() {
                        Some(TokenTree::Ident(word)) => names.push(word.to_string()),
                        _ => break,
                    }
                    rest.next();
                }
                self.mentions.insert(names);
            }
            // `.name` is a field or a method; after `::` comes what is not of this crate, or of a type.
            TokenTree::Punct(mark) if mark.as_char() == '.' || (joint(&mark) && punct(rest, ':')) => {
                rest.next_if(|token| matches!(token, TokenTree::Ident(_)));
            }
            _ => {}
        }
    }

    /// Reads a tree of a `use` whose first names are known.
    fn tree(&mut self, mut names: Names, rest: &mut Tokens) {
        while let Some(token) = rest.next_if(|token| !matches!(token, TokenTree::Punct(mark) if ",;".contains(mark.as_char()))) {
            match token {
                TokenTree::Ident(word) if word == "self" && !names.is_empty() => {}
                TokenTree::Ident(word) if word == "as" => {
                    let name = rest.next().map(|name| name.to_string());
                    return self.import(names, name);
                }
                TokenTree::Ident(word) => names.push(word.to_string()),
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    let mut tokens = group.stream().into_iter().peekable();
                    while tokens.peek().is_some() {
                        self.tree(names.clone(), &mut tokens);
                        punct(&mut tokens, ',');
                    }
                    return;
                }
                TokenTree::Punct(mark) if mark.as_char() == '*' => return self.globs.push(names),
                _ => {}
            }
        }
        self.import(names, None);
    }

    fn import(&mut self, names: Names, called: Option<String>) {
        if let Some(name) = called.or_else(|| names.last().cloned()) {
            self.imports.entry(name).or_insert_with(|| names.clone());
            self.mentions.insert(names);
        }
    }
}

/// Takes `::`, if it is next.
fn colons(rest: &mut Tokens) -> bool {
    rest.next_if(|token| matches!(token, TokenTree::Punct(mark) if joint(mark))).is_some() && punct(rest, ':')
}

/// Whether this is the first colon of `::`.
fn joint(mark: &Punct) -> bool {
    mark.as_char() == ':' && mark.spacing() == Spacing::Joint
}

/// Takes `mark`, if it is next.
fn punct(rest: &mut Tokens, mark: char) -> bool {
    rest.next_if(|token| matches!(token, TokenTree::Punct(found) if found.as_char() == mark)).is_some()
}

#[test]
fn names_lead_to_the_file_that_defines_them() {
    let file = |name: &str, code: &str| (name.to_owned(), code.to_owned());
    let files = [
        file("lib.rs", "mod a; mod b; mod c; mod d; mod e; pub use a::One; pub use crate::b::inner::Two as Three; keys! {}"),
        file("a.rs", "pub struct One; const fn f() -> u8 { crate::b::inner::g() } impl One { fn h(x: ::b::Two) { x.super::c } }"),
        file("b/mod.rs", "pub mod inner; pub(crate) fn helper() {} mod small { use super::helper; use super::super::a::One; }"),
        file("b/inner.rs", "use super::{helper, inner::Two as Own}; pub enum Two { A } pub fn g() { super::super::Made::new(); }"),
        file(
            "c.rs",
            "use crate::b::{self, inner}; use crate::{Three, One}; use std::fs; fn f() -> impl Copy + use<'_> { inner::g(); b::helper(); }",
        ),
        file("d.rs", "macro_rules! m { () => { $crate::a::One } } use super::c; use self::inside::x; mod inside { pub fn x() {} }"),
        file("e.rs", "use crate::b::inner::*; fn h() { Two::A; g(); use crate::e::h as k; fs::read(\"crate::d::m\"); }"),
    ];
    let found: Vec<String> = imports(&files)
        .iter()
        .map(|((from, to), names)| format!("{from} {to} {}", names.iter().map(String::as_str).collect::<Vec<_>>().join(" ")))
        .collect();
    let expected = [
        "a.rs b/inner.rs crate::b::inner::g",
        "b/inner.rs b/mod.rs super::helper",
        "b/inner.rs lib.rs super::super::Made::new",
        "b/mod.rs a.rs super::super::a::One",
        "c.rs a.rs crate::One",
        "c.rs b/inner.rs crate::Three inner::g",
        "c.rs b/mod.rs b::helper",
        "d.rs a.rs crate::a::One",
        "e.rs b/inner.rs Two::A g",
        "lib.rs a.rs a::One",
        "lib.rs b/inner.rs crate::b::inner::Two",
    ];
    assert_eq!(found, expected);
}
