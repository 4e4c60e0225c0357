use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;

use super::super::{BrokenPipe, PIPE_CAPACITY};
use super::*;

const FILE: FifoFile = (1, 7);

fn open(fifos: &Arc<Fifos>, side: Side) -> Opening {
    fifos.open(FILE, side, || Some(())).unwrap()
}

/// What one poll returns. Nothing here needs a wake-up that another poll would not find.
fn poll<F: Future>(future: Pin<&mut F>) -> Option<F::Output> {
    match future.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

/// Both ends, opened together.
fn both(fifos: &Arc<Fifos>) -> (FifoEnd, FifoEnd) {
    let mut reader = pin!(open(fifos, Side::Read).joined());
    let mut writer = pin!(open(fifos, Side::Write).joined());
    // The writer is counted since `open`, so the reader need not wait any more.
    (poll(reader.as_mut()).unwrap(), poll(writer.as_mut()).unwrap())
}

fn put(end: &FifoEnd, text: &'static str) -> Result<usize, BrokenPipe> {
    end.writer().unwrap().try_write(&mut Bytes::from_static(text.as_bytes()))
}

fn take(end: &FifoEnd) -> Option<Bytes> {
    end.reader().unwrap().try_read(100)
}

#[test]
fn each_side_waits_for_the_other() {
    let fifos = Arc::new(Fifos::default());
    for (first, second) in [(Side::Read, Side::Write), (Side::Write, Side::Read)] {
        let mut early = pin!(open(&fifos, first).joined());
        assert!(poll(early.as_mut()).is_none());
        // More of the same side do not help.
        let mut same = pin!(open(&fifos, first).joined());
        assert!(poll(same.as_mut()).is_none() && poll(early.as_mut()).is_none());
        let mut late = pin!(open(&fifos, second).joined());
        assert!(poll(late.as_mut()).is_some() && poll(early.as_mut()).is_some() && poll(same.as_mut()).is_some());
    }
    assert_eq!(fifos.count(), 0, "the table forgets what is closed");
}

#[tokio::test]
async fn a_wait_is_woken() {
    let fifos = Arc::new(Fifos::default());
    let waiting = tokio::spawn(open(&fifos, Side::Read).joined());
    tokio::task::yield_now().await;
    let writer = open(&fifos, Side::Write).joined().await;
    let reader = waiting.await.unwrap();
    assert_eq!(put(&writer, "x"), Ok(1));
    assert_eq!(reader.reader().unwrap().read(10).await, "x");
}

#[test]
fn an_end_for_both_waits_for_nothing_and_releases_both() {
    let fifos = Arc::new(Fifos::default());
    let mut reader = pin!(open(&fifos, Side::Read).joined());
    let mut writer = pin!(fifos.open((1, 8), Side::Write, || Some(())).unwrap().joined());
    assert!(poll(reader.as_mut()).is_none() && poll(writer.as_mut()).is_none());
    let both = poll(pin!(open(&fifos, Side::Both).joined())).unwrap();
    let reader = poll(reader.as_mut()).unwrap();
    assert!(poll(writer.as_mut()).is_none(), "another file's pipe");
    assert_eq!(put(&both, "mine"), Ok(4));
    assert_eq!(take(&both).unwrap(), "mine");
    assert_eq!(take(&both), None, "it holds a writing end itself, so there is no end of file");
    drop(both);
    assert_eq!(take(&reader).unwrap(), "");
}

#[test]
fn end_of_file_is_not_the_end_of_the_pipe() {
    let fifos = Arc::new(Fifos::default());
    let (reader, writer) = both(&fifos);
    assert_eq!(put(&writer, "one"), Ok(3));
    drop(writer);
    assert_eq!(take(&reader).unwrap(), "one");
    assert_eq!(take(&reader).unwrap(), "");
    let writer = poll(pin!(open(&fifos, Side::Write).joined())).unwrap();
    assert_eq!(take(&reader), None, "a writer is there again");
    assert_eq!(put(&writer, "two"), Ok(3));
    assert_eq!(take(&reader).unwrap(), "two");
    // The end comes with the last writer.
    let other = poll(pin!(open(&fifos, Side::Write).joined())).unwrap();
    drop(writer);
    assert_eq!(take(&reader), None);
    drop(other);
    assert_eq!(take(&reader).unwrap(), "");
}

#[test]
fn a_pipe_breaks_with_its_last_reader_and_is_mended_by_the_next() {
    let fifos = Arc::new(Fifos::default());
    let (reader, writer) = both(&fifos);
    let other = poll(pin!(open(&fifos, Side::Read).joined())).unwrap();
    drop(reader);
    assert_eq!(put(&writer, "kept"), Ok(4));
    drop(other);
    assert_eq!(put(&writer, "x"), Err(BrokenPipe));
    let reader = poll(pin!(open(&fifos, Side::Read).joined())).unwrap();
    assert_eq!(take(&reader).unwrap(), "kept", "bytes stay while any end is open");
    assert_eq!(put(&writer, "x"), Ok(1));
    drop((reader, writer));
    let (reader, _writer) = both(&fifos);
    assert_eq!(take(&reader), None, "the last end took the unread byte with it");
}

#[test]
fn a_writer_that_came_and_went_releases_the_reader() {
    let fifos = Arc::new(Fifos::default());
    let mut waiting = pin!(open(&fifos, Side::Read).joined());
    assert!(poll(waiting.as_mut()).is_none());
    let writer = poll(pin!(open(&fifos, Side::Write).joined())).unwrap();
    assert_eq!(put(&writer, "last words"), Ok(10));
    drop(writer);
    let reader = poll(waiting.as_mut()).unwrap();
    assert_eq!(take(&reader).unwrap(), "last words");
    assert_eq!(take(&reader).unwrap(), "");
}

/// The other side, which waited, may go on and be gone before this side looks for it the first time.
#[test]
fn an_end_is_joined_by_what_was_open_when_it_was_opened() {
    let fifos = Arc::new(Fifos::default());
    for (waits, opens) in [(Side::Write, Side::Read), (Side::Read, Side::Write)] {
        let mut waiting = pin!(open(&fifos, waits).joined());
        assert!(poll(waiting.as_mut()).is_none());
        let opening = open(&fifos, opens);
        drop(poll(waiting.as_mut()).unwrap());
        assert!(poll(pin!(opening.joined())).is_some(), "{opens:?}");
    }
}

#[test]
fn a_process_killed_while_it_opens_leaves_nothing() {
    let fifos = Arc::new(Fifos::default());
    let opening = open(&fifos, Side::Read);
    assert_eq!(fifos.count(), 1);
    drop(opening);
    assert_eq!(fifos.count(), 0);
    let mut writer = pin!(open(&fifos, Side::Write).joined());
    assert!(poll(writer.as_mut()).is_none());
    let reader = open(&fifos, Side::Read);
    let writer = poll(writer.as_mut()).unwrap();
    drop(reader);
    assert_eq!(put(&writer, "x"), Err(BrokenPipe), "the reader ended after it had let the writer in");
}

#[test]
fn an_end_that_only_writes_does_not_keep_a_reader() {
    let fifos = Arc::new(Fifos::default());
    let end = poll(pin!(open(&fifos, Side::Both).joined())).unwrap();
    let rest = end.write_only();
    assert!(rest.reader().is_none());
    assert_eq!(put(&rest, "rest"), Ok(4));
    assert_eq!(take(&end).unwrap(), "rest");
    drop(end);
    assert_eq!(put(&rest, "x"), Err(BrokenPipe));
}

#[test]
fn the_buffer_is_paid_for_once_and_until_the_last_end_closes() {
    let fifos = Arc::new(Fifos::default());
    let paid = Arc::new(());
    let hold = || Some(paid.clone());
    assert!(fifos.open(FILE, Side::Read, || None::<()>).is_none());
    assert_eq!(fifos.count(), 0);
    let one = poll(pin!(fifos.open(FILE, Side::Both, hold).unwrap().joined())).unwrap();
    let two = poll(pin!(fifos.open(FILE, Side::Both, hold).unwrap().joined())).unwrap();
    assert_eq!(Arc::strong_count(&paid), 2);
    let mut large = Bytes::from(vec![0; 2 * PIPE_CAPACITY]);
    assert_eq!(one.writer().unwrap().try_write(&mut large), Ok(PIPE_CAPACITY));
    drop(one);
    assert_eq!(Arc::strong_count(&paid), 2);
    drop(two);
    assert_eq!((Arc::strong_count(&paid), fifos.count()), (1, 0));
}
