use super::*;
use crate::reader::{Reader, Reading};

/// The hunks of a diff, which needs no names.
fn hunks(diff: &str) -> Vec<Hunk<'_>> {
    let mut reader = Reader::new(diff.as_bytes(), Reading::Patch { named: true });
    reader.head().unwrap().unwrap();
    std::iter::from_fn(|| reader.hunk().unwrap()).collect()
}

fn each(file: &str, diff: &str, rules: Rules) -> (Vec<Outcome>, String) {
    let (outcomes, new) = apply_each(file.as_bytes(), &hunks(diff), rules);
    (outcomes, String::from_utf8(new).unwrap())
}

fn patch(file: &str, diff: &str) -> (Vec<Outcome>, String) {
    each(file, diff, Rules::patch(2, false))
}

fn exact(file: &str, diff: &str) -> (Vec<Outcome>, String) {
    each(file, diff, Rules::exact(1_000))
}

fn at(line: usize, offset: isize, fuzz: usize) -> Vec<Outcome> {
    vec![Outcome::Applied { line, offset, fuzz }]
}

#[test]
fn hunks_find_their_place() {
    let diff = "@@ -2,3 +2,3 @@\n b\n-c\n+C\n d\n";
    assert_eq!(patch("a\nb\nc\nd\ne\n", diff), (at(2, 0, 0), "a\nb\nC\nd\ne\n".into()));
    assert_eq!(patch("x\na\nb\nc\nd\n", diff), (at(3, 1, 0), "x\na\nb\nC\nd\n".into()));
    assert_eq!(patch("a\nB\nc\nd\n", diff), (at(2, 0, 1), "a\nB\nC\nd\n".into()));
    assert_eq!(patch("a\nb\nX\nd\n", diff), (vec![Outcome::Failed], "a\nb\nX\nd\n".into()));
    // Without fuzz, all of it must be there.
    assert_eq!(exact("x\na\nb\nc\nd\n", diff), (at(3, 1, 0), "x\na\nb\nC\nd\n".into()));
    assert_eq!(exact("a\nB\nc\nd\n", diff).0, [Outcome::Failed]);
}

#[test]
fn of_two_places_the_nearer_then_the_later_is_taken() {
    let diff = "@@ -3 +3 @@\n-x\n+y\n";
    for rules in [Rules::patch(2, false), Rules::exact(1_000)] {
        assert_eq!(each("x\n2\n3\n4\n5\nx\n", diff, rules).1, "y\n2\n3\n4\n5\nx\n");
        assert_eq!(each("x\n2\n3\n4\nx\n", diff, rules).1, "x\n2\n3\n4\ny\n");
        assert_eq!(each("1\nx\n3\nx\n", diff, rules).1, "1\nx\n3\ny\n");
    }
}

#[test]
fn a_hunk_follows_those_before_it() {
    let diff = "@@ -1 +1 @@\n-a\n+A\n@@ -3 +3 @@\n-c\n+C\n@@ -4,0 +5 @@\n+new\n";
    let (outcomes, new) = exact("0\na\nb\nc\nd\n", diff);
    assert_eq!(new, "0\nA\nb\nC\nd\nnew\n");
    assert_eq!(outcomes[1], Outcome::Applied { line: 4, offset: 1, fuzz: 0 });
    // A later hunk is not put before an earlier one, though a failed one is passed over.
    let (outcomes, new) = exact("c\na\n", "@@ -1 +1 @@\n-a\n+A\n@@ -2 +2 @@\n-c\n+C\n@@ -9,0 +9 @@\n+z\n");
    assert_eq!((outcomes[1], new.as_str()), (Outcome::Failed, "c\nA\nz\n"));
}

#[test]
fn less_context_on_one_side_is_an_end_of_the_file_for_patch() {
    let start = "@@ -1,2 +1,3 @@\n+new\n a\n b\n";
    assert_eq!(exact("x\na\nb\n", start).1, "x\nnew\na\nb\n");
    // With all of its context left out, it is where its head says.
    assert_eq!(patch("x\na\nb\n", start), (at(1, 0, 2), "new\nx\na\nb\n".into()));
    assert_eq!(each("x\na\nb\n", start, Rules::patch(0, false)).0, [Outcome::Failed]);
    assert_eq!(each("a\nb\nx\n", start, Rules::patch(0, false)).0, at(1, 0, 0));
    let end = "@@ -1,2 +1,3 @@\n a\n b\n+new\n";
    assert_eq!(each("a\nb\na\nb\n", end, Rules::patch(0, false)), (at(3, 2, 0), "a\nb\na\nb\nnew\n".into()));
    assert_eq!(exact("a\nb\na\nb\n", end).1, "a\nb\nnew\na\nb\n");
}

#[test]
fn fuzz_leaves_no_more_out_than_there_is() {
    assert_eq!(patch("z\n", "@@ -1 +1 @@\n x\n"), (at(1, 0, 1), "z\n".into()));
    assert_eq!(patch("q\n", "@@ -1,3 +1,3 @@\n x\n y\n z\n").1, "q\n");
}

#[test]
fn the_end_of_the_last_line_counts_for_patch_only() {
    let diff = "@@ -1 +1,2 @@\n last\n+more\n";
    assert_eq!(exact("last", diff), (at(1, 0, 0), "last\nmore\n".into()));
    assert_eq!(each("last", diff, Rules::patch(0, false)).0, [Outcome::Failed]);
    let unended = "@@ -1 +1 @@\n-last\n\\ No newline at end of file\n+new\n";
    for rules in [Rules::patch(0, false), Rules::exact(1_000)] {
        assert_eq!(each("last", unended, rules), (at(1, 0, 0), "new\n".into()));
        assert_eq!(each("last\n1\n", unended, rules).0, [Outcome::Failed]);
    }
}

#[test]
fn blanks_can_be_no_difference() {
    let diff = "@@ -1,2 +1,2 @@\n  a   b\n-c\n+C\n";
    assert_eq!(each("a\tb\n c \n", diff, Rules::patch(0, true)), (at(1, 0, 0), "a\tb\nC\n".into()));
    assert_eq!(each("a\tb\n c \n", diff, Rules::patch(0, false)).0, [Outcome::Failed]);
    assert_eq!(each("ab\nc\n", diff, Rules::patch(0, true)).0, [Outcome::Failed]);
}

#[test]
fn what_does_not_fit_is_named() {
    let misfit = |file: &'static str, diff: &'static str, work| {
        let misfit = apply_all(file.as_bytes(), &hunks(diff), Rules::exact(work)).unwrap_err();
        (misfit.hunk, misfit.line, misfit.why)
    };
    let diff = "@@ -1,2 +1,2 @@\n a\n-b\n+B\n";
    assert_eq!(misfit("a\nx\n", diff, 99), (1, 3, Why::Differs { line: 2, there: b"x\n", wanted: b"b" }));
    assert_eq!(misfit("a\nb\r\n", diff, 99), (1, 3, Why::Ends { line: 2 }));
    assert_eq!(misfit("a\n", diff, 99), (1, 3, Why::Short { lines: 1, line: 2, wanted: b"b" }));
    assert_eq!(misfit("a\nx\n", diff, 1), (1, 3, Why::Work));
    assert_eq!(
        misfit("a\na\n", "@@ -1 +0,0 @@\n-a\n@@ -1,2 +0,0 @@\n-a\n-a\n", 99),
        (2, 5, Why::Short { lines: 2, line: 3, wanted: b"a" })
    );
    // The twin of each fits.
    assert_eq!(apply_all(b"0\na\nb\n", &hunks(diff), Rules::exact(99)), Ok((b"0\na\nB\n".to_vec(), 1)));
}

#[test]
fn a_reversed_hunk_takes_back_what_it_did() {
    let diff = "@@ -1,4 +1,5 @@ f()\n a\n-b\n+B\n+b2\n c\n-d\n\\ No newline at end of file\n+d\n";
    let (old, new) = ("a\nb\nc\nd", "a\nB\nb2\nc\nd\n");
    let there = hunks(diff);
    let back: Vec<_> = there.iter().map(Hunk::reversed).collect();
    assert_eq!((apply_each(old.as_bytes(), &there, Rules::patch(0, false)).1, back[0].note()), (new.into(), &b" f()"[..]));
    assert_eq!(apply_each(new.as_bytes(), &back, Rules::patch(0, false)).1, old.as_bytes());
    let kinds: Vec<u8> = back[0].lines().map(|line| line.kind.mark()).collect();
    assert_eq!(kinds, b" --+ -+");
}
