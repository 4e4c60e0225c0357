//! What `is_known_empty` says: `true` only of a directory in memory that has no names.

use super::*;

const OUTPUT: &str = "/output";

fn with_output() -> (Fs, Node) {
    let (fs, root) = fresh();
    base_dir(&fs, OUTPUT, 0o755, true);
    assert!(fs.is_known_empty(OUTPUT));
    (fs, root)
}

/// Makes something in a directory.
type Make = fn(&Fs, &Node) -> Result<(), FsError>;

#[test]
fn every_kind_of_name_counts_until_it_is_removed() {
    let makes: [Make; 5] = [
        |fs, _| {
            put(fs, "/output/x", b"");
            Ok(())
        },
        |fs, root| fs.symlink(root, "/output/x", "nowhere"),
        |fs, root| fs.mkfifo(root, "/output/x", 0o644),
        |fs, root| fs.mksocket(root, "/output/x", 0o644),
        |fs, root| {
            put(fs, "/elsewhere", b"data");
            fs.link(root, "/elsewhere", false, root, "/output/x")
        },
    ];
    for make in makes {
        let (fs, root) = with_output();
        make(&fs, &root).unwrap();
        assert!(!fs.is_known_empty(OUTPUT), "{:?}", list(&fs, OUTPUT));
        fs.unlink(&root, "/output/x").unwrap();
        assert!(fs.is_known_empty(OUTPUT));
    }
    let (fs, root) = with_output();
    fs.mkdir(&root, "/output/x", 0o755).unwrap();
    assert!(!fs.is_known_empty(OUTPUT));
    assert!(fs.is_known_empty("/output/x"));
    fs.rmdir(&root, "/output/x").unwrap();
    assert!(fs.is_known_empty(OUTPUT));
}

#[test]
fn what_is_moved_in_or_out_counts() {
    let (fs, root) = with_output();
    fs.mkdir(&root, "/d", 0o755).unwrap();
    put(&fs, "/d/f", b"data");
    fs.rename(&root, "/d/f", &root, "/output/f").unwrap();
    assert!(!fs.is_known_empty(OUTPUT) && fs.is_known_empty("/d"));
    fs.rename(&root, "/output/f", &root, "/d/f").unwrap();
    assert!(fs.is_known_empty(OUTPUT) && !fs.is_known_empty("/d"));
    // Another directory takes its name, with what is in it.
    fs.rename(&root, "/d", &root, OUTPUT).unwrap();
    assert!(!fs.is_known_empty(OUTPUT));
    // And goes.
    fs.rename(&root, OUTPUT, &root, "/d").unwrap();
    assert!(!fs.is_known_empty(OUTPUT), "it does not exist");
    fs.mkdir(&root, OUTPUT, 0o755).unwrap();
    assert!(fs.is_known_empty(OUTPUT));
}

#[test]
fn a_file_made_through_an_open_directory_counts() {
    let (fs, _) = with_output();
    let output = fs.open(&fs.root(), OUTPUT, OpenHow { directory: true, ..READ }).unwrap();
    drop(fs.open(&output, "f", CREATE).unwrap());
    assert!(!fs.is_known_empty(OUTPUT));
    fs.unlink(&output, "f").unwrap();
    assert!(fs.is_known_empty(OUTPUT));
}

#[test]
fn it_follows_no_link_and_asks_no_more_than_the_user_may() {
    let (fs, root) = with_output();
    fs.mkdir(&root, "/real", 0o755).unwrap();
    fs.symlink(&root, "/link", "/real").unwrap();
    put(&fs, "/file", b"");
    assert!(fs.is_known_empty("/real"));
    for unknown in ["/link", "/link/", "/file", "/nothing", "/real/nothing", "/output/..", "/output/.", "output", ""] {
        assert!(!fs.is_known_empty(unknown), "{unknown}");
    }
    assert!(fs.is_known_empty("//output/"));
    let output = fs.open(&root, OUTPUT, OpenHow { directory: true, ..READ }).unwrap();
    for (mode, known) in [(0o000, false), (0o300, false), (0o400, true)] {
        output.set_mode(mode).unwrap();
        assert_eq!(fs.is_known_empty(OUTPUT), known, "{mode:o}");
    }
    fs.mkdir(&root, "/closed", 0o755).unwrap();
    fs.mkdir(&root, "/closed/inner", 0o755).unwrap();
    assert!(fs.is_known_empty("/closed/inner"));
    fs.open(&root, "/closed", OpenHow { directory: true, ..READ }).unwrap().set_mode(0o600).unwrap();
    assert!(!fs.is_known_empty("/closed/inner"));
}

#[test]
fn snapshots_and_forks_have_their_own() {
    let (fs, _) = with_output();
    let before = fs.snapshot();
    put(&fs, "/output/f", b"data");
    let fork = fs.fork();
    assert!(!fs.is_known_empty(OUTPUT) && !fork.is_known_empty(OUTPUT) && before.to_fs(&fs).is_known_empty(OUTPUT));
    let after = fs.snapshot();
    fs.restore(&before);
    assert!(fs.is_known_empty(OUTPUT) && !fork.is_known_empty(OUTPUT));
    fs.restore(&after);
    assert!(!fs.is_known_empty(OUTPUT));
}
