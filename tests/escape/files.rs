//! A service that works on a session's files while guests do: what guests leave there harms neither the host nor the
//! service. Attacks and twins that need no guest are beside the code (`host/wisp/src/files/tests`).

use std::io::Cursor;

use tempfile::TempDir;
use wisp::fs::{Changed, FilesReason, FsError, GrepOptions, TarBounds, WalkOptions};
use wisp::policy::Access;
use wisp::{Command, Session};
use wisp_tests::alone::{alone, peak};
use wisp_tests::wisp::SECRET;

use crate::escape::kit::{ENGINE, policy};

async fn session(lines: &str) -> Session {
    ENGINE.session(&policy(&["sh", "coreutils"], lines)).build().await.unwrap_or_else(|error| panic!("{error}"))
}

async fn sh(session: &Session, script: &str) -> String {
    let outcome = session.run(Command::new("sh").args(["-ec", script])).await.expect("it starts");
    assert_eq!(outcome.exit_code(), 0, "{script}\n{}", outcome.stderr_text());
    outcome.stdout_text().into_owned()
}

#[tokio::test]
async fn links_of_a_guest_lead_nowhere_else() {
    let place = TempDir::new().expect("a temporary folder");
    std::fs::create_dir(place.path().join("data")).expect("a folder");
    std::fs::write(place.path().join("secret"), SECRET).expect("a file");
    let builder = ENGINE.session(&policy(&["sh", "coreutils"], "")).mount(place.path().join("data"), "/mnt/input", Access::Overlay);
    let session = builder.build().await.unwrap_or_else(|error| panic!("{error}"));
    let host = place.path().join("secret").display().to_string();
    sh(&session, &format!("echo own > f; ln -s '{host}' a; ln -s /mnt/input/../secret b; ln -s ../secret /mnt/input/c; ln -s f good"))
        .await;
    let files = session.files();
    for link in ["a", "b", "/mnt/input/c"] {
        assert!(files.read(link).await.is_err(), "{link}");
    }
    assert_eq!(files.read("good").await.expect("its twin"), "own\n");
    let found = files.grep(SECRET, "/", GrepOptions::new().literal(true)).await.expect("it is searched");
    assert_eq!(found.matches, []);
    // An archive that the guest made is unpacked as any other.
    sh(&session, "mkdir base; ln -s /etc base/etc; ln -s /tmp base/tmp").await;
    let mut archive = Vec::new();
    archive.extend_from_slice(&files.pack("/", &["etc/passwd"], Vec::new(), TarBounds::new()).await.expect("it is packed"));
    let refused = files.unpack("base", Cursor::new(archive.clone()), TarBounds::new()).await.expect_err("etc is a link");
    assert!(matches!(refused.source, FilesReason::Entry { .. }), "{refused}");
    assert_eq!(files.unpack("clean", Cursor::new(archive), TarBounds::new()).await.expect("its twin").entries, 1);
}

#[tokio::test]
async fn what_a_guest_can_make_large_is_bounded() {
    let session = session("[filesystem]\nquota = \"1MiB\"\nmax_files = 5000\n").await;
    let files = session.files();
    sh(&session, "truncate -s 8E huge 2>/dev/null || truncate -s 4E huge; mkdir many; cd many; touch $(seq 4000)").await;
    assert!(matches!(files.read("huge").await.expect_err("it is too large").source, FilesReason::TooLarge { .. }));
    assert_eq!(files.read_range("huge", 1 << 40, 3).await.expect("a part").as_ref(), [0, 0, 0]);
    let page = files.list_after("many", "", 100).await.expect("a page");
    assert!(page.entries.len() == 100 && page.truncated);
    let walked = files.walk("/home/user", WalkOptions::new().entries(1_000)).await.expect("a walk");
    assert!(walked.entries.len() == 1_000 && walked.truncated);
    assert!(files.pack("/home/user", &[], Vec::new(), TarBounds::new()).await.is_err());
    files.digest("/home/user").await.expect("holes cost nothing");
    // What is written from outside counts as what guests write.
    assert_eq!(files.write("large", vec![1; 2 << 20]).await.expect_err("it does not fit").fs(), Some(FsError::NoSpace));
    files.remove("large").await.expect("the part that fitted");
    files.write("small", vec![1; 1 << 19]).await.expect("it fits");
    let outcome = session.run(Command::new("cp").args(["small", "copy"])).await.expect("cp starts");
    assert_eq!(outcome.exit_code(), 0, "{}", outcome.stderr_text());
    let outcome = session.run(Command::new("cp").args(["small", "another"])).await.expect("cp starts");
    assert_eq!(outcome.exit_code(), 1);
    files.remove_tree("/home/user/many").await.expect("it is removed");
}

/// A list of the lines of a file or of a diff takes many times the memory of short lines.
#[tokio::test]
async fn a_diff_takes_the_memory_of_the_files_and_not_of_their_lines() {
    const MEBIBYTE: u64 = 1 << 20;
    if !alone("escape::files::a_diff_takes_the_memory_of_the_files_and_not_of_their_lines") {
        return;
    }
    let session = session("").await;
    let files = session.files();
    // Its twin: a usual diff to a long file. It is also what is needed once.
    let long: String = (1..=200_000).map(|number| format!("{number}\n")).collect();
    files.write("long", long.clone()).await.expect("it is written");
    let usual =
        "--- a/long\n+++ b/long\n@@ -99999,3 +99999,3 @@\n 99999\n-100000\n+half\n 100001\n@@ -199990,2 +199990,1 @@\n-199999\n 200000\n";
    let done = files.apply_patch("/home/user", usual).await.expect("it fits");
    assert_eq!((done.files[0].hunks, done.files[0].offset), (2, 9));
    let expected = long.replace("\n100000\n", "\nhalf\n").replace("\n199999\n", "\n");
    assert!(files.read("long").await.expect("it is read") == expected.as_bytes());
    let sized = |before: u64| peak() - before;

    // A diff of 16 MiB of short lines makes 8 MiB.
    let lines = 8 << 20;
    let diff = format!("--- /dev/null\n+++ b/new\n@@ -0,0 +1,{lines} @@\n{}", "+\n".repeat(lines));
    let before = peak();
    files.apply_patch("/home/user", diff).await.expect("it fits");
    assert_eq!(files.stat("new").await.expect("it is there").size, lines as u64);
    assert!(sized(before) < 80 * MEBIBYTE, "{} MiB", sized(before) / MEBIBYTE);

    // A file of 64 MiB of line ends: as it is, changed, and the changed one in its place.
    files.write("ends", vec![b'\n'; 64 << 20]).await.expect("it is written");
    let before = peak();
    let done = files.apply_patch("/home/user", "--- ends\n+++ ends\n@@ -33554432,2 +33554432,3 @@\n \n+here\n \n").await.expect("it fits");
    assert_eq!((done.files[0].hunks, done.files[0].offset), (1, 0));
    assert_eq!(files.read_range("ends", (32 << 20) - 1, 7).await.expect("a part").as_ref(), b"\nhere\n\n");
    assert!(sized(before) < 288 * MEBIBYTE, "{} MiB", sized(before) / MEBIBYTE);
    // The same where it has to be searched for, and is not there.
    let nowhere = "--- ends\n+++ ends\n@@ -1,2 +1,1 @@\n \n-elsewhere\n";
    assert!(files.apply_patch("/home/user", nowhere).await.is_err());
    assert!(sized(before) < 288 * MEBIBYTE, "{} MiB", sized(before) / MEBIBYTE);
}

#[tokio::test]
async fn a_watch_sees_guests_and_the_outside_and_is_not_drowned() {
    let session = session("").await;
    let files = session.files();
    let mut watch = files.watch("/home/user", 50).await.expect("a watch");
    sh(&session, "mkdir d; echo x > d/f; mv d/f d/g; rm d/g").await;
    files.write("out", "x").await.expect("it is written");
    let mut told = Vec::new();
    while let Some(change) = watch.try_next() {
        told.push(match change.kind {
            Changed::Created { path } => format!("+{path}"),
            Changed::Written { path } => format!("w{path}"),
            Changed::Removed { path } => format!("-{path}"),
            Changed::Renamed { from, to } => format!("{from}>{to}"),
            other => format!("{other:?}"),
        });
    }
    assert_eq!(told.join(" ").replace("/home/user/", ""), "+d +d/f wd/f d/f>d/g -d/g +out wout");
    sh(&session, "for number in $(seq 200); do echo x > f$number; done").await;
    let all: Vec<_> = std::iter::from_fn(|| watch.try_next()).collect();
    assert!(all.len() <= 51, "{}", all.len());
    let last = all.last().expect("there are some");
    assert!(matches!(last.kind, Changed::Lost { count } if count >= 350), "{last:?}");
    // It goes on after it.
    sh(&session, "rm f200").await;
    assert!(matches!(watch.next().await.kind, Changed::Removed { path } if path == "/home/user/f200"));
}
