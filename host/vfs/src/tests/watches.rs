//! What a guest can make of a watch: events without end for one write, walks over all names.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use super::*;

/// What is waiting, in words.
fn waiting(watch: &mut Watch) -> Vec<String> {
    let words = |change: Change| match change.kind {
        Changed::Written { path } => path,
        other => format!("{} {other:?}", change.number),
    };
    std::iter::from_fn(|| watch.try_next()).map(words).collect()
}

#[test]
fn a_write_to_a_file_with_very_many_names_is_one_event() {
    let (fs, root) = fresh();
    let folder = format!("/{}", vec!["d".repeat(250); 15].join("/"));
    for (end, _) in folder.match_indices('/').skip(1).chain([(folder.len(), "")]) {
        fs.mkdir(&root, &folder[..end], 0o755).unwrap();
    }
    let file = put(&fs, "/file", "");
    let inside = fs.open(&root, &folder, OpenHow { directory: true, ..READ }).unwrap();
    let link = |number: usize| fs.link(&root, "/file", false, &inside, &number.to_string()).unwrap();
    (0..64_999).for_each(link);
    let mut watch = fs.watch(16);
    file.write_at(0, b"x").unwrap();
    assert_eq!(waiting(&mut watch), ["1 Lost { count: 1 }"]);
    file.set_mode(0o600).unwrap();
    assert_eq!(waiting(&mut watch), ["2 Lost { count: 1 }"]);
}

#[test]
fn a_write_to_a_file_with_few_names_is_an_event_for_each() {
    let (fs, root) = fresh();
    let file = put(&fs, "/0", "");
    let link = |number: usize| fs.link(&root, "/0", false, &root, &format!("/{number}")).unwrap();
    let mut watch = fs.watch(100);
    (1..3).for_each(link);
    file.write_at(0, b"x").unwrap();
    assert_eq!(waiting(&mut watch).split_off(2), ["/0", "/1", "/2"]);
    // At the limit, over it, and at it again.
    (3..64).for_each(link);
    waiting(&mut watch);
    file.write_at(0, b"x").unwrap();
    assert_eq!(waiting(&mut watch), (0..64).map(|number| format!("/{number}")).collect::<Vec<_>>());
    link(64);
    file.write_at(0, b"x").unwrap();
    assert!(waiting(&mut watch)[1].ends_with(" Lost { count: 1 }"));
    fs.unlink(&root, "/64").unwrap();
    file.write_at(0, b"x").unwrap();
    assert_eq!(waiting(&mut watch).len(), 1 + 64);
}

#[derive(Default)]
struct Wakes(AtomicUsize);

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// Loses changes and polls for the event. Returns how many polls it takes; each but the last has woken the task.
fn polls_after_a_loss(fs: &Fs, watch: &mut Watch) -> usize {
    let root = fs.root();
    for name in ["/one", "/two", "/three"] {
        fs.mkdir(&root, name, 0o755).unwrap();
    }
    let wakes = Arc::new(Wakes::default());
    let waker = Waker::from(wakes.clone());
    let mut cx = Context::from_waker(&waker);
    assert_eq!(watch.poll_next(&mut cx).map(|change| change.number), Poll::Ready(1));
    for polls in 1.. {
        assert_eq!(wakes.0.load(Ordering::Relaxed), polls - 1);
        if let Poll::Ready(change) = watch.poll_next(&mut cx) {
            assert_eq!(change, Change { number: 3, kind: Changed::Lost { count: 2 } });
            assert!(watch.poll_next(&mut cx).is_pending());
            return polls;
        }
    }
    unreachable!("it ends");
}

#[test]
fn a_poll_after_a_loss_reads_only_so_many_names() {
    let (fs, root) = fresh();
    // Directories with more entries than a poll reads, and more directories than it reads.
    for folder in ["/a", "/a/b", "/c"] {
        fs.mkdir(&root, folder, 0o755).unwrap();
        for number in 0..10_000 {
            put(&fs, &format!("{folder}/{number}"), "");
        }
    }
    for number in 0..10_000 {
        fs.mkdir(&root, &format!("/c/d{number}"), 0o755).unwrap();
    }
    let mut watch = fs.watch(1);
    let polls = polls_after_a_loss(&fs, &mut watch);
    assert!((12..=14).contains(&polls), "50,000 entries and directories in {polls} polls");
    // It knows every name.
    for path in ["/a/0", "/a/9999", "/a/b/4095", "/a/b/4096", "/c/5000", "/three"] {
        fs.set_mode(&root, path, true, 0o700).unwrap();
        assert_eq!(watch.try_next().map(|change| change.kind), Some(Changed::Attributes { path: path.to_owned() }));
    }
    // Losses that come while it reads are reported after it.
    fs.mkdir(&root, "/four", 0o755).unwrap();
    fs.mkdir(&root, "/five", 0o755).unwrap();
    let mut cx = Context::from_waker(Waker::noop());
    assert!(watch.poll_next(&mut cx).is_ready() && watch.poll_next(&mut cx).is_pending());
    fs.mkdir(&root, "/four/six", 0o755).unwrap();
    fs.mkdir(&root, "/four/seven", 0o755).unwrap();
    let told: Vec<_> = std::iter::from_fn(|| watch.try_next()).map(|change| change.kind).collect();
    let six = Changed::Created { path: "/four/six".to_owned() };
    assert_eq!(told, [Changed::Lost { count: 1 }, six, Changed::Lost { count: 1 }]);
}

#[test]
fn few_names_are_read_in_one_poll() {
    let (fs, _) = fresh();
    put(&fs, "/file", "");
    let mut watch = fs.watch(1);
    assert_eq!(polls_after_a_loss(&fs, &mut watch), 1);
}
