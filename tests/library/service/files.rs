//! Files of a session as a service hands them out: those of the output directory, and a watch that ends with its session.

use std::time::Duration;

use wisp::fs::{Change, Changed};
use wisp::{Artifacts, LeftOutReason};
use wisp_api::{CommandRequest, ErrorCode, SessionRequest};
use wisp_service::{ServiceLimits, SessionHandle};

use super::kit::{LONG, code, eval, owner, policy, service, session, timed};

async fn run(session: &SessionHandle, script: &str) {
    let outcome = session.run(CommandRequest::script(script)).await.unwrap();
    assert!(outcome.success(), "{script}: {}", outcome.stderr_text());
}

#[tokio::test]
async fn artifacts_are_those_of_now() {
    let session = session().await;
    assert_eq!(session.artifacts().await.unwrap(), Artifacts::default());
    run(&session, "mkdir /output/d; printf 1 >/output/d/a.txt; ln -s d /output/link; printf 2 >\"/output/b$(printf '\\033')\"").await;
    eval(&session, "import wisp; open('/output/c.bin', 'w').write('3'); wisp.artifact('/output/c.bin', title='Three')").await;
    let found = session.artifacts().await.unwrap();
    let files = found.files.iter().map(|file| (&*file.path, &*file.mime_type, file.title.as_deref(), file.data.as_deref()));
    let expected = [
        ("/output/c.bin", "application/octet-stream", Some("Three"), Some(&b"3"[..])),
        ("/output/d/a.txt", "text/plain", None, Some(&b"1"[..])),
    ];
    assert_eq!(files.collect::<Vec<_>>(), expected);
    assert_eq!(found.left_out, ["/output/b\u{1b}", "/output/link"]);
    assert_eq!(found.reasons, [LeftOutReason::Name, LeftOutReason::Link]);
    // It is what the outcome of a command has.
    let outcome = session.run(CommandRequest::argv(["true"])).await.unwrap();
    assert_eq!((&outcome.files, &outcome.files_left_out), (&found.files, &found.left_out));
    assert_eq!(outcome.files_left_out_reasons, found.reasons);
    run(&session, "rm -r /output/*").await;
    assert_eq!(session.artifacts().await.unwrap(), Artifacts::default());
    session.close().await.unwrap();
    assert_eq!(code(session.artifacts().await), ErrorCode::NotFound);
}

#[tokio::test]
async fn artifacts_have_the_policy_s_bounds() {
    let small = policy("[output]\nmax_files = 2\nmax_bytes = \"10B\"");
    let session = service().open_with(&owner("one"), SessionRequest::default(), &small, |builder| builder).await.unwrap();
    run(&session, "cd /output; printf 12345 >a; printf 123456 >b; printf 1 >c; printf 1 >d").await;
    let found = session.artifacts().await.unwrap();
    assert_eq!(found.files.iter().map(|file| &*file.path).collect::<Vec<_>>(), ["/output/a", "/output/c"]);
    assert_eq!(found.left_out, ["/output/b", "/output/d"]);
    assert_eq!(found.reasons, [LeftOutReason::MaxBytes, LeftOutReason::MaxFiles]);
}

/// A link is told, and is a loss only if what it leads to is nowhere among the results.
#[tokio::test]
async fn artifacts_have_modes_and_times_and_say_what_else_is_there() {
    use LeftOutReason::{Link, LinkOut, Special, Unreadable};

    let session = session().await;
    let script = "cd /output; mkdir d; echo 1 >d/a; chmod 750 d/a; touch -d '2020-01-02 03:04:05 UTC' d/a; ln d/a hard
        ln -s d dir; ln -s d/a file; ln -s file again; ln -s gone none; ln -s again/x bad; ln -s /dev/null null; mkfifo pipe
        echo 2 >/tmp/b; ln -s /tmp/b out; ln -s /tmp tmp; ln -s loop loop; mkdir closed; echo 3 >closed/c; chmod 0 closed";
    run(&session, script).await;
    let found = session.artifacts().await.unwrap();
    let files = found.files.iter().map(|file| (&*file.path, file.mode, file.mtime));
    let time = 1_577_934_245_000_000_000;
    assert_eq!(files.collect::<Vec<_>>(), [("/output/d/a", 0o750, time), ("/output/hard", 0o750, time)]);
    let left_out: Vec<_> =
        found.left_out.iter().map(|path| path.trim_start_matches("/output/")).zip(found.reasons.iter().copied()).collect();
    let expected = [
        ("again", Link),
        ("bad", Link),
        ("closed", Unreadable),
        ("dir", Link),
        ("file", Link),
        ("loop", Link),
        ("none", Link),
        ("null", Link),
        ("out", LinkOut),
        ("pipe", Special),
        ("tmp", LinkOut),
    ];
    assert_eq!(left_out, expected);
}

#[tokio::test]
async fn a_watch_has_each_change_until_it_is_confirmed() {
    let session = session().await;
    let watch = session.watch(".", 100).await.unwrap();
    assert_eq!(watch.next(0, Some(Duration::ZERO)).await.unwrap(), None);
    let files = session.files().unwrap();
    files.write("a", "1").await.unwrap();
    files.rename("a", "b").await.unwrap();
    files.write("/tmp/elsewhere", "2").await.unwrap();
    let path = |name: &str| format!("/home/user/{name}");
    let first = watch.next(0, Some(LONG)).await.unwrap().unwrap();
    assert_eq!((first.number, &first.kind), (1, &Changed::Created { path: path("a") }));
    // A caller who did not receive it asks again.
    assert_eq!(watch.next(0, None).await.unwrap(), Some(first));
    let second = watch.next(1, None).await.unwrap().unwrap();
    assert_eq!(second.kind, Changed::Written { path: path("a") });
    let third = watch.next(second.number, None).await.unwrap().unwrap();
    assert_eq!(third.kind, Changed::Renamed { from: path("a"), to: path("b") });
    assert_eq!(watch.next(third.number, Some(Duration::ZERO)).await.unwrap(), None);
    assert_eq!(code(session.watch("no", 1).await), ErrorCode::FileNotFound);
}

#[tokio::test]
async fn a_watch_says_what_it_lost() {
    let session = session().await;
    let watch = session.watch("/tmp", 2).await.unwrap();
    let files = session.files().unwrap();
    for name in ["1", "2", "3", "4"] {
        files.mkdir(&format!("/tmp/{name}")).await.unwrap();
    }
    let mut changes = Vec::new();
    for _ in 0..3 {
        let number = changes.last().map_or(0, |change: &Change| change.number);
        changes.push(watch.next(number, Some(LONG)).await.unwrap().unwrap());
    }
    let created = |number, path: &str| Change { number, kind: Changed::Created { path: path.to_owned() } };
    let lost = Change { number: 4, kind: Changed::Lost { count: 2 } };
    assert_eq!(changes, [created(1, "/tmp/1"), created(2, "/tmp/2"), lost]);
}

#[tokio::test]
async fn a_watch_ends_with_its_session() {
    let session = session().await;
    let watch = session.watch(".", 1).await.unwrap();
    let (ended, closed) = tokio::join!(watch.next(0, None), session.close());
    closed.unwrap();
    assert_eq!(code(ended), ErrorCode::NotFound);
    assert_eq!(code(watch.next(0, None).await), ErrorCode::NotFound);

    // Or when its time is over.
    let (service, clock) = timed(ServiceLimits { life: Some(Duration::from_secs(10)), ..ServiceLimits::default() });
    let session = service.open(&owner("one"), SessionRequest::default()).await.unwrap();
    let watch = session.watch(".", 1).await.unwrap();
    let over = async {
        clock.pass(Duration::from_secs(11));
        assert!(session.info().is_err());
    };
    let (ended, ()) = tokio::join!(watch.next(0, None), over);
    assert_eq!(code(ended), ErrorCode::NotFound);
}
