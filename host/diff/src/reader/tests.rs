use super::*;
use crate::head::Moved;
use crate::hunk::{Kind, Line};

const PATCH: Reading = Reading::Patch { named: false };
const NAMED: Reading = Reading::Patch { named: true };

type Files<'d> = Vec<(Head<'d>, Vec<Hunk<'d>>)>;

fn read(diff: &str, reading: Reading) -> Result<Files<'_>, Wrong<'_>> {
    let (mut reader, mut all) = (Reader::new(diff.as_bytes(), reading), Vec::new());
    while let Some(head) = reader.head()? {
        let mut hunks = Vec::new();
        while let Some(hunk) = reader.hunk()? {
            hunks.push(hunk);
        }
        all.push((head, hunks));
    }
    Ok(all)
}

/// The names of the files, and how many hunks each has.
fn names(diff: &str, reading: Reading) -> Vec<String> {
    let show = |(head, hunks): &(Head<'_>, Vec<Hunk<'_>>)| {
        let git = head.git_names.as_ref().map(|[old, _]| format!("git {old}"));
        format!("{} {}", head.old.clone().or(git).or(head.index.clone()).unwrap_or_default(), hunks.len())
    };
    read(diff, reading).unwrap().iter().map(show).collect()
}

/// The lines of the only hunk: mark, text, and `!` if the file ends without a line break.
fn lines(diff: &str, reading: Reading) -> Vec<String> {
    let all = read(diff, reading).unwrap();
    let show = |line: Line<'_>| {
        let end = if line.unended { "!" } else { "" };
        format!("{}{}{end}", line.kind.mark() as char, String::from_utf8_lossy(line.text))
    };
    all[0].1[0].lines().map(show).collect()
}

const TWO: &str =
    "words\n--- a/x\t2026\n+++ b/x\t2026\n@@ -1,2 +1 @@ f()\n a\n-b\n@@ -9 +8 @@\n-c\n+d\nmore\n--- y\n+++ y\n@@ -1 +1 @@\n-1\n+2\n";

#[test]
fn files_and_hunks_are_read() {
    for reading in [Reading::Strict, PATCH] {
        assert_eq!(names(TWO, reading), ["a/x 2", "y 1"]);
        let all = read(TWO, reading).unwrap();
        let ((head, hunks), (_, last)) = (&all[0], &all[1]);
        assert_eq!((head.at, head.form, head.lines), (2, Some(Form::Unified), Some([&b"--- a/x\t2026\n"[..], b"+++ b/x\t2026\n"])));
        assert_eq!(head.lead, b"words\n--- a/x\t2026\n+++ b/x\t2026\n");
        assert_eq!((hunks[0].at, hunks[0].old, hunks[0].new, hunks[0].note()), (4, (1, 2), (1, 1), &b" f()"[..]));
        assert_eq!(last[0].lines().map(|line| (line.at, line.kind)).collect::<Vec<_>>(), [(14, Kind::Removed), (15, Kind::Added)]);
    }
}

#[test]
fn headers_of_git_are_read() {
    let diff = "diff --git a/x b/x\nold mode 100644\nnew mode 100755\ndiff --git a/m b/n\nsimilarity index 90%\nrename from m\nrename to n\n\
                --- a/m\n+++ b/n\n@@ -1 +1 @@\n-1\n+2\ndiff --git a/e b/e\nnew file mode 100644\nindex 0000000..e69de29\n";
    for reading in [Reading::Strict, PATCH] {
        let all = read(diff, reading).unwrap();
        let heads: Vec<_> = all.iter().map(|(head, _)| head).collect();
        assert_eq!((heads.len(), heads[0].old_mode, heads[0].new_mode), (3, Some(0o100_644), Some(0o100_755)));
        assert_eq!((heads[1].moved(), heads[1].git_names.is_some()), (Some(("m", "n", Moved::Rename)), reading == PATCH));
        assert_eq!((heads[2].created, heads[2].deleted, heads[2].git_names.clone()), (true, false, Some(["a/e".into(), "b/e".into()])));
    }
    // A link, which only `patch` follows.
    let link = "diff --git a/l b/l\nindex 1..2 120000\n--- a/l\n+++ b/l\n@@ -1 +1 @@\n-x\n+y\n";
    assert_eq!(read(link, PATCH).unwrap()[0].0.new_mode, Some(0o120_000));
    assert_eq!(read(link, Reading::Strict).unwrap()[0].0.new_mode, None);
}

#[test]
fn a_strict_reader_names_every_mistake() {
    let head = "--- a\n+++ a\n";
    for (diff, line, mistake) in [
        ("@@ -1 +1 @@\n", 1, Mistake::HunkWithoutNames),
        ("--- \"a\n+++ b\n", 1, Mistake::NameQuoted),
        ("--- a\n+++ \n", 2, Mistake::NameMissing),
        ("diff --git a/a b/a\nnew mode x\n", 2, Mistake::Mode),
        ("diff --git a/a b/a\nnew file mode 120000\n", 2, Mistake::NotAFile),
        ("diff --git a/a b/a\nBinary files a and b differ\n", 2, Mistake::Binary),
        ("diff --git a/a b/a\nFiles a and b differ\n", 2, Mistake::WithoutContents),
        (&format!("{head}@@ 1 @@\n"), 3, Mistake::HunkHead),
        (&format!("{head}@@ -1,2 +1,2 @@\n-1\n+2\n"), 6, Mistake::Ends { old: 1, new: 1, begun: true }),
        (&format!("{head}@@ -1 +1 @@\n-1\nx\n"), 5, Mistake::NoLineOfHunk { old: 0, new: 1 }),
        (&format!("{head}@@ -1 +1 @@\n-1\n-2\n"), 5, Mistake::MoreLines),
        (&format!("{head}@@ -1 +1 @@\n\\ No\n-1\n+2\n"), 4, Mistake::NothingEnds),
        (&format!("{head}@@ -0,0 +0,0 @@\n\\ No\n"), 4, Mistake::NothingEnds),
    ] {
        let wrong = read(diff, Reading::Strict).unwrap_err();
        assert_eq!((wrong.line, wrong.mistake), (line, mistake), "{diff}");
        assert_eq!(wrong.text, diff.split_inclusive('\n').nth(line - 1).unwrap_or_default().as_bytes(), "{diff}");
    }
    assert!(read("nothing\n", Reading::Strict).unwrap().is_empty());
}

#[test]
fn patch_reads_what_mail_and_editors_leave() {
    let head = "--- a\n+++ a\n";
    // Blanks at the ends of lines, and empty lines at the end.
    assert_eq!(lines(&format!("{head}@@ -1,4 +1,4 @@\n\n\tx\n-1\n+2\n"), PATCH), [" ", " \tx", "-1", "+2", " "]);
    assert_eq!(read(&format!("{head}@@ -1,3 +1,3 @@\n\tx\n-1\n+2\n\n"), Reading::Strict).unwrap_err().line, 4);
    // The last line of the diff, and `\` that ends nothing.
    assert_eq!(lines(&format!("{head}@@ -1 +1 @@\n\\ x\n-1\n+2"), PATCH), ["-1", "+2!"]);
    assert_eq!(lines(&format!("{head}@@ -1 +1 @@\n-1\n+2"), Reading::Strict), ["-1", "+2"]);
    assert_eq!(lines(&format!("{head}@@ -1 +1 @@\n-1\n\\ No\n+2\n\\ No\n"), Reading::Strict), ["-1!", "+2!"]);
    // Names without hunks, and text between the headers.
    assert_eq!(names("--- a\n+++ a\n--- b\n+++ b\n@@ -1 +1 @@\n-1\n+2\n", PATCH), ["b 1"]);
    assert_eq!(names("diff --git a/x b/x\nwords\nnew mode 100755\nwords\n", PATCH), ["git a/x 0"]);
    assert_eq!(names("diff --git a/x b/x\nwords\n", PATCH), [""; 0]);
}

#[test]
fn carriage_returns_can_be_taken_away() {
    let mut all = read("--- a\r\n+++ a\r\n@@ -1,2 +1,2 @@\r\n \r\n-1\r\n+2\r\n", PATCH).unwrap();
    let hunk = &mut all[0].1[0];
    let texts = |hunk: &Hunk<'_>| hunk.lines().map(|line| String::from_utf8_lossy(line.text).into_owned()).collect::<Vec<_>>();
    assert_eq!(texts(hunk), ["\r", "1\r", "2\r"]);
    hunk.strip_returns();
    assert_eq!(
        (texts(hunk), texts(&hunk.reversed())),
        (vec![String::new(), "1".into(), "2".into()], vec![String::new(), "2".into(), "1".into()])
    );
}

#[test]
fn patch_reads_context_and_normal_diffs() {
    let context = "*** a\n--- b\n***************\n*** 1,3 ****\n  1\n! 2\n  3\n--- 1,3 ----\n  1\n! two\n  3\n";
    assert_eq!(lines(context, PATCH), [" 1", "-2", "+two", " 3"]);
    let added = "*** a\n--- b\n***************\n*** 1 ****\n--- 1,2 ----\n  1\n+ 2\n\\ No newline at end of file\n";
    assert_eq!(lines(added, PATCH), [" 1", "+2!"]);
    let (head, hunks) = &read(added, PATCH).unwrap()[0];
    assert_eq!((head.form, hunks[0].old, hunks[0].new), (Some(Form::Context), (1, 1), (1, 2)));
    let normal = "2c2\n< b\n---\n> B\n4a5,6\n> x\n> y\n9d10\n< z\n";
    let ranges: Vec<_> = read(normal, NAMED).unwrap()[0].1.iter().map(|hunk| (hunk.old, hunk.new)).collect();
    assert_eq!(ranges, [((2, 1), (2, 1)), ((4, 0), (5, 2)), ((9, 1), (10, 0))]);
    assert_eq!(names(&format!("Index: f\n{normal}"), PATCH), ["f 3"]);
    for nameless in [normal, "@@ -1 +1 @@\n-1\n+2\n"] {
        assert!(read(nameless, PATCH).unwrap().is_empty());
    }
    let wrong = read("*** a\n--- b\n***************\nwords\n", PATCH).unwrap_err();
    assert_eq!((wrong.line, wrong.text, wrong.mistake), (4, &b"words\n"[..], Mistake::HunkHead));
    assert!(read(context, Reading::Strict).unwrap().is_empty());
}
