//! Running code and commands, and reading what they say.

use std::time::Duration;

use rmcp::model::CallToolResult;
use wisp::Stream;
use wisp_api::{CodeRequest, CommandEnd, CommandRequest, End, OutputChunk, OutputRequest};
use wisp_service::{CommandHandle, EvaluationHandle};

use crate::arguments::{ReadOutput, RunPython, RunShell, StreamName};
use crate::call::Call;
use crate::connection::Connection;
use crate::error::CallError;
use crate::report::{self, Asked, Report};
use crate::sessions::Found;
use crate::text::incomplete;

use super::{milliseconds, output as bound};

/// The interpreter of each session.
const PYTHON: &str = "python";

/// The longest wait for output: clients give up after a minute.
const WAIT: Duration = Duration::from_secs(45);

/// Handles `run_python`.
pub(super) async fn python(connection: &Connection, call: &Call, asked: RunPython) -> Result<CallToolResult, CallError> {
    let found = connection.session(asked.session.as_deref()).await?;
    let place = &found.place;
    let _turn = connection.core().turn(call, place).await?;
    // One that has ended stays so until it is reset.
    if place.handle.info()?.interpreters.iter().any(|one| one.name == PYTHON && one.ended) {
        place.handle.reset_interpreter(PYTHON).await?;
    }
    let request = CodeRequest { interpreter: PYTHON.to_owned(), timeout: milliseconds(asked.timeout_ms), ..CodeRequest::new(asked.code) };
    let log = call.log(connection, place);
    let running = place.handle.evaluate(request).await?;
    let evaluation = call.follow(&running, log.as_ref(), connection.core().options.grace).await?;
    let asked = self::asked(connection, format!("e{}", running.id()), asked.max_output, asked.timeout_ms);
    Ok(report::evaluation(&found, &asked, &evaluation))
}

/// Handles `run_shell`.
pub(super) async fn shell(connection: &Connection, call: &Call, asked: RunShell) -> Result<CallToolResult, CallError> {
    let found = connection.session(asked.session.as_deref()).await?;
    let request = CommandRequest {
        working_directory: asked.cwd,
        stdin: asked.stdin.map(Into::into),
        timeout: milliseconds(asked.timeout_ms),
        // Both in one, in order, as a person sees them.
        merge_stderr: true,
        end: CommandEnd::FirstProcess,
        ..CommandRequest::script(asked.command)
    };
    let log = call.log(connection, &found.place);
    let running = found.place.handle.start(request).await?;
    let id = format!("c{}", running.id());
    if asked.background == Some(true) {
        return Ok(started(&found, &id, &running));
    }
    let outcome = call.follow(&running, log.as_ref(), connection.core().options.grace).await?;
    let asked = self::asked(connection, id, asked.max_output, asked.timeout_ms);
    Ok(report::command(&found, &asked, &outcome))
}

fn asked(connection: &Connection, id: String, max_output: Option<u32>, timeout_ms: Option<u64>) -> Asked {
    Asked { id, limit: bound(connection, max_output), timeout_ms, structured: connection.core().options.structured }
}

/// Returns the answer for a command in the background.
fn started(found: &Found, id: &str, running: &CommandHandle) -> CallToolResult {
    let mut report = Report::new(found);
    let processes: Vec<String> = running.info().processes.iter().map(ToString::to_string).collect();
    let end = match processes.is_empty() {
        true => String::new(),
        false => format!("; `run_shell` with `kill {}` ends it", processes.join(" ")),
    };
    report.note(format!(r#"[runs in the background: `read_output` with {{"id": "{id}", "wait_ms": 5000}} reads what it says{end}]"#));
    report.done()
}

/// What `read_output` reads.
enum Source {
    Command(CommandHandle),
    Evaluation(EvaluationHandle),
}

impl Source {
    /// Finds the one with this id: `c` and a number, or `e` and a number.
    fn find(found: &Found, id: &str) -> Result<Self, CallError> {
        let handle = &found.place.handle;
        let number = |digits: &str| digits.parse::<u64>().ok();
        match (id.strip_prefix('c').and_then(number), id.strip_prefix('e').and_then(number)) {
            (Some(number), _) => Ok(Self::Command(handle.command(number)?)),
            (_, Some(number)) => Ok(Self::Evaluation(handle.evaluation(number)?)),
            (None, None) => Err(CallError::Arguments(format!("`{id}` is no id of a command or an evaluation: one is `c3` or `e7`"))),
        }
    }

    async fn output(&self, request: OutputRequest) -> Result<OutputChunk, CallError> {
        Ok(match self {
            Self::Command(command) => command.output(request).await?,
            Self::Evaluation(evaluation) => evaluation.output(request).await?,
        })
    }

    /// Returns how it ended, if it has.
    async fn ended(&self) -> Result<Option<End>, CallError> {
        Ok(match self {
            Self::Command(command) => command.wait(Some(Duration::ZERO)).await?.map(|outcome| outcome.end.clone()),
            Self::Evaluation(evaluation) => evaluation.wait(Some(Duration::ZERO)).await?.map(|ended| ended.outcome.end.clone()),
        })
    }
}

/// Handles `read_output`.
pub(super) async fn output(connection: &Connection, call: &Call, asked: ReadOutput) -> Result<CallToolResult, CallError> {
    let found = connection.session(asked.session.as_deref()).await?;
    let source = Source::find(&found, &asked.id)?;
    let stream = match asked.stream {
        None | Some(StreamName::Stdout) => Stream::Stdout,
        Some(StreamName::Stderr) => Stream::Stderr,
    };
    let (offset, limit) = (asked.offset.unwrap_or(0), bound(connection, asked.limit));
    let wait = milliseconds(asked.wait_ms).unwrap_or_default().min(WAIT);
    let request = OutputRequest { limit: limit as u64, ..OutputRequest::new(stream, offset).waiting(wait) };
    let piece = call.or_cancelled(source.output(request)).await??;

    let mut report = Report::new(&found);
    // A character that is not whole yet comes with the next piece, if there is one.
    let left = if piece.end { 0 } else { incomplete(&piece.bytes) };
    report.text(&String::from_utf8_lossy(&piece.bytes[..piece.bytes.len() - left]));
    if piece.offset > offset {
        report.note(format!("[{} bytes before offset {} are not kept any more]", piece.offset - offset, piece.offset));
    }
    let next = piece.next_offset() - left as u64;
    if !piece.end {
        report.note(format!(r#"[more may follow: "offset": {next}]"#));
    }
    let state = match source.ended().await? {
        None => "it still runs".to_owned(),
        Some(End::Exit { code: 0 }) => "it has ended".to_owned(),
        Some(end) => format!("it has ended: {}", report::ended(&end, None)),
    };
    report.note(format!("[{state}]"));
    Ok(report.done())
}
