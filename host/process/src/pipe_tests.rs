use super::*;

#[tokio::test]
async fn bytes_arrive_in_order_whatever_their_size() {
    let (reader, writer) = pipe();
    let sent: Vec<u8> = (0..300_000u32).map(|i| (i % 251) as u8).collect();
    let copy = sent.clone();
    let task = tokio::spawn(async move {
        let mut rest = Bytes::from(copy);
        for size in (1..).map(|n| (n * 37) % 5000 + 1) {
            if rest.is_empty() {
                break;
            }
            let part = rest.split_to(size.min(rest.len()));
            writer.write_all(part).await.unwrap();
        }
    });
    let mut got = Vec::new();
    loop {
        let bytes = reader.read(777).await;
        if bytes.is_empty() {
            break;
        }
        assert!(bytes.len() <= 777);
        got.extend_from_slice(&bytes);
    }
    task.await.unwrap();
    assert!(got == sent);
}

#[tokio::test]
async fn a_full_pipe_takes_no_more_until_read() {
    let (reader, writer) = pipe();
    let mut bytes = Bytes::from(vec![7; PIPE_CAPACITY + 10]);
    assert_eq!(writer.try_write(&mut bytes), Ok(PIPE_CAPACITY));
    assert_eq!(writer.try_write(&mut bytes), Ok(0));
    assert_eq!(reader.try_read(100).unwrap().len(), 100);
    assert_eq!(writer.try_write(&mut bytes), Ok(10));
}

#[tokio::test]
async fn a_short_write_stays_together() {
    let (reader, writer) = pipe();
    writer.write_all(Bytes::from(vec![b'.'; PIPE_CAPACITY - 10])).await.unwrap();
    let task = tokio::spawn(async move { writer.write_all(Bytes::from(vec![b'x'; 20])).await });
    tokio::task::yield_now().await;
    assert_eq!(reader.try_read(9).unwrap().len(), 9);
    tokio::task::yield_now().await;
    // There is room for a part of it, not for all.
    assert!(!task.is_finished() && reader.0.lock().buffer.iter().all(|byte| *byte == b'.'));
    assert!(reader.try_read(1).is_some());
    assert_eq!(task.await.unwrap(), Ok(()));
    assert_eq!(reader.try_read(PIPE_CAPACITY).unwrap().iter().filter(|byte| **byte == b'x').count(), 20);

    let (reader, writer) = pipe();
    writer.write_all(Bytes::from(vec![b'.'; PIPE_CAPACITY - 10])).await.unwrap();
    let task = tokio::spawn(async move { writer.write_all(Bytes::from(vec![b'x'; 20])).await });
    tokio::task::yield_now().await;
    drop(reader);
    assert_eq!(task.await.unwrap(), Err(BrokenPipe));
}

#[test]
fn what_a_pipe_holds_does_not_keep_the_writers_buffer() {
    let (reader, writer) = pipe();
    let mut large = Bytes::from(vec![7; 8 << 20]);
    assert_eq!(writer.try_write(&mut large), Ok(PIPE_CAPACITY));
    assert!(large.is_unique(), "the pipe shares the writer's 8 MiB");
    assert_eq!(reader.available(), PIPE_CAPACITY);
    assert_eq!(reader.try_read(usize::MAX).map(|bytes| bytes.len()), Some(PIPE_CAPACITY));
}

#[tokio::test]
async fn dropping_an_end_is_end_of_file_or_a_broken_pipe() {
    let (reader, writer) = pipe();
    writer.write_all(Bytes::from_static(b"last")).await.unwrap();
    drop(writer);
    assert_eq!(reader.read(100).await, "last");
    assert!(reader.read(100).await.is_empty());

    let (reader, writer) = pipe();
    drop(reader);
    assert_eq!(writer.write_all(Bytes::from_static(b"x")).await, Err(BrokenPipe));
}

#[tokio::test]
async fn a_watch_sees_that_the_reader_waits() {
    let (reader, writer) = pipe();
    let watch = writer.watch();
    let task = tokio::spawn(async move { (reader.read(10).await, reader) });
    watch.wanted().await;
    assert!(watch.is_wanted());
    writer.write_all(Bytes::from_static(b"one")).await.unwrap();
    assert!(!watch.is_wanted(), "there is something to read");
    let (one, reader) = task.await.unwrap();
    assert_eq!(one, "one");
    assert!(!watch.is_wanted(), "no read is pending");
    drop(reader);
    watch.wanted().await;
    assert!(!watch.is_wanted(), "the reader is gone, so nothing more is awaited");
}

#[tokio::test]
async fn a_waiting_writer_learns_that_the_reader_left() {
    let (reader, writer) = pipe();
    writer.write_all(Bytes::from(vec![0; PIPE_CAPACITY])).await.unwrap();
    let task = tokio::spawn(async move { writer.write_all(Bytes::from_static(b"more")).await });
    tokio::task::yield_now().await;
    drop(reader);
    assert_eq!(task.await.unwrap(), Err(BrokenPipe));
}
