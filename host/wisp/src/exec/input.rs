//! A command's standard input.

use std::sync::Arc;

use bytes::Bytes;
use tokio::io::AsyncReadExt;

use crate::exec::command::Input;
use crate::exec::lockstep::Lockstep;
use crate::wasi::{Description, OpenDescription};
use wisp_process::pipe;

/// Bytes read from an input stream at a time.
const CHUNK: usize = 64 << 10;

/// Makes the description of a command's standard input, and the task that feeds it.
pub(crate) fn open_input(input: Input, lockstep: Option<&Arc<Lockstep>>) -> (OpenDescription, Option<tokio::task::JoinHandle<()>>) {
    let (reader, writer) = pipe();
    match input {
        Input::Empty | Input::Piped | Input::Terminal(_) => (Description::reader(reader, 0, false), None),
        Input::Bytes(bytes) => {
            // A reader may leave early, as `head -1` does.
            let pump = async move {
                let _ = writer.write_all(bytes).await;
            };
            let pump = match lockstep {
                // The task ends when its reader does.
                Some(lockstep) => {
                    lockstep.spawn(pump);
                    None
                }
                None => Some(tokio::spawn(pump)),
            };
            (Description::reader(reader, 0, false), pump)
        }
        Input::Stream { mut stream, terminal } => {
            let streams = lockstep.map(|lockstep| lockstep.input(writer.watch()));
            let pump = tokio::spawn(async move {
                let _streams = streams;
                let mut buffer = vec![0; CHUNK];
                loop {
                    let read = tokio::select! {
                        read = stream.read(&mut buffer) => read,
                        () = writer.broken() => return,
                    };
                    match read {
                        Ok(count) if count > 0 => {
                            if writer.write_all(Bytes::copy_from_slice(&buffer[..count])).await.is_err() {
                                return;
                            }
                        }
                        _ => return,
                    }
                }
            });
            (Description::reader(reader, 0, terminal), Some(pump))
        }
    }
}
