//! Every type comes back from its JSON as it was.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::*;

/// Checks that a value comes back from JSON, and that its schema allows every field that it was written with. Returns the JSON.
pub(super) fn there_and_back<T: Serialize + DeserializeOwned + JsonSchema + PartialEq + std::fmt::Debug>(value: &T) -> serde_json::Value {
    let text = serde_json::to_string(value).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
    let json = serde_json::to_value(value).unwrap();
    assert_eq!(&serde_json::from_value::<T>(json.clone()).unwrap(), value, "{json}");
    let schema = serde_json::to_value(schemars::schema_for!(T)).unwrap();
    if let (Some(fields), Some(known)) = (json.as_object(), schema.get("properties").and_then(|known| known.as_object())) {
        let unknown: Vec<_> = fields.keys().filter(|name| !known.contains_key(*name)).collect();
        // What an enum adds stands in its variants.
        assert!(unknown.is_empty() || schema.get("oneOf").is_some() || schema.get("anyOf").is_some(), "{unknown:?} are not in {schema}");
    }
    json
}

fn limit() -> LimitHit {
    LimitHit { limit: Limit::Cpu, value: "1500ms".to_owned(), rule: "policies/offline.toml:12".to_owned(), ended: true }
}

fn ends() -> Vec<End> {
    vec![
        End::Exit { code: 3 },
        End::Signal { signal: 15 },
        End::Limit(limit()),
        End::Denied { subject: "wasi:random/random#get-random-u64".to_owned(), rule: "p.toml:3".to_owned() },
        End::Infra { code: ErrorCode::CompileFailed, message: "no space left".to_owned() },
        End::NotStarted { exit_code: 127, code: ErrorCode::ProgramNotFound, message: "`x`: no such program".to_owned() },
    ]
}

fn usage() -> Usage {
    Usage { cpu: Duration::from_micros(123_457), peak_memory: 1 << 40, processes: 2 }
}

fn receipts() -> Vec<Receipt> {
    let plain = Receipt::new(ReceiptKind::Spawn, "/usr/bin/ls", Verdict::Allowed, "built in");
    let http = HttpReceipt {
        address: Some("127.0.0.1:80".to_owned()),
        status: Some(200),
        sent: 0,
        received: u64::MAX,
        duration_us: 7,
        failure: None,
    };
    let request = Receipt::new(ReceiptKind::Http, "GET https://docs.example/", Verdict::Denied, "p.toml:3");
    vec![plain, Receipt { session: "s-1".to_owned(), process: 4, count: 9, time_ns: u64::MAX, http: Some(http), ..request }]
}

fn outcome(end: End) -> Outcome {
    let file = |data: Option<&'static [u8]>| Artifact {
        path: "/output/plot.png".to_owned(),
        mime_type: "image/png".to_owned(),
        size: 4,
        sha256: "00".to_owned(),
        mode: 0o755,
        mtime: 1_600_000_000_123_456_789,
        title: data.map(|_| "A plot".to_owned()),
        data: data.map(bytes::Bytes::from_static),
    };
    Outcome {
        end,
        stdout: "caf\u{e9} \u{1b}[1m\n".into(),
        stderr: b"\xff\x00".to_vec(),
        files: vec![file(Some(b"\x89PNG")), file(None)],
        files_left_out: vec!["/output/huge".to_owned(), "/output/link".to_owned()],
        files_left_out_reasons: vec![LeftOutReason::MaxBytes, LeftOutReason::Link],
        execution_time: Duration::from_micros(90_001_234_567),
        usage: usage(),
        limit: Some(limit()),
        receipts: receipts(),
        receipts_left_out: 3,
        world: "ab".to_owned(),
    }
}

#[test]
fn every_end_comes_back_and_says_its_exit_code() {
    let codes: Vec<u8> = ends().iter().map(End::exit_code).collect();
    assert_eq!(codes, [3, 143, 137, 134, 125, 127]);
    let wall = End::Limit(LimitHit { limit: Limit::Wall, ..limit() });
    assert_eq!(wall.exit_code(), 124);
    for end in ends() {
        let json = there_and_back(&end);
        let outcome = there_and_back(&outcome(end.clone()));
        assert_eq!((&outcome["end"], &outcome["exit_code"]), (&json, &end.exit_code().into()));
    }
    assert_eq!(there_and_back(&ends()[0]), serde_json::json!({"kind": "exit", "code": 3}));
    assert_eq!(there_and_back(&ends()[2])["limit"], "limits.cpu");
}

#[test]
fn an_exit_code_that_contradicts_the_end_is_ignored() {
    let mut json = serde_json::to_value(outcome(End::Infra { code: ErrorCode::Internal, message: String::new() })).unwrap();
    json["exit_code"] = 0.into();
    assert!(!serde_json::from_value::<Outcome>(json.clone()).unwrap().success());
    json["end"] = serde_json::json!({"kind": "reward"});
    assert!(serde_json::from_value::<Outcome>(json).is_err());
}

#[test]
fn output_is_always_text_and_its_bytes_stand_beside_it() {
    let json = there_and_back(&outcome(End::Exit { code: 0 }));
    assert_eq!((&json["stdout"], json.get("stdout_base64")), (&"café \u{1b}[1m\n".into(), None));
    assert_eq!((&json["stderr"], &json["stderr_base64"]), (&"\u{fffd}\u{0}".into(), &"/wA=".into()));
    assert_eq!((&json["execution_time_ms"], &json["usage"]["cpu_ms"]), (&90_001_234.567.into(), &123.457.into()));
    assert_eq!((&json["files"][0]["data"], json["files"][1].get("data")), (&"iVBORw==".into(), None));
    let mut damaged = json;
    damaged["stderr_base64"] = "?".into();
    let error = serde_json::from_value::<Outcome>(damaged).unwrap_err().to_string();
    assert!(error.contains("`stderr_base64` is not base64"), "{error}");
}

#[test]
fn what_is_left_out_has_its_reason() {
    use LeftOutReason::*;
    for reason in [MaxFiles, MaxBytes, Name, Link, LinkOut, Special, TooDeep, Unreadable] {
        assert_eq!(there_and_back(&reason), reason.as_str());
        assert_eq!(reason.loses_data(), !matches!(reason, Link | Special));
    }
    let outcome = outcome(End::Exit { code: 0 });
    assert_eq!(outcome.left_out().collect::<Vec<_>>(), [("/output/huge", MaxBytes), ("/output/link", Link)]);
    let file = &there_and_back(&outcome)["files"][0];
    assert_eq!((&file["mode"], &file["mtime_ns"]), (&0o755.into(), &1_600_000_000_123_456_789_u64.into()));
}

#[test]
fn an_outcome_can_be_made_smaller() {
    let small = outcome(End::Exit { code: 0 }).without_contents().with_receipts(1);
    assert!(small.files.iter().all(|file| file.data.is_none() && file.size == 4));
    assert_eq!((small.receipts.len(), small.receipts_left_out), (1, 4));
    let same = outcome(End::Exit { code: 0 }).with_receipts(2);
    assert_eq!(same, outcome(End::Exit { code: 0 }));
}

#[test]
fn every_event_comes_back() {
    let mut kinds = vec![
        EventKind::Compile { tool: "sh".to_owned(), done: true },
        EventKind::Start { command: "sh -c true".to_owned() },
        EventKind::ProcessStart { process: 2, parent: 0, program: "sh".to_owned() },
        EventKind::ProcessEnd { process: 2, exit_code: 255, cpu: Duration::from_micros(1) },
        EventKind::Output { stream: Stream::Stdout, data: "a\nb".into() },
        EventKind::Output { stream: Stream::Stderr, data: b"\xff"[..].into() },
        EventKind::Limit { limit: limit() },
        EventKind::LeftOut { count: 1 },
    ];
    kinds.extend(receipts().into_iter().map(|receipt| EventKind::Receipt { receipt }));
    let end = |end| EventKind::End { end, execution_time: Duration::from_millis(5), usage: usage(), limit: None };
    kinds.extend(ends().into_iter().map(end));
    for kind in kinds {
        there_and_back(&kind);
        there_and_back(&Event::new(1, kind.clone()));
        there_and_back(&Event { time_ns: u64::MAX, session: "s".to_owned(), kind });
    }
}

#[test]
fn an_event_is_one_line_with_its_name_first_among_what_is_its_own() {
    let kind = EventKind::Output { stream: Stream::Stdout, data: "a\nb".into() };
    let line = serde_json::to_string(&Event { time_ns: 1, session: "s".to_owned(), kind }).unwrap();
    assert_eq!(line, r#"{"time_ns":1,"session":"s","event":"output","stream":"stdout","text":"a\nb"}"#);
    let line = serde_json::to_string(&EventKind::Output { stream: Stream::Stderr, data: b"\xff"[..].into() }).unwrap();
    assert_eq!(line, r#"{"event":"output","stream":"stderr","base64":"/w=="}"#);
}

#[test]
fn every_evaluation_comes_back() {
    let png = Representation { media_type: "image/png".to_owned(), data: b"\x89PNG"[..].into() };
    let html = Representation { media_type: "text/html".to_owned(), data: "<b>".into() };
    let frame = TracebackFrame { file: "<cell 3>".to_owned(), line: Some(1), function: "<module>".to_owned(), text: None };
    let error = Exception { name: "E".to_owned(), message: "m".to_owned(), frames: vec![frame], report: "E: m\n".to_owned() };
    let full = Evaluation {
        number: Some(3),
        value: Some("42".to_owned()),
        representations: vec![html.clone()],
        displays: vec![Display { representations: vec![png, html], id: Some("plot".to_owned()), update: true }],
        error: Some(error),
        exit: Some(7),
        not_carried: vec!["the thread busy".to_owned()],
        timed_out: true,
        outcome: outcome(End::Exit { code: 7 }),
    };
    let json = there_and_back(&full);
    assert_eq!((&json["displays"][0]["representations"][0]["base64"], &json["exit_code"]), (&"iVBORw==".into(), &7.into()));
    let empty = Evaluation {
        number: None,
        value: None,
        representations: Vec::new(),
        displays: Vec::new(),
        error: None,
        exit: None,
        not_carried: Vec::new(),
        timed_out: false,
        outcome: outcome(ends().remove(2)),
    };
    there_and_back(&empty);
    there_and_back(&InputRequest { prompt: "key: ".to_owned(), hidden: true });
}

#[test]
fn a_kept_session_comes_back() {
    let found = KeptSessionInfo {
        name: "s".to_owned(),
        policy: "?".to_owned(),
        last_used: -1,
        size_bytes: u64::MAX,
        python: true,
        complete: false,
    };
    assert_eq!(there_and_back(&found)["last_used"], -1);
}

#[test]
fn a_name_is_the_same_in_texts_and_in_json() {
    use ReceiptKind::*;
    for kind in [Mount, Spawn, Exec, Interpreter, Fork, Http, Secret, Function, File, Import, Limit, LeftOut] {
        assert_eq!(there_and_back(&kind), kind.as_str());
    }
    for limit in super::Limit::ALL {
        assert_eq!(there_and_back(&limit), limit.as_str());
        assert_eq!(limit.code().fault(), Fault::Limit);
    }
    for verdict in [Verdict::Allowed, Verdict::Denied] {
        there_and_back(&verdict);
    }
}

/// The schemas in the repository, which other languages read, are those of the types.
#[test]
#[expect(clippy::disallowed_methods, reason = "it reads the repository")]
fn the_schemas_in_the_repository_are_those_of_the_types() {
    let schemas = [
        ("outcome", schemars::schema_for!(Outcome)),
        ("event", schemars::schema_for!(Event)),
        ("evaluation", schemars::schema_for!(Evaluation)),
    ];
    for (name, schema) in schemas {
        let made = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        let path = format!("{}/schema/{name}.json", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("WISP_BLESS").is_some() {
            std::fs::write(&path, &made).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(made == kept, "host/api/schema/{name}.json does not match the type; `toolchain/just bless` rewrites it");
    }
}

#[test]
fn every_request_comes_back_and_the_shortest_has_the_defaults() {
    let text = |name: &str| (name.to_owned(), "1".to_owned());
    let session = SessionRequest {
        key: Some("k".to_owned()),
        policy: Some("offline".to_owned()),
        env: [text("A")].into(),
        idle: Some(Duration::from_millis(1_500)),
        life: Some(Duration::from_micros(1_250)),
        labels: [text("run")].into(),
    };
    assert_eq!(there_and_back(&session)["idle_ms"], 1_500.0);
    assert_eq!(there_and_back(&SessionRequest::default()), serde_json::json!({}));

    let command = CommandRequest {
        argv: Vec::new(),
        script: Some("cat".to_owned()),
        shell: Some("main".to_owned()),
        env: [text("B")].into(),
        working_directory: Some("/tmp".to_owned()),
        stdin: Some(Blob::from("caf\u{e9}")),
        pipe_stdin: true,
        terminal: Some(TerminalRequest { rows: 24, columns: 80 }),
        merge_stderr: true,
        tail: Some(1 << 20),
        end: CommandEnd::FirstProcess,
        timeout: Some(Duration::from_secs(3)),
        tag: Some("t".to_owned()),
    };
    let json = there_and_back(&command);
    assert_eq!((&json["stdin"], &json["end"]), (&serde_json::json!({"text": "caf\u{e9}"}), &"first_process".into()));
    assert_eq!(there_and_back(&CommandRequest::argv(["ls", "-l"])), serde_json::json!({"argv": ["ls", "-l"]}));
    assert_eq!(there_and_back(&CommandRequest::in_shell("s", "cd /")), serde_json::json!({"script": "cd /", "shell": "s"}));
    there_and_back(&Blob::from(&b"\xff"[..]));

    let code = CodeRequest { interpreter: "other".to_owned(), tool: Some("lua".to_owned()), ..CodeRequest::new("1 + 1") };
    there_and_back(&CodeRequest { timeout: Some(Duration::from_secs(1)), grace: Some(Duration::ZERO), ..code });
    assert_eq!(there_and_back(&CodeRequest::new("1 + 1")), serde_json::json!({"code": "1 + 1"}));
    assert_eq!(serde_json::from_str::<CodeRequest>(r#"{"code": "1 + 1"}"#).unwrap(), CodeRequest::new("1 + 1"));

    assert_eq!(there_and_back(&OutputRequest::new(Stream::Stderr, 7).waiting(Duration::from_millis(20)))["wait_ms"], 20.0);
    assert_eq!(serde_json::from_str::<OutputRequest>("{}").unwrap(), OutputRequest::default());
    there_and_back(&DiffRequest { path: "src".to_owned(), limit: 3, text: true });
    assert_eq!(serde_json::from_str::<DiffRequest>("{}").unwrap(), DiffRequest::default());
}

#[test]
fn a_field_that_this_version_does_not_know_is_refused() {
    assert!(serde_json::from_str::<CommandRequest>(r#"{"argv": ["ls"], "tag": "t"}"#).is_ok());
    let error = serde_json::from_str::<CommandRequest>(r#"{"argv": ["ls"], "user": "root"}"#).unwrap_err().to_string();
    assert!(error.contains("unknown field `user`"), "{error}");
    assert!(serde_json::from_str::<SessionRequest>(r#"{"ttl": 1}"#).is_err());
    assert!(serde_json::from_str::<CodeRequest>(r#"{"code": "1", "kernel": "x"}"#).is_err());
    assert!(serde_json::from_str::<SessionRequest>(r#"{"idle_ms": -1}"#).is_err());
}

#[test]
fn what_a_service_holds_comes_back() {
    let interpreter = InterpreterInfo { name: "python".to_owned(), tool: "python3".to_owned(), evaluation: Some(3), ended: false };
    let session = SessionInfo {
        id: SessionId::of(7),
        owner: "o".to_owned(),
        key: Some("k".to_owned()),
        policy: "offline".to_owned(),
        receipts_id: "r".to_owned(),
        created_ms: 1,
        used_ms: 2,
        expires_ms: Some(3),
        idle_ms: Some(4),
        running: 1,
        interpreters: vec![interpreter],
        shells: vec!["main".to_owned()],
        labels: [("a".to_owned(), "b".to_owned())].into(),
    };
    assert_eq!(there_and_back(&session)["id"], "00000000000000000000000000000007");
    there_and_back(&SessionInfo { key: None, expires_ms: None, idle_ms: None, interpreters: Vec::new(), ..session });
    there_and_back(&CommandInfo { id: 1, tag: None, command: "ls".to_owned(), exit_code: Some(2), processes: vec![4] });
    there_and_back(&EvaluationInfo { id: 1, interpreter: "python".to_owned(), running: true });
    let function = FunctionInfo {
        name: "search".to_owned(),
        documentation: "Finds.".to_owned(),
        parameters: Some(serde_json::json!({ "type": "object", "properties": { "query": { "type": "string" } } })),
        returns: Some(true.into()),
        items: true,
        rule: "p.toml:4".to_owned(),
    };
    assert_eq!(there_and_back(&function)["parameters"]["properties"]["query"]["type"], "string");
    let plain = FunctionInfo { documentation: String::new(), parameters: None, returns: None, items: false, ..function };
    assert_eq!(there_and_back(&plain), serde_json::json!({ "name": "search", "items": false, "rule": "p.toml:4" }));
    there_and_back(&CheckpointInfo {
        id: CheckpointId::of(u128::MAX),
        label: Some("before".to_owned()),
        created_ms: 1,
        interpreters: vec!["python".to_owned()],
        shells: Vec::new(),
        not_carried: vec!["python: a pipe".to_owned()],
        memory_bytes: 1 << 20,
    });
    let piece = |data: &'static [u8]| OutputChunk { offset: 4, bytes: data.into(), end: true };
    there_and_back(&Outputs { stdout: piece(b"ab"), stderr: piece(b"\xff\xfe") });
    let after = FileVersion { kind: FileType::Regular, mode: 0o644, size: Some(1), target: None };
    let (path, kind) = ("/home/user/x".to_owned(), DifferenceKind::Added);
    let difference = FileDifference { path, kind, mount: None, before: None, after: Some(after) };
    let diff = FileDiff { text: "diff --git a/x b/x\n".into(), added: 1, removed: 0, form: DiffForm::Lines };
    for diff in [None, Some(diff)] {
        let change = FileChange { difference: difference.clone(), diff };
        there_and_back(&SessionDiff { path: "/".to_owned(), files: vec![change], truncated: true });
    }
}
