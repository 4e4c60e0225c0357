//! Layers: what a program sees of one, how it joins the files that are there, and blocks that are damaged.

use super::*;

/// A layer with these files; a path that ends in `/` is a directory, `a -> b` a link.
fn block(paths: &[(&str, &'static str)]) -> Vec<u8> {
    let mut layer = LayerBuilder::default();
    for (path, text) in paths {
        match (path.strip_suffix('/'), path.split_once(" -> ")) {
            (Some(path), _) => layer.directory(path, 0o775).unwrap(),
            (_, Some((path, target))) => layer.symlink(path, target).unwrap(),
            _ => layer.file(path, Bytes::from_static(text.as_bytes()), 0o644).unwrap(),
        }
    }
    layer.finish().unwrap()
}

fn layer(paths: &[(&str, &'static str)]) -> Layer {
    Layer::open(block(paths).into()).unwrap()
}

const FILES: &[(&str, &str)] =
    &[("/lib/b/one", "1"), ("/lib/b/two", "2"), ("/lib/c", "3"), ("/lib/b/deep/er/", ""), ("/lib/a -> b/two", ""), ("/top", "t")];

#[test]
fn a_program_sees_the_files_of_a_layer() {
    let (fs, root) = fresh();
    let before = fs.usage();
    fs.add_layer(&layer(FILES)).unwrap();
    assert_eq!(list(&fs, "/lib"), ["a", "b", "c"]);
    assert_eq!(list(&fs, "/lib/b"), ["deep", "one", "two"]);
    assert_eq!((get(&fs, "/lib/a").unwrap(), get(&fs, "/lib/b/deep/../one").unwrap()), (b"2".to_vec(), b"1".to_vec()));
    let stat = |path: &str| fs.open(&root, path, READ).unwrap().stat().unwrap();
    assert_eq!((stat("/lib/b").nlink, stat("/lib/b/deep").nlink, stat("/lib/b/deep/er").mode, stat("/top").nlink), (3, 3, 0o775, 1));
    assert_eq!(fs.open(&root, "/lib/b/one", WRITE).err(), Some(FsError::Access), "files of a layer are root's");
    assert_eq!(fs.unlink(&root, "/lib/b/one"), Err(FsError::Access));
    assert_eq!(fs.usage().bytes, before.bytes, "a layer costs no quota");
    assert_eq!(fs.usage().files, before.files);
    assert_ne!(stat("/lib/b/one").ino, stat("/lib/b/two").ino);
}

#[test]
fn a_layer_joins_the_directories_that_are_there() {
    let (fs, root) = fresh();
    fs.add_base("/lib/mine", BaseEntry::File { data: "m".into(), mode: 0o604 }).unwrap();
    fs.add_base("/top", BaseEntry::File { data: "old".into(), mode: 0o604 }).unwrap();
    fs.add_layer(&layer(FILES)).unwrap();
    fs.add_layer(&layer(&[("/lib/b/three", "4"), ("/lib/b/two", "new"), ("/lib/d/", "")])).unwrap();
    assert_eq!(list(&fs, "/lib"), ["a", "b", "c", "d", "mine"]);
    assert_eq!(list(&fs, "/lib/b"), ["deep", "one", "three", "two"]);
    assert_eq!((get(&fs, "/lib/b/two").unwrap(), get(&fs, "/top").unwrap()), (b"new".to_vec(), b"t".to_vec()));
    let stat = |path: &str| fs.open(&root, path, READ).unwrap().stat().unwrap();
    assert_eq!((stat("/lib").nlink, stat("/lib/..").ino), (4, root.stat().unwrap().ino));
    assert_eq!(stat("/lib/b/..").ino, stat("/lib").ino);
    assert_eq!(stat("/lib/b/deep/..").ino, stat("/lib/b").ino);

    assert_eq!(fs.add_layer(&layer(&[("/top/below", "")])), Err(FsError::NotDirectory));
    assert_eq!(fs.add_layer(&layer(&[("/lib", "")])), Err(FsError::IsDirectory));
}

#[test]
fn a_change_of_the_base_does_not_reach_other_filesystems() {
    let (fs, root) = fresh();
    let layer = layer(FILES);
    fs.add_layer(&layer).unwrap();
    let fork = fs.fork();
    let open = fs.open(&root, "/lib/b/one", READ).unwrap();
    fs.add_base("/lib/b/one", BaseEntry::File { data: "other".into(), mode: 0o604 }).unwrap();
    assert_eq!((get(&fs, "/lib/b/one").unwrap(), get(&fork, "/lib/b/one").unwrap()), (b"other".to_vec(), b"1".to_vec()));
    assert_eq!(all(&open), b"1", "an open file stays as it was");
    assert_eq!(open.stat().unwrap().nlink, 0);
    let kept = fs.snapshot();
    drop(open);
    fs.restore(&kept);
    assert_eq!(list(&fs, "/lib/b"), ["deep", "one", "two"]);
    let other = with_quota(1 << 30, 200).0;
    other.add_layer(&layer).unwrap();
    assert_eq!(get(&other, "/lib/b/one").unwrap(), b"1");
}

#[test]
fn an_archive_over_a_layer_holds_only_what_was_changed() {
    let (fs, root) = fresh();
    fs.add_layer(&layer(FILES)).unwrap();
    let base = fs.snapshot();
    put(&fs, "/mine", b"text");
    let mut bytes = Vec::new();
    fs.snapshot().export(&base, &mut bytes).unwrap();
    assert!(bytes.len() < 600, "{}", bytes.len());
    let again = Snapshot::import(&base, Quota { max_bytes: 1 << 20, max_files: 100 }, &mut &bytes[..]).unwrap().to_fs(&fs);
    assert_eq!((get(&again, "/mine").unwrap(), get(&again, "/lib/b/one").unwrap()), (b"text".to_vec(), b"1".to_vec()));
    assert_eq!(again.digest(&again.root(), "/").unwrap(), fs.digest(&root, "/").unwrap());
    let (other, _) = fresh();
    other.add_layer(&layer(&FILES[1..])).unwrap();
    let quota = Quota { max_bytes: 1 << 20, max_files: 100 };
    assert!(matches!(Snapshot::import(&other.snapshot(), quota, &mut &bytes[..]), Err(ArchiveError::OtherBase)));
}

#[test]
fn a_builder_takes_files_in_any_order_and_refuses_what_contradicts() {
    let mut layer = LayerBuilder::default();
    let mut file = |path: &str, text: &'static str| layer.file(path, text.into(), 0o644);
    for (path, text) in [("/a/b/one", "1"), ("/a/c", "3"), ("/a//b/four", "5"), ("/a/b/one", "6")] {
        file(path, text).unwrap();
    }
    assert_eq!(file("/a/b", "x"), Err(FsError::IsDirectory));
    assert_eq!(file("/", "x"), Err(FsError::IsDirectory));
    assert_eq!(file("/a/b/../e", "x"), Err(FsError::Invalid));
    assert_eq!(file("relative", "x"), Err(FsError::Invalid));
    assert_eq!(file("/a/c/e", "x"), Err(FsError::NotDirectory));
    assert_eq!(file(&format!("/{}", "n".repeat(256)), "x"), Err(FsError::NameTooLong));
    assert_eq!(layer.directory("/a/c", 0o755), Err(FsError::NotDirectory));
    layer.directory("/a/b", 0o705).unwrap();
    layer.directory("/", 0o711).unwrap();
    let (fs, root) = fresh();
    fs.add_layer(&Layer::open(layer.finish().unwrap().into()).unwrap()).unwrap();
    assert_eq!((list(&fs, "/a/b"), get(&fs, "/a/b/one").unwrap()), (vec!["four".to_owned(), "one".to_owned()], b"6".to_vec()));
    assert_eq!(fs.open(&root, "/a", READ).unwrap().stat().unwrap().mode, 0o755);
    let reversed: Vec<_> = FILES.iter().rev().copied().collect();
    assert_eq!(block(FILES), block(&reversed), "equal files give equal bytes");
}

/// Whatever is done to a block, it is refused or is a tree of files whose every walk ends.
#[test]
fn a_damaged_block_is_refused_or_harmless() {
    let good = block(FILES);
    assert!((0..good.len() - 3).all(|len| Layer::open(good[..len].to_vec().into()).is_err()), "a block that is cut off");
    let index = good.len() - "123t".len() - "b/two".len();
    let mut refused = 0;
    for at in 0..index {
        for value in [0, 1, 2, 7, 0x2f, 0x7f, 0x80, 0xff] {
            let mut bad = good.clone();
            bad[at] = value;
            let Ok(layer) = Layer::open(bad.into()) else {
                refused += 1;
                continue;
            };
            let (fs, root) = fresh();
            fs.add_layer(&layer).unwrap();
            fs.digest(&root, "/").unwrap();
        }
    }
    assert!(refused > index * 3, "{refused} of {}", index * 8);
}
