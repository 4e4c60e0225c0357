//! Codes of the errors that a caller meets, each beside the call that succeeds.

use std::io::Cursor;

use wisp::policy::HostFiles;
use wisp::{Command, ErrorCode, ErrorDocument, Fault, HostReplay, InterpreterSnapshot, Policy, WispError};

use crate::kit::session;

#[tokio::test]
async fn commands_have_codes() {
    let session = session("").await;
    assert!(session.run(Command::new("true")).await.unwrap().success());
    let missing = session.run(Command::new("no-such-tool")).await.unwrap_err().code();
    assert_eq!((missing, missing.fault(), missing.retryable()), (ErrorCode::ProgramNotFound, Fault::Caller, false));
    let nowhere = session.run(Command::new("true").working_directory("/nowhere")).await.unwrap_err().code();
    assert_eq!(nowhere, ErrorCode::FileNotFound);
    let at_file = session.run(Command::new("true").working_directory("/etc/passwd")).await.unwrap_err().code();
    assert_eq!(at_file, ErrorCode::WrongFileType);

    let running = session.start(Command::new("cat")).await.unwrap();
    assert_eq!(running.write_stdin("x").await.unwrap_err().code(), ErrorCode::Conflict);
    assert!(running.wait().await.unwrap().success());
    assert_eq!(session.interpreter("sh").await.unwrap_err().code(), ErrorCode::Unsupported);
}

#[tokio::test]
async fn files_have_codes() {
    let session = session("[filesystem]\nquota = \"1MiB\"").await;
    let files = session.files();
    files.write("note", "text\n").await.unwrap();
    files.write("small", vec![0; 512 << 10]).await.unwrap();
    let diff = |old: &str| format!("--- note\n+++ note\n@@ -1 +1 @@\n-{old}\n+new\n");
    assert_eq!(files.read_at_most("note", 5).await.unwrap(), "text\n");
    files.apply_patch("/home/user", diff("text")).await.unwrap();
    assert_eq!(files.read("note").await.unwrap(), "new\n");
    let codes = [
        files.read("none").await.unwrap_err().code(),
        files.read_at_most("note", 1).await.unwrap_err().code(),
        files.create_new("note", "").await.unwrap_err().code(),
        files.list("note").await.unwrap_err().code(),
        files.write("/etc/passwd", "x").await.unwrap_err().code(),
        files.apply_patch("/home/user", diff("text")).await.unwrap_err().code(),
        files.write("large", vec![0; 2 << 20]).await.unwrap_err().code(),
    ];
    let expected = [
        ErrorCode::FileNotFound,
        ErrorCode::TooLarge,
        ErrorCode::FileExists,
        ErrorCode::WrongFileType,
        ErrorCode::PermissionDenied,
        ErrorCode::PatchRejected,
        ErrorCode::FilesystemLimit,
    ];
    assert_eq!(codes, expected);
}

#[tokio::test]
async fn what_is_passed_has_codes() {
    let wrong = Policy::parse(&HostFiles, "test.toml", "[limits]\nwall = \"soon\"").unwrap_err().code();
    assert_eq!((wrong, wrong.fault()), (ErrorCode::PolicyInvalid, Fault::Policy));
    assert_eq!(HostReplay::read(&b"not JSON\n"[..]).err().map(|error| error.code()), Some(ErrorCode::InvalidData));
    assert!(HostReplay::read(&b""[..]).is_ok());
    let session = session("").await;
    let loaded = InterpreterSnapshot::load(&session, Cursor::new(b"not a snapshot".to_vec())).await;
    assert_eq!(loaded.err().map(|error| error.code()), Some(ErrorCode::InvalidData));
}

/// A surface passes on whatever failed without knowing what it is, and a client reads it with the same type.
#[tokio::test]
async fn every_error_is_data() {
    let session = session("").await;
    let wrong = Policy::parse(&HostFiles, "test.toml", "[limits]\nwall = \"soon\"").unwrap_err();
    let refused = session.engine().session(session.policy()).allow("not a URL").build().await.unwrap_err();
    let missing = session.run(Command::new("no-such-tool")).await.unwrap_err();
    let lost = session.files().read("none").await.unwrap_err();
    let errors: [&dyn WispError; 4] = [&wrong, &refused, &missing, &lost];
    let codes = [ErrorCode::PolicyInvalid, ErrorCode::PolicyInvalid, ErrorCode::ProgramNotFound, ErrorCode::FileNotFound];
    for (error, code) in errors.into_iter().zip(codes) {
        let document = error.document();
        assert_eq!((document.code, document.fault, &document.message), (code, code.fault(), &error.to_string()));
        assert_eq!(document.findings.is_empty(), code != ErrorCode::PolicyInvalid, "{document:?}");
        let json = serde_json::to_string(&document).unwrap();
        assert_eq!(serde_json::from_str::<ErrorDocument>(&json).unwrap(), document);
    }
    let findings = wrong.document().findings;
    let finding = findings.iter().find(|finding| finding.line == Some(2)).unwrap_or_else(|| panic!("{findings:?}"));
    assert_eq!((finding.file.as_str(), finding.column), ("test.toml", Some(8)));
    assert!(finding.message.contains("`soon`") && finding.help.is_some(), "{finding:?}");
}
