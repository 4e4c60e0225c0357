//! `wisp:sandbox/terminal`: settings, sizes and job control of terminals, and terminals that guests make.

use std::sync::Arc;

use wasmtime::component::Resource;

use super::bindings::wisp::sandbox::files::ErrorCode;
use super::bindings::wisp::sandbox::process::{Attributes, Command};
use super::bindings::wisp::sandbox::terminal::{Action, Host, Queue, Settings, Size};
use super::files::{answer, description_of, hand_out};
use super::process::{Child, ProcessView, attributes};
use super::{Charge, Description, IoFailure, OpenDescription, OpenFileHandle};
use wisp_process::Foreground;
use wisp_process::tty::{self, Control, Flow, Flushed, Use};
use wisp_vfs::FsError;

type Answer<T> = wasmtime::Result<Result<T, ErrorCode>>;

impl From<tty::Settings> for Settings {
    fn from(settings: tty::Settings) -> Self {
        let tty::Settings { input, output, control, local, characters } = settings;
        Self { input, output, control, local, characters: characters.to_vec() }
    }
}

impl From<tty::Size> for Size {
    fn from(size: tty::Size) -> Self {
        let tty::Size { rows, columns, width, height } = size;
        Self { rows, columns, width, height }
    }
}

impl From<Size> for tty::Size {
    fn from(size: Size) -> Self {
        let Size { rows, columns, width, height } = size;
        Self { rows, columns, width, height }
    }
}

/// Returns the settings that a guest gave.
fn settings(given: Settings) -> Result<tty::Settings, IoFailure> {
    let Settings { input, output, control, local, characters } = given;
    let characters = characters.try_into().map_err(|_| FsError::Invalid)?;
    Ok(tty::Settings { input, output, control, local, characters })
}

fn control(description: &OpenDescription) -> Result<&Control, IoFailure> {
    description.control().ok_or(IoFailure::Fs(FsError::Unsupported))
}

impl ProcessView<'_> {
    /// Asks a terminal for something.
    fn ask<T>(&self, file: &Resource<OpenFileHandle>, what: impl FnOnce(&Control) -> T) -> Answer<T> {
        let description = description_of(self.table, file)?;
        answer(self.process, control(&description).map(what))
    }

    /// Changes a terminal, when job control admits it.
    async fn change(&mut self, file: &Resource<OpenFileHandle>, what: impl FnOnce(&Control) -> Result<(), IoFailure> + Send) -> Answer<()> {
        let description = description_of(self.table, file)?;
        let changed = match description.admitted(self.process, Use::Change).await {
            Ok(()) => control(&description).and_then(what),
            Err(failure) => Err(failure),
        };
        answer(self.process, changed)
    }
}

impl Host for ProcessView<'_> {
    async fn get_settings(&mut self, file: Resource<OpenFileHandle>) -> Answer<Settings> {
        self.ask(&file, |terminal| terminal.settings().into())
    }

    async fn set_settings(&mut self, file: Resource<OpenFileHandle>, given: Settings) -> Answer<()> {
        self.change(&file, |terminal| {
            terminal.set(settings(given)?);
            Ok(())
        })
        .await
    }

    async fn get_size(&mut self, file: Resource<OpenFileHandle>) -> Answer<Size> {
        self.ask(&file, |terminal| terminal.size().into())
    }

    async fn set_size(&mut self, file: Resource<OpenFileHandle>, size: Size) -> Answer<()> {
        self.change(&file, |terminal| {
            terminal.resize(size.into());
            Ok(())
        })
        .await
    }

    async fn drain(&mut self, file: Resource<OpenFileHandle>) -> Answer<()> {
        let description = description_of(self.table, &file)?;
        let admitted = description.admitted(self.process, Use::Change).await;
        let drained = match admitted.and_then(|()| control(&description)) {
            Ok(terminal) => {
                terminal.drained().await;
                Ok(())
            }
            Err(failure) => Err(failure),
        };
        answer(self.process, drained)
    }

    async fn flush(&mut self, file: Resource<OpenFileHandle>, queue: Queue) -> Answer<()> {
        let queue = match queue {
            Queue::Input => Flushed::Input,
            Queue::Output => Flushed::Output,
            Queue::Both => Flushed::Both,
        };
        self.change(&file, |terminal| {
            terminal.flush(queue);
            Ok(())
        })
        .await
    }

    async fn flow(&mut self, file: Resource<OpenFileHandle>, action: Action) -> Answer<()> {
        let flow = match action {
            Action::HoldOutput => Flow::HoldOutput,
            Action::ReleaseOutput => Flow::ReleaseOutput,
            Action::SendStop => Flow::SendStop,
            Action::SendStart => Flow::SendStart,
        };
        self.change(&file, |terminal| {
            terminal.flow(flow);
            Ok(())
        })
        .await
    }

    async fn available(&mut self, file: Resource<OpenFileHandle>) -> Answer<u32> {
        let available = description_of(self.table, &file)?.available();
        answer(self.process, available.map(|count| u32::try_from(count).unwrap_or(u32::MAX)))
    }

    async fn get_foreground(&mut self, file: Resource<OpenFileHandle>) -> Answer<u32> {
        self.ask(&file, |terminal| terminal.foreground().group())
    }

    async fn make(&mut self, size: Size) -> Answer<(Resource<OpenFileHandle>, Resource<OpenFileHandle>)> {
        let Some(charge) = Charge::new(self.memory, tty::TTY_COST).map(Arc::new) else {
            return Ok(Err(ErrorCode::InsufficientMemory));
        };
        let number = self.processes.pipe_number();
        let (keyboard, programs) = tty::pair(self.processes, size.into());
        let keyboard = match hand_out(self.table, self.open_files, Description::keyboard(keyboard, number, charge.clone()))? {
            Ok(keyboard) => keyboard,
            Err(error) => return Ok(Err(error)),
        };
        let programs = Description::tty(programs, self.clock.timeline().clone(), number, Some(charge));
        match hand_out(self.table, self.open_files, programs)? {
            Ok(programs) => Ok(Ok((keyboard, programs))),
            Err(error) => {
                self.table.delete(keyboard)?;
                Ok(Err(error))
            }
        }
    }

    async fn spawn_controlled(&mut self, command: Command, given: Attributes, number: u32) -> Answer<Resource<Child>> {
        let Some(given_as) = command.descriptors.iter().find(|descriptor| descriptor.number == number) else {
            return Ok(Err(ErrorCode::BadDescriptor));
        };
        let description = description_of(self.table, &given_as.file)?;
        let foreground: Foreground = match control(&description) {
            Ok(terminal) => terminal.foreground().clone(),
            Err(failure) => return answer(self.process, Err(failure)),
        };
        if self.processes.running().iter().any(|process| process.is_controlled_by(&foreground)) {
            return Ok(Err(ErrorCode::NotPermitted));
        }
        let mut attributes = attributes(&given);
        attributes.terminal = Some(foreground);
        self.start(command, attributes).await
    }
}
