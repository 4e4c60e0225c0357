//! The quota: what is charged, what is refused, and that everything is given back.

use super::*;

#[test]
fn bytes_end_with_a_short_write_and_then_no_space() {
    let (fs, root) = with_quota(100, 10);
    let node = put(&fs, "/f", [1; 60]);
    assert_eq!(node.write_at(60, &[2; 60]), Ok(40));
    assert_eq!(node.write_at(100, &[3; 1]), Err(FsError::NoSpace));
    assert_eq!(node.append(&[3; 1]), Err(FsError::NoSpace));
    // Existing bytes may be overwritten.
    assert_eq!(node.write_at(0, &[4; 100]), Ok(100));
    assert_eq!(fs.usage(), FilesUsage { bytes: 100, max_bytes: 100, files: 1, max_files: 10 });
    node.set_len(10).unwrap();
    assert_eq!(node.append(&[5; 91]), Err(FsError::NoSpace));
    assert_eq!(node.append(&[5; 90]), Ok(100));
    assert_eq!(fs.symlink(&root, "/l", "x"), Err(FsError::NoSpace));
    node.set_len(0).unwrap();
    assert_eq!(fs.symlink(&root, "/l", "x"), Ok(()));
}

#[test]
fn a_write_over_several_chunks_is_cut_where_the_quota_ends() {
    for quota in [0, 1, 65_535, 65_536, 65_537, 150_000, 196_608] {
        let (fs, _) = with_quota(quota, 10);
        let node = fs.open(&fs.root(), "/f", CREATE).unwrap();
        let data: Vec<u8> = (0..300_000).map(|index| index as u8).collect();
        let written = node.write_at(0, &data).unwrap_or(0);
        assert_eq!((written as u64, fs.usage().bytes), (quota, quota));
        assert_eq!(all(&node), &data[..written]);
    }
}

#[test]
fn files_are_counted_and_given_back() {
    let (fs, root) = with_quota(1000, 3);
    fs.mkdir(&root, "/d", 0o755).unwrap();
    put(&fs, "/d/f", b"x");
    fs.symlink(&root, "/l", "d").unwrap();
    assert_eq!(fs.open(&root, "/g", CREATE).err(), Some(FsError::NoSpace));
    assert_eq!(fs.mkdir(&root, "/e", 0o755), Err(FsError::NoSpace));
    assert_eq!(fs.link(&root, "/d/f", false, &root, "/g"), Err(FsError::NoSpace));
    assert_eq!(fs.anonymous().err(), Some(FsError::NoSpace));
    assert_eq!(list(&fs, "/"), ["d", "l"]);
    fs.unlink(&root, "/l").unwrap();
    fs.link(&root, "/d/f", false, &root, "/g").unwrap();
    fs.unlink(&root, "/d/f").unwrap();
    assert_eq!((fs.usage().files, fs.usage().bytes), (2, 1));
    fs.rename(&root, "/g", &root, "/d/g").unwrap();
    fs.unlink(&root, "/d/g").unwrap();
    fs.rmdir(&root, "/d").unwrap();
    assert_eq!((fs.usage().files, fs.usage().bytes), (0, 0));
}

#[test]
fn base_files_are_free_until_they_are_written() {
    let (fs, root) = with_quota(10, 1);
    base_file(&fs, "/big", "0123456789abcdef", 0o666);
    base_file(&fs, "/small", "0123", 0o666);
    let big = fs.open(&root, "/big", WRITE).unwrap();
    assert_eq!(big.write_at(0, b"x"), Err(FsError::NoSpace));
    assert_eq!(all(&big), b"0123456789abcdef");
    let small = fs.open(&root, "/small", WRITE).unwrap();
    assert_eq!(small.append(b"56789"), Ok(9));
    assert_eq!(fs.usage().bytes, 9);
    drop(small);
    fs.unlink(&root, "/small").unwrap();
    fs.unlink(&root, "/big").unwrap();
    assert_eq!((fs.usage().files, fs.usage().bytes), (0, 0));
}
