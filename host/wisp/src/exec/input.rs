//! A command's standard input.

use std::sync::Arc;

use bytes::Bytes;
use tokio::io::AsyncReadExt;

use crate::exec::command::Input;
use crate::exec::command_run::CommandRun;
use crate::exec::lockstep::Lockstep;
use crate::exec::started::Stdin;
use crate::tasks::Task;
use crate::wasi::{Description, OpenDescription};
use wisp_process::{PipeWriter, pipe};

/// Bytes read from an input stream at a time.
const CHUNK: usize = 64 << 10;

/// What brings a command its standard input: a task, the handle through which a program writes it, or neither.
pub(crate) type Feed = (Option<Task>, Option<Stdin>);

/// Makes the description of a command's standard input, and what feeds it.
pub(crate) fn open_input(input: Input, running: &CommandRun, lockstep: Option<&Arc<Lockstep>>) -> (OpenDescription, Feed) {
    let (reader, writer) = pipe();
    let streams = |writer: &PipeWriter| lockstep.map(|lockstep| lockstep.input(writer.watch()));
    match input {
        Input::Empty => (Description::reader(reader, 0, false), (None, None)),
        Input::Piped => {
            let streams = streams(&writer);
            (Description::reader(reader, 0, false), (None, Some(Stdin::new(writer, streams))))
        }
        Input::Bytes(bytes) => {
            // A reader may leave early, as `head -1` does.
            let pump = async move {
                let _ = writer.write_all(bytes).await;
            };
            (Description::reader(reader, 0, false), (Some(running.tasks().spawn(pump)), None))
        }
        Input::Stream { mut stream, terminal } => {
            let streams = streams(&writer);
            let pump = running.tasks().spawn_apart(async move {
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
            (Description::reader(reader, 0, terminal), (Some(pump), None))
        }
    }
}
