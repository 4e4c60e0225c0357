//! Reading and writing.

use tokio::io::AsyncReadExt;

use super::*;

#[tokio::test]
async fn what_is_written_is_read() {
    let files = files();
    files.write("notes/a.txt", "one").await.unwrap();
    assert_eq!(text(&files, "/home/user/notes/a.txt").await, "one");
    files.write("notes/a.txt", "2").await.unwrap();
    assert_eq!(text(&files, "notes/a.txt").await, "2");
    files.append("notes/a.txt", "3").await.unwrap();
    files.write_at("notes/a.txt", 4, "5").await.unwrap();
    assert_eq!(text(&files, "notes/a.txt").await, "23\0\x005");
    assert_eq!(files.read_range("notes/a.txt", 1, 1).await.unwrap(), "3");
    assert_eq!(files.read_range("notes/a.txt", 100, 1).await.unwrap(), "");
    assert_eq!(refused(files.read("notes").await), FsError::IsDirectory);
    assert_eq!(refused(files.read("").await), FsError::NotFound);
    assert!(files.read("nothing").await.unwrap_err().is_not_found());
}

#[tokio::test]
async fn parents_are_made_unless_the_caller_forbids_it() {
    let files = files();
    let options = WriteOptions::new().parents(false);
    for how in [WriteMode::InPlace, WriteMode::Atomic, WriteMode::New, WriteMode::Append] {
        assert_eq!(refused(files.write_with("a/b/c", "", options.how(how)).await), FsError::NotFound);
        files.write_with("a/b/c", "x", WriteOptions::new().how(how)).await.unwrap();
        files.remove_tree("a").await.unwrap();
    }
    files.write("file", "").await.unwrap();
    assert_eq!(refused(files.write("file/below", "").await), FsError::NotDirectory);
}

#[tokio::test]
async fn the_bits_and_the_user_decide_as_for_a_guest() {
    let files = files();
    assert_eq!(text(&files, "/etc/passwd").await, "root");
    for how in [WriteMode::InPlace, WriteMode::Atomic, WriteMode::Append] {
        assert_eq!(refused(files.write_with("/etc/passwd", "x", WriteOptions::new().how(how)).await), FsError::Access);
    }
    assert_eq!(refused(files.write("/etc/other", "").await), FsError::Access);
    files.write_with("own", "x", WriteOptions::new().mode(0o400)).await.unwrap();
    assert_eq!(refused(files.replace("own", "y").await), FsError::Access);
    files.set_mode("own", 0o000).await.unwrap();
    assert_eq!(message(files.read("own").await), "cannot read `/home/user/own`: permission denied");
}

#[tokio::test]
async fn a_reader_sees_the_old_file_or_the_new_one() {
    let files = files();
    let old = "o".repeat(300_000);
    files.write_with("f", old.clone(), WriteOptions::new().mode(0o755)).await.unwrap();
    files.symlink("f", "link").await.unwrap();
    let mut reader = files.read_stream("f").await.unwrap();
    let mut seen = reader.chunk().await.unwrap().unwrap().to_vec();
    // Through the link: it stays a link.
    files.replace("link", "new").await.unwrap();
    while let Some(bytes) = reader.chunk().await.unwrap() {
        seen.extend_from_slice(&bytes);
    }
    assert_eq!(seen, old.as_bytes());
    assert_eq!(text(&files, "f").await, "new");
    assert_eq!(files.stat("f").await.unwrap().mode, 0o755);
    assert_eq!(files.readlink("link").await.unwrap(), "f");
    assert_eq!(names(&files, "/home/user").await, ["f", "link"], "no scratch file is left");
}

#[tokio::test]
async fn a_failed_replacement_changes_nothing() {
    let files = with_quota(1_000, 100);
    files.write("f", "kept").await.unwrap();
    let error = files.replace("f", vec![1; 998]).await.unwrap_err();
    assert!(error.to_string().starts_with("cannot replace `/home/user/f`: it does not fit into `filesystem.quota` = 1000 "), "{error}");
    assert_eq!(text(&files, "f").await, "kept");
    assert_eq!(refused(files.create_new("new", vec![1; 1_001]).await), FsError::NoSpace);
    assert_eq!(names(&files, "/home/user").await, ["f"], "neither is a scratch file left");
    assert_eq!(files.usage().bytes, 4);
    // The twin fits beside the old contents.
    files.replace("f", vec![1; 996]).await.unwrap();
    assert_eq!(files.usage().bytes, 996);
}

#[tokio::test]
async fn a_new_file_must_be_new() {
    let files = files();
    files.symlink("nowhere", "dangling").await.unwrap();
    for path in ["/home/user", "dangling"] {
        assert_eq!(refused(files.create_new(path, "").await), FsError::Exists, "{path}");
    }
    files.create_new("f", "1").await.unwrap();
    assert_eq!(refused(files.create_new("f", "2").await), FsError::Exists);
    assert_eq!(text(&files, "f").await, "1");
    // A plain write follows the link and makes the file that it names.
    files.write("dangling", "x").await.unwrap();
    assert_eq!(text(&files, "nowhere").await, "x");
    files.replace("dangling", "y").await.unwrap();
    assert_eq!(text(&files, "nowhere").await, "y");
}

#[tokio::test]
async fn the_number_of_files_is_a_quota_too() {
    let files = with_quota(1_000, 3);
    for name in ["a", "b", "c"] {
        files.write(name, "").await.unwrap();
    }
    let error = message(files.write("d", "").await);
    assert!(error.contains("`filesystem.max_files` = 3"), "{error}");
    files.remove("a").await.unwrap();
    files.write("d", "").await.unwrap();
}

#[tokio::test]
async fn large_files_do_not_fill_the_host() {
    let files = files();
    sparse(&files, "/home/user/huge", i64::MAX as u64);
    assert_eq!(
        message(files.read("huge").await),
        "cannot read `/home/user/huge`: it has more than 268435456 bytes; read a range of it (`read_range`), or read it as a stream \
         (`read_stream`)"
    );
    assert!(matches!(files.read_at_most("huge", u64::MAX).await.unwrap_err().source, FilesReason::TooLarge { .. }));
    assert!(matches!(files.read_at_most("/dev/zero", 1_000_000).await.unwrap_err().source, FilesReason::TooLarge { limit: 1_000_000 }));
    assert_eq!(files.read_range("huge", 1 << 62, 10).await.unwrap(), vec![0; 10]);
    sparse(&files, "/home/user/exact", 5);
    assert_eq!(files.read_at_most("exact", 5).await.unwrap().len(), 5);
    assert!(files.read_at_most("exact", 4).await.is_err());
}

#[tokio::test]
async fn streams_go_in_and_out() {
    let files = files();
    let bytes: Vec<u8> = (0..1_000_003_u32).map(|number| number as u8).collect();
    assert_eq!(files.write_stream("d/f", Cursor::new(bytes.clone())).await.unwrap(), bytes.len() as u64);
    let mut back = Vec::new();
    files.read_stream("d/f").await.unwrap().read_to_end(&mut back).await.unwrap();
    assert_eq!(back, bytes);
    assert_eq!(names(&files, "d").await, ["f"]);

    // A source that fails leaves the old contents, and no scratch file.
    let (mut writer, reader) = tokio::io::duplex(64);
    tokio::io::AsyncWriteExt::write_all(&mut writer, b"half").await.unwrap();
    let failing = reader.chain(Failing);
    drop(writer);
    assert!(matches!(files.write_stream("d/f", failing).await.unwrap_err().source, FilesReason::Io(_)));
    assert_eq!(files.read("d/f").await.unwrap().len(), bytes.len());
    assert_eq!(names(&files, "d").await, ["f"]);
}

struct Failing;

impl tokio::io::AsyncRead for Failing {
    fn poll_read(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
        _: &mut tokio::io::ReadBuf<'_>,
    ) -> std::task::Poll<std::io::Result<()>> {
        std::task::Poll::Ready(Err(std::io::Error::other("as it may")))
    }
}
