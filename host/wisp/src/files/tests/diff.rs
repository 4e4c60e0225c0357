//! What a session changed, as a diff.

use super::*;
use wisp_api::DiffForm;
use wisp_vfs::{Difference, Snapshot};

/// The diffs of all differences below `base`, one after the other.
async fn diff(files: &Files, start: &Snapshot, base: &str) -> String {
    let mut all = String::new();
    for difference in differences(files, start, base).await {
        all.push_str(std::str::from_utf8(&files.diff(&difference, base).await.unwrap().text).unwrap());
    }
    all
}

async fn differences(files: &Files, start: &Snapshot, path: &str) -> Vec<Difference> {
    files.differences(start.clone(), path, 1_000).await.unwrap().entries
}

#[tokio::test]
async fn a_diff_applied_to_the_beginning_gives_the_end() {
    let files = files();
    let lines = |range: std::ops::Range<u32>| range.map(|line| format!("line {line}\n")).collect::<String>();
    for (path, text) in [
        ("long", lines(0..200)),
        ("deep/er/file", lines(0..3)),
        ("gone", "gone\n".to_owned()),
        ("unended", "a\nb".to_owned()),
        ("emptied", "x\n".to_owned()),
        ("run", "echo\n".to_owned()),
        ("two words", "1\n".to_owned()),
    ] {
        files.write(path, text).await.unwrap();
    }
    let start = files.fs.snapshot();
    let changed = lines(0..200).replace("line 7\n", "").replace("line 90\n", "other\nand more\n") + "the end";
    files.write("long", changed).await.unwrap();
    files.write("deep/er/file", lines(1..4)).await.unwrap();
    files.write("new/dir/file", "new\n").await.unwrap();
    files.remove("gone").await.unwrap();
    files.write("unended", "a\nb\nc").await.unwrap();
    files.write("emptied", "").await.unwrap();
    files.write("empty", "").await.unwrap();
    files.write("odd \"name\"\n\\", "odd\n").await.unwrap();
    files.write("two words", "2\n").await.unwrap();
    files.set_mode("run", 0o755).await.unwrap();
    let text = diff(&files, &start, "/home/user").await;
    let other = Files::new(start.to_fs(&files.fs), files.policy.clone());
    other.apply_patch("/home/user", text.clone()).await.unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(other.digest("/home/user").await.unwrap(), files.digest("/home/user").await.unwrap(), "{text}");
    // The twin: without one of the files it is not the same.
    other.write("two words", "1\n").await.unwrap();
    assert_ne!(other.digest("/home/user").await.unwrap(), files.digest("/home/user").await.unwrap());
}

#[tokio::test]
async fn what_a_diff_cannot_hold_is_named_and_is_not_applied() {
    let files = files();
    let start = files.fs.snapshot();
    files.write("binary", vec![1, 0, 2]).await.unwrap();
    sparse(&files, "/home/user/large", (4 << 20) + 1);
    files.write("plain", "plain\n").await.unwrap();
    files.mkdir("folder").await.unwrap();
    let of = |name: &'static str| {
        let (files, start) = (files.clone(), start.clone());
        async move {
            let found = differences(&files, &start, name).await;
            files.diff(&found[0], "/home/user").await.unwrap()
        }
    };
    let forms = [of("binary").await.form, of("large").await.form, of("plain").await.form, of("folder").await.form];
    assert_eq!(forms, [DiffForm::Binary, DiffForm::TooLarge, DiffForm::Lines, DiffForm::Sentence]);
    assert_eq!(of("folder").await.text, "New directory: folder\n");
    let other = Files::new(start.to_fs(&files.fs), files.policy.clone());
    for name in ["binary", "large"] {
        let refused = message(other.apply_patch("/home/user", of(name).await.text).await);
        assert!(refused.contains("as a whole"), "{refused}");
    }
    other.apply_patch("/home/user", of("plain").await.text).await.unwrap();
    assert_eq!(names(&other, "/home/user").await, ["plain"]);
}
