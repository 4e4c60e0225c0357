//! Diffs: all of it, or nothing.

use super::*;
use wisp_api::{PatchChange, PatchReject};

async fn with(contents: &[(&str, &str)]) -> Files {
    let files = files();
    for (path, text) in contents {
        files.write(path, text.to_string()).await.unwrap();
    }
    files
}

async fn apply(files: &Files, diff: &str) -> Result<Vec<(String, PatchChange)>, FilesError> {
    let checked = files.check_patch("/home/user", diff.to_owned()).await;
    let done = files.apply_patch("/home/user", diff.to_owned()).await;
    if let (Ok(checked), Ok(done)) = (&checked, &done) {
        assert_eq!(checked, done);
    }
    Ok(done?.files.into_iter().map(|file| (file.path.replace("/home/user/", ""), file.change)).collect())
}

/// The rejection of a diff.
async fn rejected(files: &Files, diff: &str) -> PatchReject {
    match apply(files, diff).await.unwrap_err().source {
        FilesReason::Patch(reject) => reject,
        other => panic!("{other}"),
    }
}

const TEN: &str = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

#[tokio::test]
async fn a_diff_of_several_files() {
    let files = with(&[("src/a", TEN), ("old", "gone\n"), ("run.sh", "echo\n"), ("moved", "one\ntwo\n")]).await;
    let diff = "\
Some words before it.
diff --git a/src/a b/src/a
index 1234567..89abcde 100644
--- a/src/a
+++ b/src/a
@@ -1,4 +1,5 @@ fn head
 1
-2
+two
+two and a half
 3
 4
@@ -9,2 +10,3 @@
 9
 10
+11
diff --git a/new/deep/file b/new/deep/file
new file mode 100755
--- /dev/null
+++ b/new/deep/file
@@ -0,0 +1,2 @@
+first
+last
\\ No newline at end of file
diff --git a/old b/old
deleted file mode 100644
--- a/old
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/moved b/there/moved
similarity index 50%
rename from moved
rename to there/moved
--- a/moved
+++ b/there/moved
@@ -1,2 +1,2 @@
 one
-two
+2
diff --git a/empty b/empty
new file mode 100644
index 0000000..e69de29
";
    let changes = apply(&files, diff).await.unwrap();
    let expected = [
        ("src/a", PatchChange::Modified),
        ("new/deep/file", PatchChange::Created),
        ("old", PatchChange::Deleted),
        ("run.sh", PatchChange::Modified),
        ("there/moved", PatchChange::Renamed { from: "/home/user/moved".to_owned() }),
        ("empty", PatchChange::Created),
    ];
    assert_eq!(changes, expected.map(|(path, change)| (path.to_owned(), change)));
    assert_eq!(text(&files, "src/a").await, "1\ntwo\ntwo and a half\n3\n4\n5\n6\n7\n8\n9\n10\n11\n");
    assert_eq!(text(&files, "new/deep/file").await, "first\nlast");
    assert_eq!(files.stat("new/deep/file").await.unwrap().mode, 0o755);
    assert_eq!(files.stat("run.sh").await.unwrap().mode, 0o755);
    assert_eq!(text(&files, "there/moved").await, "one\n2\n");
    assert_eq!(names(&files, "/home/user").await, ["empty", "new", "run.sh", "src", "there"]);
}

#[tokio::test]
async fn diffs_of_other_programs_and_of_models() {
    let files = with(&[("a", TEN), ("b", "x\n\ny\n"), ("crlf", "1\r\n2\r\n"), ("end", "last")]).await;
    // `diff -u`: times, no prefixes, another name for the old file.
    apply(&files, "--- a.orig\t2026-01-01 00:00:00\n+++ a\t2026-01-02 00:00:00\n@@ -2 +2 @@\n-2\n+two\n").await.unwrap();
    // Further away than it says; the empty line has lost its space.
    let done = files.apply_patch("/home/user", "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n 8\n-9\n+nine\n").await.unwrap();
    assert_eq!((done.files[0].offset, done.files[0].hunks), (7, 1));
    apply(&files, "--- b\n+++ b\n@@ -1,3 +1,3 @@\n x\n\n-y\n+z\n").await.unwrap();
    apply(&files, "--- crlf\n+++ crlf\n@@ -1,2 +1,2 @@\n 1\r\n-2\r\n+3\r\n").await.unwrap();
    // The file has no line break at its end, and the diff does not say so.
    apply(&files, "--- end\n+++ end\n@@ -1 +1,2 @@\n last\n+more\n").await.unwrap();
    apply(&files, "--- /dev/null\n+++ \"b/t\\303\\244b\\tname\"\n@@ -0,0 +1 @@\n+x\n").await.unwrap();
    // Insertion without context.
    apply(&files, "--- a\n+++ a\n@@ -3,0 +4 @@\n+3.5\n").await.unwrap();
    assert_eq!(text(&files, "a").await, "1\ntwo\n3\n3.5\n4\n5\n6\n7\n8\nnine\n10\n");
    assert_eq!(text(&files, "b").await, "x\n\nz\n");
    assert_eq!(text(&files, "crlf").await, "1\r\n3\r\n");
    assert_eq!(text(&files, "end").await, "last\nmore\n");
    assert_eq!(text(&files, "täb\tname").await, "x\n");
}

#[tokio::test]
async fn two_files_change_places_and_a_copy_stays() {
    let files = with(&[("a", "A\n"), ("b", "B\n")]).await;
    let swap = "diff --git a/a b/b\nrename from a\nrename to b\ndiff --git a/b b/a\nrename from b\nrename to a\n";
    apply(&files, swap).await.unwrap();
    assert_eq!((text(&files, "a").await, text(&files, "b").await), ("B\n".to_owned(), "A\n".to_owned()));
    apply(&files, "diff --git a/a b/c\ncopy from a\ncopy to c\n").await.unwrap();
    assert_eq!((text(&files, "a").await, text(&files, "c").await), ("B\n".to_owned(), "B\n".to_owned()));
    let onto = rejected(&files, "diff --git a/a b/b\nrename from a\nrename to b\n").await;
    assert_eq!(onto.reason, "the file exists already");
}

#[tokio::test]
async fn a_hunk_that_does_not_fit_changes_nothing() {
    let files = with(&[("a", TEN), ("b", "x\n")]).await;
    let diff = "--- a/b\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+one\n@@ -4,3 +4,3 @@\n 4\n-five\n+5!\n 6\n";
    let error = message(apply(&files, diff).await);
    assert_eq!(
        error,
        "cannot patch `/home/user`: line 13 of the diff (hunk 2 of `a`): line 5 of the file is `5`, and the hunk expects `five`; no other \
         place fits"
    );
    assert_eq!((text(&files, "a").await.as_str(), text(&files, "b").await.as_str()), (TEN, "x\n"));
    let reject = rejected(&files, diff).await;
    assert_eq!((reject.file.as_deref(), reject.hunk, reject.line), (Some("a"), Some(2), 13));
    // The quota is a reason too: nothing is changed, and no directory is left.
    let tight = with_quota(10, 10);
    tight.write("b", "x\n").await.unwrap();
    let more = "--- a/b\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n--- /dev/null\n+++ b/d/e/f\n@@ -0,0 +1 @@\n+0123456789\n";
    assert_eq!(refused(tight.apply_patch("/home/user", more).await), FsError::NoSpace);
    assert_eq!((names(&tight, "/home/user").await, text(&tight, "b").await), (vec!["b".to_owned()], "x\n".to_owned()));
    tight.apply_patch("/home/user", more.replace("0123456789", "012")).await.unwrap();
}

#[tokio::test]
async fn what_is_wrong_with_a_diff_is_named_with_its_line() {
    let files = with(&[("a", "1\n"), ("crlf", "1\r\n"), ("full", "1\n2\n")]).await;
    for (diff, line, reason) in [
        ("", 1, "there is no diff"),
        ("hello\n", 1, "there is no diff"),
        ("@@ -1 +1 @@\n-1\n+2\n", 1, "a hunk without a file"),
        ("--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-1\n+2\n", 6, "the diff ends in the hunk: 1 old and 1 new lines are missing"),
        ("--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\nx\n", 5, "a line of a hunk begins with"),
        ("--- a/a\n+++ b/a\n@@ 1 @@\n", 3, "the head of a hunk is"),
        ("--- a/a\n+++ b/a\n@@ -1 +0,0 @@\n-1\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n", 5, "the file does not exist"),
        ("--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+1\n", 1, "the file exists already"),
        ("--- a/full\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n", 1, "the diff deletes the file, which has more"),
        ("--- a/crlf\n+++ b/crlf\n@@ -1 +1 @@\n-1\n+2\n", 4, "line 1 of the file and of the hunk have different line ends"),
        ("diff --git a/a b/a\nindex 1..2\nGIT binary patch\n", 3, "binary files cannot be patched"),
        ("diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n", 2, "only files can be patched"),
        ("--- a/a\n+++ b/a\n@@ -5 +5 @@\n-1 \n+2\n", 4, "the file has 1 lines, and the hunk expects line"),
        ("--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-1\n+2\n", 1, "both names are `/dev/null`"),
    ] {
        let reject = rejected(&files, diff).await;
        assert!(reject.reason.starts_with(reason) && reject.line == line, "{diff}\n{reject}");
    }
    assert_eq!(text(&files, "a").await, "1\n");
}

#[tokio::test]
async fn a_diff_stays_in_its_directory() {
    let files = with(&[("base/a", "1\n"), ("secret", "1\n")]).await;
    files.symlink("../secret", "base/link").await.unwrap();
    files.symlink("..", "base/up").await.unwrap();
    let part = |old: &str, new: &str| format!("--- {old}\n+++ {new}\n@@ -1 +1 @@\n-1\n+2\n");
    for (name, reason) in [
        ("../secret", "there is `..` in the name; a diff changes files in its directory only"),
        ("/home/user/secret", "the name is absolute; a diff changes files in its directory only"),
        ("link", "the file is a symbolic link, which a diff does not follow"),
        ("up/secret", "`up` above it is a symbolic link or a file"),
        ("up/new", "`up` above it is a symbolic link or a file"),
    ] {
        let diff = part("a/a", "b/a") + &part(&format!("a/{name}"), &format!("b/{name}"));
        let plain = part("a", "a") + &part(name, name);
        for diff in [if name.starts_with('/') { plain.clone() } else { diff }, plain] {
            let error = message(files.apply_patch("base", diff.clone()).await);
            assert!(error.ends_with(reason), "{error}\n{diff}");
        }
    }
    for moved in ["rename from ../secret\nrename to b", "copy from a\ncopy to ../c"] {
        assert!(message(files.apply_patch("base", format!("diff --git a/x b/x\n{moved}\n")).await).contains("`..` in the name"));
    }
    assert_eq!((text(&files, "secret").await.as_str(), text(&files, "base/a").await.as_str()), ("1\n", "1\n"));
    files.apply_patch("base", part("a/a", "b/a")).await.unwrap();
    assert_eq!(text(&files, "base/a").await, "2\n");
}

#[tokio::test]
async fn a_diff_against_equal_lines_ends() {
    let files = with(&[("a", &"x\n".repeat(40_000))]).await;
    let diff = format!("--- a\n+++ a\n@@ -1,10001 +1,10001 @@\n{}-y\n+z\n", " x\n".repeat(10_000));
    let reject = rejected(&files, &diff).await;
    assert_eq!(reject.reason, "its place cannot be found in reasonable time");
}

#[tokio::test]
async fn a_diff_has_so_many_files_hunks_and_bytes() {
    let files = with(&[("a", "x\n")]).await;
    let large = with_quota(1 << 30, 10);
    sparse(&large, "/home/user/a", 64 << 20);
    let parts = |count: usize| "--- a\n+++ a\n".repeat(count);
    let hunks = |count: usize| format!("--- a\n+++ a\n{}", "@@ -0,0 +0,0 @@\n".repeat(count));
    let copy =
        |number: usize| format!("diff --git a/a b/{number}\ncopy from a\ncopy to {number}\n--- a/a\n+++ b/{number}\n@@ -0,0 +1 @@\n+x\n");
    let copies = |count: usize| (0..count).map(copy).collect::<String>();
    for (files, fits, over, what, limit) in [
        (&files, parts(65_536), parts(65_537), "files in the diff", 65_536),
        (&files, hunks(1 << 20), hunks((1 << 20) + 1), "hunks in the diff", 1 << 20),
        (&large, copies(4), copies(5), "bytes in the files that the diff makes", 320 << 20),
    ] {
        files.check_patch("/home/user", fits).await.unwrap();
        let error = files.check_patch("/home/user", over).await.unwrap_err().source;
        assert!(matches!(error, FilesReason::Bound { what: found, limit: bound } if (found, bound) == (what, limit)), "{error}");
    }
}

#[tokio::test]
async fn long_lines_are_more_work_than_short_ones() {
    let line = "y".repeat(2_047);
    let files = with(&[("a", &format!("{line}\n").repeat(10_000))]).await;
    let diff = |count: usize, last: &str| {
        format!("--- a\n+++ a\n@@ -1,{} +1,{count} @@\n{}-{last}\n", count + 1, format!(" {line}\n").repeat(count))
    };
    // As many comparisons of short lines would not be too many.
    assert_eq!(rejected(&files, &diff(4_000, "z")).await.reason, "its place cannot be found in reasonable time");
    assert!(rejected(&files, &diff(100, "z")).await.reason.ends_with("no other place fits"));
    apply(&files, &diff(4_000, &line)).await.unwrap();
    assert_eq!(files.stat("a").await.unwrap().size, 9_999 * 2_048);
}
