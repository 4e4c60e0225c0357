//! Blocking calls: from a thread without an async runtime, and not where they would block async tasks.

use std::time::Duration;

use wisp::Stream;
use wisp_api::{CodeRequest, CommandRequest, DiffRequest, ErrorCode, OutputRequest, SessionRequest};
use wisp_service::ServiceError;

use super::kit::{LONG, code, keyed, owner, service};

#[test]
fn a_thread_without_a_runtime_has_every_call() {
    let service = service().blocking();
    let one = owner("one");
    let session = service.open(&one, keyed("k")).unwrap();
    assert_eq!(service.session(&one, session.id()).unwrap().id(), service.session_with_key(&one, "k").unwrap().id());
    assert_eq!(session.run(CommandRequest::argv(["echo", "hi"])).unwrap().stdout_text(), "hi\n");
    let command = session.start(CommandRequest { pipe_stdin: true, ..CommandRequest::script("read -r x; echo got $x") }).unwrap();
    assert!(command.wait(Some(Duration::ZERO)).unwrap().is_none());
    command.write_stdin("it\n").unwrap();
    let piece = session.command(command.id()).unwrap().output(OutputRequest::new(Stream::Stdout, 0).waiting(LONG)).unwrap();
    assert!(b"got it\n".starts_with(&piece.bytes) && !piece.bytes.is_empty());
    assert_eq!(command.wait(None).unwrap().unwrap().stdout_text(), "got it\n");
    assert_eq!(session.commands().unwrap().len(), 2);

    let evaluation = session.evaluate(CodeRequest::new("x = 6; x * 7")).unwrap();
    assert_eq!(evaluation.wait(None).unwrap().unwrap().value.as_deref(), Some("42"));
    assert_eq!(evaluation.displays(0, LONG).unwrap().displays.len(), 0);
    let files = session.files().unwrap();
    let watch = session.watch(".", 10).unwrap();
    service.block_on(files.write("note", "text")).unwrap().unwrap();
    assert_eq!(watch.next(0, Some(LONG)).unwrap().unwrap().number, 1);
    service.block_on(files.write("/output/note", "text")).unwrap().unwrap();
    assert_eq!(session.artifacts().unwrap().files.len(), 1);
    assert_eq!(session.diff(DiffRequest { path: ".".to_owned(), ..DiffRequest::default() }).unwrap().files.len(), 1);
    let checkpoint = session.checkpoint(None).unwrap();
    let fork = session.fork(&checkpoint.id, SessionRequest::default()).unwrap();
    let value = fork.evaluate(CodeRequest::new("x")).unwrap().wait(None).unwrap().unwrap();
    assert_eq!(value.value.as_deref(), Some("6"));
    session.restore(&checkpoint.id).unwrap();
    session.reset_interpreter("python").unwrap();
    session.close().unwrap();
    assert_eq!(code(session.info()), ErrorCode::NotFound);
    assert_eq!((service.sessions(&one).len(), service.close_owner(&one).unwrap()), (1, 1));
}

#[tokio::test]
async fn a_blocking_call_in_an_async_task_is_refused() {
    let (service, one) = (service(), owner("one"));
    let refused = service.blocking().open(&one, SessionRequest::default()).unwrap_err();
    assert!(matches!(refused, ServiceError::InsideRuntime), "{refused}");
    assert_eq!(refused.code(), ErrorCode::Unsupported);
    assert_eq!(code(service.blocking().block_on(std::future::ready(()))), ErrorCode::Unsupported);
    // Nothing was opened. The call of the same name works here, and the blocking one on another thread.
    assert!(service.sessions(&one).is_empty());
    service.open(&one, keyed("async")).await.unwrap();
    let blocking = service.blocking();
    let opened = std::thread::spawn(move || blocking.open(&owner("one"), keyed("blocking")).map(|session| session.id().clone()));
    let id = opened.join().unwrap().unwrap();
    assert_eq!(service.session_with_key(&one, "blocking").unwrap().id(), &id);
}
