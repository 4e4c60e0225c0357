//! Commands with handles: their start beside a plain run, and a long stream beside the machine's `cat`.

use std::process::Stdio;
use std::time::Instant;

use wisp::{Command, Output};

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
    Ok(())
}

/// `true` through a handle, beside `true` without one.
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

/// A file of 100 MiB that `cat` writes, taken by a function as it arrives.
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
            return Err(format!("{taken} bytes arrived, {:?}", outcome.status).into());
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
