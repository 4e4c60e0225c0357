//! Commands with handles: their start beside a plain run, and a long stream beside the machine's `cat`, through a
//! pipe and through a terminal.

use std::fs::File;
use std::io::Read;
use std::os::fd::{FromRawFd, OwnedFd};
use std::process::Stdio;
use std::time::Instant;

use wisp::{Command, Output, TerminalSize};

use super::table::{Row, Times, ratio, show_ratio};
use super::{Bench, Result};

/// The stream: 100 MiB.
const BIG: usize = 100 << 20;

pub(crate) async fn rows(bench: &mut Bench) -> Result<()> {
    if bench.table.wants("handle start") {
        handle(bench).await?;
    }
    if bench.table.wants("stream 100 MiB") {
        stream(bench).await?;
    }
    if bench.table.wants("stream 100 MiB terminal") {
        terminal(bench).await?;
    }
    Ok(())
}

/// Measures `true` through a handle, beside `true` without one.
async fn handle(bench: &mut Bench) -> Result<()> {
    let (mut started, mut whole, mut plain) = (Times::default(), Times::default(), Times::default());
    for _ in 0..bench.runs(400) {
        let began = Instant::now();
        let running = bench.session.start(Command::new("true")).await?;
        started.push(began.elapsed());
        running.wait().await?;
        whole.push(began.elapsed());
        let began = Instant::now();
        bench.session.run(Command::new("true")).await?;
        plain.push(began.elapsed());
    }
    bench.table.row(&Row { what: "`true` started, until there is a handle".to_owned(), wisp: started.show(), ..Row::default() });
    bench.table.row(&Row {
        what: "`true` started, until its outcome is there".to_owned(),
        wisp: whole.show(),
        beside: "`true` by `Session::run`".to_owned(),
        theirs: plain.show(),
        ratio: show_ratio(ratio(whole.median(), plain.median())),
        ..Row::default()
    });
    Ok(())
}

/// Measures a file of 100 MiB that `cat` writes, taken by a function as it arrives.
async fn stream(bench: &mut Bench) -> Result<()> {
    bench.session.files().write("/tmp/big", vec![b'x'; BIG]).await?;
    let scratch = tempfile::tempdir()?;
    let native = scratch.path().join("big");
    std::fs::write(&native, vec![b'x'; BIG])?;
    let (mut ours, mut theirs) = (Times::default(), Times::default());
    for _ in 0..bench.runs(10).max(2) {
        let began = Instant::now();
        let (sender, receiver) = std::sync::mpsc::channel();
        let count = Output::Callback(Box::new(move |bytes| sender.send(bytes.len()).unwrap_or_default()));
        let outcome = bench.session.run(Command::new("cat").arg("/tmp/big").stdout(count)).await?;
        let taken: usize = receiver.iter().sum();
        if !outcome.success() || taken != BIG {
            return Err(format!("{taken} bytes arrived, {:?}", outcome.end).into());
        }
        ours.push(began.elapsed());
        let began = Instant::now();
        let mut cat = std::process::Command::new("cat").arg(&native).stdout(Stdio::piped()).spawn()?;
        let mut output = cat.stdout.take().ok_or("it has a pipe")?;
        let taken = std::io::copy(&mut output, &mut std::io::sink())?;
        cat.wait()?;
        if taken != BIG as u64 {
            return Err(format!("the machine's cat wrote {taken} bytes").into());
        }
        theirs.push(began.elapsed());
    }
    bench.session.files().remove("/tmp/big").await?;
    bench.table.row(&Row {
        what: "a stream of 100 MiB from `cat` to a function".to_owned(),
        wisp: ours.show(),
        beside: "the machine's cat to a pipe".to_owned(),
        theirs: theirs.show(),
        ratio: show_ratio(ratio(ours.median(), theirs.median())),
        ..Row::default()
    });
    Ok(())
}

/// Does the same in lines of 80 characters, through a terminal, which puts a carriage return before each newline.
async fn terminal(bench: &mut Bench) -> Result<()> {
    let lines = [&[b'x'; 80][..], b"\n"].concat().repeat(BIG.div_ceil(81));
    let expected = lines.len() + lines.len() / 81;
    bench.session.files().write("/tmp/lines", lines.clone()).await?;
    let scratch = tempfile::tempdir()?;
    let native = scratch.path().join("lines");
    std::fs::write(&native, lines)?;
    let (mut ours, mut theirs) = (Times::default(), Times::default());
    for _ in 0..bench.runs(10).max(2) {
        let began = Instant::now();
        let (sender, receiver) = std::sync::mpsc::channel();
        let count = Output::Callback(Box::new(move |bytes| sender.send(bytes.len()).unwrap_or_default()));
        let cat = Command::new("cat").arg("/tmp/lines").terminal(TerminalSize::new(24, 80)).stdout(count);
        let outcome = bench.session.run(cat).await?;
        let taken: usize = receiver.iter().sum();
        if !outcome.success() || taken != expected {
            return Err(format!("{taken} bytes arrived through a terminal, {:?}", outcome.end).into());
        }
        ours.push(began.elapsed());
        let began = Instant::now();
        let (keyboard, screen) = pseudo_terminal()?;
        let mut cat = std::process::Command::new("cat").arg(&native).stdout(Stdio::from(screen)).spawn()?;
        let (mut keyboard, mut buffer, mut taken) = (File::from(keyboard), vec![0; 64 << 10], 0);
        // When the last program has closed the terminal, Linux returns EIO.
        while let Ok(count @ 1..) = keyboard.read(&mut buffer) {
            taken += count;
        }
        cat.wait()?;
        if taken != expected {
            return Err(format!("the machine's cat showed {taken} bytes").into());
        }
        theirs.push(began.elapsed());
    }
    bench.session.files().remove("/tmp/lines").await?;
    bench.table.row(&Row {
        what: "a stream of 100 MiB from `cat` through a terminal".to_owned(),
        wisp: ours.show(),
        beside: "the machine's cat through a pseudo-terminal".to_owned(),
        theirs: theirs.show(),
        ratio: show_ratio(ratio(ours.median(), theirs.median())),
        ..Row::default()
    });
    Ok(())
}

/// Returns the machine's pseudo-terminal: the end that reads the screen, and the end of programs.
fn pseudo_terminal() -> Result<(OwnedFd, OwnedFd)> {
    let (mut keyboard, mut screen) = (0, 0);
    // SAFETY: the call only writes the two numbers.
    let made = unsafe { libc::openpty(&mut keyboard, &mut screen, std::ptr::null_mut(), std::ptr::null(), std::ptr::null()) };
    if made != 0 {
        return Err(std::io::Error::last_os_error().into());
    }
    // SAFETY: both are descriptors that the call has just made, and nothing else has them.
    let (keyboard, screen) = unsafe { (OwnedFd::from_raw_fd(keyboard), OwnedFd::from_raw_fd(screen)) };
    Ok((keyboard, screen))
}
