//! Every type of files and errors comes back from its JSON as it was.

use serde_json::json;

use super::tests::there_and_back;
use super::*;

fn stat() -> Stat {
    Stat {
        dev: 1,
        ino: u64::MAX,
        kind: FileType::Regular,
        mode: 0o4755,
        nlink: 2,
        uid: 1000,
        gid: 1000,
        size: 1 << 40,
        blocks: 8,
        atime: 1,
        mtime: u64::MAX,
        ctime: 1_700_000_000_123_456_789,
    }
}

fn finding() -> PolicyFinding {
    let note = PolicyNote { file: "command line".to_owned(), line: 1, column: 2, label: "the other one".to_owned() };
    PolicyFinding {
        file: "p.toml".to_owned(),
        line: Some(3),
        column: Some(1),
        message: "two mounts at `/a`".to_owned(),
        label: Some("here".to_owned()),
        help: Some("remove one".to_owned()),
        notes: vec![note],
    }
}

#[test]
fn facts_about_files_come_back() {
    use FileType::*;
    for kind in [Regular, Directory, Symlink, CharDevice, Fifo, Socket, Unknown] {
        assert_eq!(there_and_back(&kind), kind.as_str());
        there_and_back(&Stat { kind, ..stat() });
    }
    let entry = FileEntry { path: "/home/user/a".to_owned(), stat: stat() };
    let json = there_and_back(&entry);
    assert_eq!((&json["path"], &json["type"], &json["mode"]), (&json!("/home/user/a"), &json!("file"), &json!(0o4755)));
    assert_eq!((&json["size_bytes"], &json["ctime_ns"]), (&json!(1_u64 << 40), &json!(1_700_000_000_123_456_789_u64)));
    assert_eq!((entry.name(), entry.is_dir(), entry.stat.is_in_mount()), ("a", false, false));
    there_and_back(&Listing::default());
    there_and_back(&Listing { entries: vec![entry], truncated: true, unreadable: vec!["/tmp/closed".to_owned()] });
    there_and_back(&FilesUsage { bytes: 1, max_bytes: 2, files: 3, max_files: u64::MAX });
    there_and_back(&Unpacked { entries: 2, bytes: u64::MAX });
}

#[test]
fn what_a_search_found_comes_back() {
    let found = GrepMatch { path: "/tmp/a".to_owned(), line: 1, column: 7, text: "a \u{fffd}".to_owned() };
    let empty = there_and_back(&GrepMatches::default());
    assert_eq!(empty, json!({"matches": [], "truncated": false, "searched": 0, "binary": 0}));
    let names = || vec!["/tmp/b".to_owned()];
    there_and_back(&GrepMatches { matches: vec![found], truncated: true, searched: 2, binary: 1, too_large: names(), unreadable: names() });
}

#[test]
fn every_change_comes_back() {
    let path = || "/tmp/a".to_owned();
    let kinds = [
        Changed::Created { path: path() },
        Changed::Written { path: path() },
        Changed::Attributes { path: path() },
        Changed::Removed { path: path() },
        Changed::Renamed { from: path(), to: "/tmp/b".to_owned() },
        Changed::Lost { count: u64::MAX },
        Changed::Restored { lost: 0 },
    ];
    for (number, kind) in (1..).zip(kinds) {
        there_and_back(&kind);
        there_and_back(&Change { number, kind });
    }
    let json = there_and_back(&Change { number: 1, kind: Changed::Created { path: path() } });
    assert_eq!(json, json!({"number": 1, "change": "created", "path": "/tmp/a"}));
}

#[test]
fn every_difference_comes_back() {
    use DifferenceKind::*;
    let file = FileVersion { kind: FileType::Regular, mode: 0o644, size: Some(5), target: None };
    let link = FileVersion { kind: FileType::Symlink, mode: 0o777, size: None, target: Some("../a".to_owned()) };
    for kind in [Added, Modified, Deleted, Mode, Link] {
        assert_eq!(there_and_back(&kind), kind.as_str());
        let (before, after) = (Some(file.clone()), Some(link.clone()));
        there_and_back(&FileDifference { path: "/a".to_owned(), kind, mount: None, before: before.clone(), after });
        let json = there_and_back(&FileDifference { path: "/a".to_owned(), kind, mount: Some("/m".to_owned()), before, after: None });
        assert_eq!((&json["before"], &json["after"]), (&json!({"type": "file", "mode": 0o644, "size_bytes": 5}), &json!(null)));
    }
    for form in [DiffForm::Lines, DiffForm::Binary, DiffForm::TooLarge, DiffForm::Sentence] {
        let text = |bytes: &'static [u8]| FileDiff { text: bytes::Bytes::from_static(bytes), added: 1, removed: 0, form };
        assert_eq!(there_and_back(&text(b"+a\n"))["text"], "+a\n");
        assert_eq!(there_and_back(&text(b"+\xff\n"))["base64"], "K/8K");
    }
}

#[test]
fn every_patch_comes_back() {
    let from = || "/home/user/old".to_owned();
    let changes = [
        PatchChange::Created,
        PatchChange::Modified,
        PatchChange::Deleted,
        PatchChange::Renamed { from: from() },
        PatchChange::Copied { from: from() },
    ];
    let file = |change| PatchedFile { path: "/home/user/a".to_owned(), change, hunks: 2, offset: 3 };
    let json = there_and_back(&Patched { files: changes.map(file).to_vec() });
    assert_eq!(json["files"][0], json!({"path": "/home/user/a", "change": "created", "hunks": 2, "offset": 3}));
    assert_eq!((&json["files"][3]["change"], &json["files"][3]["from"]), (&json!("renamed"), &json!("/home/user/old")));
    for (file, hunk) in [(None, None), (Some("a\u{1b}".to_owned()), None), (Some("a".to_owned()), Some(1))] {
        let reject = PatchReject { file, hunk, line: 4, reason: "it does not apply".to_owned() };
        there_and_back(&reject);
        assert!(!reject.to_string().contains('\u{1b}'));
    }
}

#[test]
fn what_is_taken_over_comes_back() {
    let (name, directory, what) = ("a".to_owned(), "/m/d".to_owned(), "the policy".to_owned());
    let refusals = [
        ApplyRefusal::Changed,
        ApplyRefusal::Removed,
        ApplyRefusal::Added,
        ApplyRefusal::Holds { name },
        ApplyRefusal::Unknown,
        ApplyRefusal::NoDirectory { directory },
        ApplyRefusal::Protected { what },
    ];
    let reasons = [ApplyReason::Special, ApplyReason::LeadsOut { target: "/etc".to_owned() }, ApplyReason::OnlyHost, ApplyReason::Folder];
    let conflicts: Vec<_> = refusals.into_iter().map(|reason| ApplyConflict::new("/m/a", reason)).collect();
    let left_out: Vec<_> = reasons.into_iter().map(|reason| ApplyLeftOut::new("/m/b", reason)).collect();
    let difference = FileDifference { path: "/m/c".to_owned(), kind: DifferenceKind::Added, mount: None, before: None, after: None };
    let files = [false, true].map(|leads_out| ApplyFile { difference: difference.clone(), leads_out });
    let full = ApplyDocument { applied: true, changes: files.to_vec(), conflicts, left_out, unchanged: vec!["/m/d".to_owned()] };
    let json = there_and_back(&full);
    let protected = &json["conflicts"][6];
    assert_eq!((&protected["reason"], &protected["what"]), (&json!("protected"), &json!("the policy")));
    assert_eq!(protected["message"], full.conflicts[6].reason.to_string());
    assert_eq!((json["changes"][0].get("leads_out"), &json["changes"][1]["leads_out"]), (None, &json!(true)));
    for part in full.conflicts {
        there_and_back(&part);
    }
    for part in full.left_out {
        there_and_back(&part);
    }
    let empty = ApplyDocument { applied: false, changes: vec![], conflicts: vec![], left_out: vec![], unchanged: vec![] };
    assert_eq!(there_and_back(&empty), json!({"applied": false, "changes": [], "conflicts": [], "left_out": []}));
    there_and_back(&Applied { changes: 3 });
}

#[test]
fn a_piece_of_output_comes_back_with_its_place() {
    for bytes in [&b"text\n"[..], b"", b"\xe2\x82"] {
        let chunk = OutputChunk { offset: 7, bytes: bytes::Bytes::from_static(bytes), end: bytes.is_empty() };
        let json = there_and_back(&chunk);
        assert_eq!((&json["offset"], &json["end"]), (&json!(7), &json!(bytes.is_empty())));
        assert_eq!(json["next_offset"], chunk.next_offset());
        assert_eq!(json.get("base64").is_some(), std::str::from_utf8(bytes).is_err());
        assert_eq!(chunk.next_offset(), 7 + bytes.len() as u64);
    }
    let html = Representation { media_type: "text/html".to_owned(), data: "<b>".into() };
    let display = Display { representations: vec![html], id: None, update: false };
    for displays in [vec![], vec![display]] {
        there_and_back(&DisplayChunk { next: displays.len(), displays, end: true });
    }
}

#[test]
fn every_error_is_data() {
    let reject = PatchReject { file: None, hunk: None, line: 1, reason: "it is no diff".to_owned() };
    let errors: [&dyn WispError; 2] = [&reject, &"teapot".parse::<ErrorCode>().unwrap_err()];
    for (error, code) in errors.into_iter().zip(["patch_rejected", "invalid_argument"]) {
        let json = there_and_back(&error.document());
        assert_eq!(json, json!({"code": code, "fault": "caller", "retryable": false, "message": error.to_string()}));
    }
    for &code in ErrorCode::ALL {
        let (fault, retryable) = (code.fault(), code.retryable());
        let document = ErrorDocument { code, fault, retryable, message: "m".to_owned(), findings: vec![finding()] };
        there_and_back(&document);
    }
    there_and_back(&finding());
    let json = there_and_back(&PolicyFinding { line: None, column: None, label: None, help: None, notes: Vec::new(), ..finding() });
    assert_eq!(json, json!({"file": "p.toml", "message": "two mounts at `/a`"}));
}
