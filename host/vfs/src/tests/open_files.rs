//! Open-file descriptions.

use super::*;

#[test]
fn clones_share_the_offset() {
    let (fs, _) = fresh();
    let one = OpenFile::new(put(&fs, "/f", b"line one\nline two\n"), false);
    let two = one.clone();
    assert_eq!(one.read(5).unwrap(), "line ");
    assert_eq!(two.read(4).unwrap(), "one\n");
    assert_eq!((one.offset(), two.seek(Whence::Current, -4)), (9, Ok(5)));
    assert_eq!(one.write(b"ONE"), Ok(3));
    assert_eq!(two.offset(), 8);
    assert_eq!(all(one.node()), b"line ONE\nline two\n");
}

#[test]
fn append_goes_to_the_end_and_takes_the_offset_along() {
    let (fs, root) = fresh();
    put(&fs, "/f", b"start ");
    let log = OpenFile::new(fs.open(&root, "/f", WRITE).unwrap(), true);
    let other = OpenFile::new(fs.open(&root, "/f", WRITE).unwrap(), true);
    log.write(b"a").unwrap();
    other.write(b"b").unwrap();
    assert_eq!((log.write(b"c"), log.offset()), (Ok(1), 9));
    assert_eq!(get(&fs, "/f").unwrap(), b"start abc");
    log.seek(Whence::Start, 0).unwrap();
    log.write(b"d").unwrap();
    log.set_append(false);
    log.seek(Whence::Start, 0).unwrap();
    log.write(b"S").unwrap();
    assert_eq!(get(&fs, "/f").unwrap(), b"Start abcd");
}

#[test]
fn append_writes_what_fits() {
    let (fs, root) = with_quota(10, 2);
    let log = OpenFile::new(fs.open(&root, "/f", CREATE).unwrap(), true);
    assert_eq!(log.write(&[1; 7]), Ok(7));
    assert_eq!(log.write(&[2; 7]), Ok(3));
    assert_eq!(log.write(&[3; 7]), Err(FsError::NoSpace));
    assert_eq!(log.offset(), 10);
}

#[test]
fn seeking() {
    let (fs, root) = fresh();
    let file = OpenFile::new(put(&fs, "/f", b"0123456789"), false);
    assert_eq!(file.seek(Whence::End, -3), Ok(7));
    assert_eq!(file.read(10).unwrap(), "789");
    assert_eq!(file.seek(Whence::Start, -1), Err(FsError::Invalid));
    assert_eq!(file.seek(Whence::End, i64::MAX), Err(FsError::Invalid));
    assert_eq!(file.seek(Whence::Current, i64::MIN), Err(FsError::Invalid));
    assert_eq!(file.offset(), 10);
    assert_eq!(file.seek(Whence::Start, i64::MAX), Ok(i64::MAX as u64));
    assert_eq!(file.read(1).unwrap().len(), 0);
    assert_eq!(file.write(b"x"), Err(FsError::FileTooLarge));
    assert_eq!(file.seek(Whence::Start, 1000), Ok(1000));
    file.write(b"x").unwrap();
    assert_eq!(file.node().stat().unwrap().size, 1001);
    fs.add_base("/null", BaseEntry::Device(Device::Null)).unwrap();
    fs.add_base("/tty", BaseEntry::Device(Device::Tty)).unwrap();
    assert_eq!(OpenFile::new(fs.open(&root, "/null", READ).unwrap(), false).seek(Whence::End, 5), Ok(0));
    assert_eq!(OpenFile::new(fs.open(&root, "/tty", READ).unwrap(), false).seek(Whence::End, 5), Err(FsError::IllegalSeek));
}

#[test]
fn two_threads_never_use_one_offset_twice() {
    let (fs, _) = fresh();
    let file = OpenFile::new(put(&fs, "/f", b""), false);
    std::thread::scope(|scope| {
        for byte in 0..4 {
            let file = file.clone();
            scope.spawn(move || {
                for _ in 0..500 {
                    assert_eq!(file.write(&[byte; 10]), Ok(10));
                }
            });
        }
    });
    let bytes = all(file.node());
    assert_eq!(bytes.len(), 4 * 500 * 10);
    assert!(bytes.chunks(10).all(|chunk| chunk.iter().all(|byte| *byte == chunk[0])));
}
