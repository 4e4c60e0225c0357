//! What a client and a helper say to each other: frames, each with a kind and bytes, on a stream socket.
//!
//! `documents` has the documents in them. The helper greets whoever connects (`Hello`). A client that only looks leaves then; others ask
//! one thing (`Ask`) and get one answer. After `Answer::Ready` the client sends the words of its command, and then the command's bytes
//! go both ways. Neither side sends what the other did not ask for: standard input is sent when it is wanted, and the next piece of an
//! output when the client has written the one before. So no frame waits behind bytes that nobody takes, and an interrupt is never late.

use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// Maximum bytes of a frame. The kernel lets the words of a command have a few megabytes.
const MOST: usize = 16 << 20;

/// Bytes of an output or of standard input in one frame.
pub(super) const PIECE: usize = 64 << 10;

/// What a frame is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// From the helper: a `Hello`.
    Hello,
    /// From the client: an `Ask`.
    Ask,
    /// From the client, after `Answer::Ready`: the words of the command, which begins.
    Words,
    /// From the helper: an `Answer`.
    Answer,
    /// From the helper: a piece of the command's standard output.
    Stdout,
    /// From the helper: a piece of its standard error.
    Stderr,
    /// From the helper: a piece of standard input is wanted.
    Wanted,
    /// From the helper: lines for `--receipts`.
    Receipts,
    /// From the helper: lines for `--events`.
    Events,
    /// From the helper: a `Compiling`.
    Compiling,
    /// From the helper: a part of the `Finished`.
    Part,
    /// From the helper: the command has ended, and this is the last frame.
    End,
    /// From the client: a piece of standard input; empty at its end.
    Input,
    /// From the client: Ctrl-C.
    Interrupt,
    /// From the client: the command ends at once.
    Kill,
    /// From the client: it has written a piece of this output, 0 or 1.
    Taken,
    /// From the client: nobody reads this output any more.
    Closed,
    /// From the client: every process of the command receives the signal of this number.
    Signal,
}

/// Every kind; its place is its number.
const KINDS: [Kind; 18] = [
    Kind::Hello,
    Kind::Ask,
    Kind::Words,
    Kind::Answer,
    Kind::Stdout,
    Kind::Stderr,
    Kind::Wanted,
    Kind::Receipts,
    Kind::Events,
    Kind::Compiling,
    Kind::Part,
    Kind::End,
    Kind::Input,
    Kind::Interrupt,
    Kind::Kill,
    Kind::Taken,
    Kind::Closed,
    Kind::Signal,
];

/// Reads a document of a frame.
pub(super) fn read_document<'b, T: Deserialize<'b>>(bytes: &'b [u8]) -> io::Result<T> {
    serde_json::from_slice(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Writes a frame with a document.
pub(super) fn send_document(stream: &mut impl Write, kind: Kind, document: &impl Serialize) -> io::Result<()> {
    send(stream, kind, &serde_json::to_vec(document)?)
}

/// Writes a frame.
pub(super) fn send(stream: &mut impl Write, kind: Kind, bytes: &[u8]) -> io::Result<()> {
    stream.write_all(&frame(kind, bytes)?)
}

/// Reads a frame.
pub(super) fn receive(stream: &mut impl Read) -> io::Result<(Kind, Vec<u8>)> {
    let mut head = [0; 5];
    stream.read_exact(&mut head)?;
    let (kind, length) = parsed(head)?;
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes)?;
    Ok((kind, bytes))
}

/// Does what [`send_document`] does, in a task.
pub(super) async fn write_document(stream: &mut (impl AsyncWrite + Unpin), kind: Kind, document: &impl Serialize) -> io::Result<()> {
    write(stream, kind, &serde_json::to_vec(document)?).await
}

/// Does what [`send`] does, in a task. If it is dropped before its end, the stream is of no more use.
pub(super) async fn write(stream: &mut (impl AsyncWrite + Unpin), kind: Kind, bytes: &[u8]) -> io::Result<()> {
    stream.write_all(&frame(kind, bytes)?).await
}

/// Does what [`receive`] does, in a task. If it is dropped before its end, the stream is of no more use.
pub(super) async fn read(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<(Kind, Vec<u8>)> {
    let mut head = [0; 5];
    stream.read_exact(&mut head).await?;
    let (kind, length) = parsed(head)?;
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes).await?;
    Ok((kind, bytes))
}

fn frame(kind: Kind, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let length = u32::try_from(bytes.len()).ok().filter(|_| bytes.len() <= MOST);
    let length =
        length.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, format!("more than {} MiB in one message", MOST >> 20)))?;
    let number = KINDS.iter().position(|known| *known == kind).unwrap_or_default();
    let mut frame = Vec::with_capacity(5 + bytes.len());
    frame.push(u8::try_from(number).unwrap_or_default());
    frame.extend_from_slice(&length.to_le_bytes());
    frame.extend_from_slice(bytes);
    Ok(frame)
}

fn parsed([kind, length @ ..]: [u8; 5]) -> io::Result<(Kind, usize)> {
    let strange = || io::Error::new(io::ErrorKind::InvalidData, "this is no message of wisp");
    let kind = KINDS.get(usize::from(kind)).copied().ok_or_else(strange)?;
    let length = usize::try_from(u32::from_le_bytes(length)).ok().filter(|length| *length <= MOST).ok_or_else(strange)?;
    Ok((kind, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_comes_back_with_its_bytes() {
        for (number, kind) in KINDS.into_iter().enumerate() {
            let bytes = vec![7; number * 1_000];
            let mut sent = Vec::new();
            send(&mut sent, kind, &bytes).unwrap();
            assert_eq!(receive(&mut sent.as_slice()).unwrap(), (kind, bytes));
        }
    }

    #[test]
    fn what_is_no_frame_is_refused_before_memory_is_taken() {
        for (bytes, why) in [
            (vec![0, 255, 255, 255, 255], "more than a frame has"),
            (vec![u8::try_from(KINDS.len()).unwrap(), 0, 0, 0, 0], "no kind has this number"),
            (vec![0, 9, 0, 0, 0, b'x'], "cut off"),
            (vec![0, 1], "cut off in its head"),
        ] {
            assert!(receive(&mut bytes.as_slice()).is_err(), "{why}");
        }
        assert!(send(&mut Vec::new(), Kind::Words, &vec![0; MOST + 1]).is_err());
        assert!(send(&mut Vec::new(), Kind::Words, &vec![0; MOST]).is_ok());
    }
}
