//! Files that import each other in a circle are read only together: `circles.txt` lists the circles that there are, and may
//! only shrink.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::imports::{Imports, imports};
use crate::source::{code, files, root};

/// The files of a circle.
type Circle = BTreeSet<String>;

/// Returns the circles among files that import each other, and what of each other they name.
fn circles(imports: &Imports) -> Vec<(Circle, Vec<String>)> {
    let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in imports.keys() {
        next.entry(from).or_default().push(to);
    }
    let reached: BTreeMap<&str, BTreeSet<&str>> = next.keys().map(|file| (*file, reach(file, &next))).collect();
    let mutual = |from: &str, to: &str| reached[from].contains(to) && reached.get(to).is_some_and(|reached| reached.contains(from));
    let mut found: Vec<(Circle, Vec<String>)> = Vec::new();
    for (file, reached) in reached.iter().filter(|(file, reached)| reached.contains(*file)) {
        if found.iter().all(|(circle, _)| !circle.contains(*file)) {
            let circle = reached.iter().filter(|other| mutual(file, other)).map(|name| (*name).to_owned()).collect::<Circle>();
            let ties = imports.iter().filter(|((from, to), _)| circle.contains(*from) && circle.contains(*to));
            let tie = |((from, to), names): (&(&str, &str), &BTreeSet<String>)| format!("  {from} → {to}: {}", joined(names, ", "));
            let ties = ties.map(tie).collect();
            found.push((circle, ties));
        }
    }
    found
}

/// Returns the files that `file` imports, and those that they import.
fn reach<'a>(file: &'a str, next: &BTreeMap<&str, Vec<&'a str>>) -> BTreeSet<&'a str> {
    let (mut found, mut left) = (BTreeSet::new(), vec![file]);
    while let Some(file) = left.pop() {
        left.extend(next.get(file).into_iter().flatten().filter(|file| found.insert(**file)));
    }
    found
}

/// Returns the line of the list that is a circle.
fn line(name: &str, circle: &Circle) -> String {
    format!("{name} {}: {}", circle.len(), joined(circle, " "))
}

fn joined(names: &BTreeSet<String>, between: &str) -> String {
    names.iter().map(String::as_str).collect::<Vec<_>>().join(between)
}

/// Returns what is wrong with the circles that were found: those that are new or grew, and the lines of the list that say more
/// than there is. A circle is the name of its crate, its files and its ties.
fn judged(found: &[(String, Circle, Vec<String>)], list: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let lines = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let listed: Vec<(&str, &str, Circle)> = lines
        .map(|line| {
            let (start, names) = line.split_once(": ").unwrap_or((line, ""));
            (line, start.split(' ').next().unwrap_or_default(), names.split(' ').map(str::to_owned).collect())
        })
        .collect();
    for (name, circle, ties) in found {
        if !listed.iter().any(|(_, of, allowed)| of == name && circle.is_subset(allowed)) {
            wrong.push(format!("new, or larger than listed: {}\n{}", line(name, circle), ties.join("\n")));
        }
    }
    for (text, of, allowed) in &listed {
        let rest: Vec<_> = found.iter().filter(|(name, circle, _)| of == name && !circle.is_disjoint(allowed)).collect();
        let smaller: Vec<_> =
            rest.iter().filter(|(_, circle, _)| circle.is_subset(allowed)).map(|(name, circle, _)| line(name, circle)).collect();
        match smaller.as_slice() {
            [same] if same == text => {}
            [] if !rest.is_empty() => {}
            [] => wrong.push(format!("gone: delete this line of tests/tree/circles.txt:\n  {text}")),
            smaller => wrong.push(format!(
                "smaller: delete this line of tests/tree/circles.txt:\n  {text}\nand write in its place:\n  {}",
                smaller.join("\n  ")
            )),
        }
    }
    wrong
}

/// The files of each crate: their paths in `src` and their code.
fn crates() -> BTreeMap<String, Vec<(String, String)>> {
    let mut found: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for (path, name) in files() {
        let (folder, inner) = name.split_once('/').expect("a crate's folder and a path in it");
        found.entry(folder.to_owned()).or_default().push((inner.to_owned(), code(&path)));
    }
    found
}

#[test]
fn no_circle_of_files_is_new() {
    let list = fs::read_to_string(root().join("tests/tree/circles.txt")).expect("tests/tree/circles.txt");
    let mut found = Vec::new();
    for (name, files) in crates() {
        found.extend(circles(&imports(&files)).into_iter().map(|(circle, ties)| (name.clone(), circle, ties)));
    }
    let wrong = judged(&found, &list);
    assert!(wrong.is_empty(), "let one of the files name nothing of the others, by moving what they share\n{}", wrong.join("\n"));
}

#[test]
fn circles_are_found_and_may_only_shrink() {
    let file = |name: &str, code: &str| (name.to_owned(), code.to_owned());
    let mut files = [
        file("lib.rs", "mod a; mod b; mod c; mod d; mod e; pub use a::A; pub use e::E;"),
        file("a.rs", "use crate::b::B; use crate::d::D; pub struct A;"),
        file("b.rs", "use crate::c::C; pub struct B;"),
        file("c.rs", "use crate::A; pub struct C;"),
        file("d.rs", "pub struct D;"),
        file("e.rs", "use crate::a::A; pub struct E;"),
    ];
    let found = |files: &[(String, String)]| {
        let circles = circles(&imports(files)).into_iter();
        circles.map(|(circle, ties)| ("one".to_owned(), circle, ties)).collect::<Vec<_>>()
    };
    let three = found(&files);
    assert_eq!(three.iter().map(|(name, circle, _)| line(name, circle)).collect::<Vec<_>>(), ["one 3: a.rs b.rs c.rs"]);
    assert_eq!(three[0].2, ["  a.rs → b.rs: crate::b::B", "  b.rs → c.rs: crate::c::C", "  c.rs → a.rs: crate::A"]);
    files[3] = file("c.rs", "use crate::d::D; pub struct C;");
    let none = found(&files);
    assert!(none.is_empty(), "{none:?}");

    let listed = "# A comment.\n\none 3: a.rs b.rs c.rs\n";
    assert_eq!(judged(&three, listed), Vec::<String>::new());
    let starts = |wrong: &[String], expected: &[&str]| {
        assert_eq!(wrong.len(), expected.len(), "{wrong:?}");
        assert!(wrong.iter().zip(expected).all(|(wrong, start)| wrong.starts_with(start)), "{wrong:?}");
    };
    // New, in another crate, and larger than the line that is there.
    starts(&judged(&three, ""), &["new, or larger than listed: one 3: a.rs b.rs c.rs\n  a.rs → b.rs"]);
    starts(&judged(&three, "two 3: a.rs b.rs c.rs"), &["new", "gone"]);
    starts(&judged(&three, "one 2: a.rs b.rs"), &["new"]);
    // Gone, smaller, and counted wrong.
    starts(&judged(&none, listed), &["gone: delete this line of tests/tree/circles.txt:\n  one 3: a.rs b.rs c.rs"]);
    let smaller = judged(&three, "one 4: a.rs b.rs c.rs d.rs");
    starts(&smaller, &["smaller: delete this line"]);
    assert!(smaller[0].ends_with("\n  one 3: a.rs b.rs c.rs"), "{smaller:?}");
    starts(&judged(&three, "one 4: a.rs b.rs c.rs"), &["smaller"]);
}
