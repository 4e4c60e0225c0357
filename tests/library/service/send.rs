//! Every future of the service can be spawned, and its handles can be shared by tasks. A violation does not compile.

use std::time::Duration;

use bytes::Bytes;
use wisp::{HostValue, HttpRequest, Policy};
use wisp_api::{CheckpointId, CodeRequest, CommandRequest, DiffRequest, OutputRequest, SessionId, SessionRequest};
use wisp_service::{
    BlockingCommand, BlockingEvaluation, BlockingService, BlockingSession, BlockingWatch, CommandHandle, EvaluationHandle, KeptSession,
    Owner, Runtime, Service, ServiceBuilder, ServiceError, SessionHandle, WatchHandle,
};

fn send<T: Send>(_: T) {}
fn is_shared<T: Send + Sync + 'static>() {}

#[expect(clippy::too_many_arguments, reason = "one of each")]
#[allow(dead_code, reason = "compiling it is the test")]
fn futures(
    service: &Service,
    owner: &Owner,
    policy: &Policy,
    session: &SessionHandle,
    kept: KeptSession,
    id: &SessionId,
    checkpoint: &CheckpointId,
    command: &CommandHandle,
    evaluation: &EvaluationHandle,
    watch: &WatchHandle,
) {
    send(service.open(owner, SessionRequest::default()));
    send(service.open_with(owner, SessionRequest::default(), policy, |builder| builder));
    send(service.open_kept(owner, SessionRequest::default(), kept, None, |builder| builder));
    send(session.keep());
    send(session.park());
    send(service.functions(None));
    send(service.close(owner, id));
    send(service.close_owner(owner));
    send(service.close_all());
    send(session.close());
    send(session.start(CommandRequest::default()));
    send(session.start_with(CommandRequest::default(), |command| command));
    send(session.run(CommandRequest::default()));
    send(session.evaluate(CodeRequest::new("")));
    send(session.evaluate_with(CodeRequest::new(""), |code| code));
    send(session.reset_interpreter("python"));
    send(session.close_interpreter("python"));
    send(session.checkpoint(None));
    send(session.restore(checkpoint));
    send(session.fork(checkpoint, SessionRequest::default()));
    send(session.diff(DiffRequest::default()));
    send(session.artifacts());
    send(session.watch(".", 1));
    send(watch.next(0, None));
    send(session.call_function("f", HostValue::Bytes(Vec::new())));
    send(session.http(HttpRequest { method: String::new(), url: String::new(), headers: Vec::new(), body: Bytes::new() }));
    send(command.output(OutputRequest::default()));
    send(command.outputs(0, 0, 1, Duration::ZERO));
    send(command.wait(None));
    send(command.write_stdin("text"));
    send(evaluation.output(OutputRequest::default()));
    send(evaluation.outputs(0, 0, 1, Duration::ZERO));
    send(evaluation.displays(0, Duration::ZERO));
    send(evaluation.wait(None));
}

#[test]
fn handles_are_shared_by_tasks() {
    is_shared::<(Service, SessionHandle, CommandHandle, EvaluationHandle, WatchHandle, Owner, Runtime, ServiceBuilder, ServiceError)>();
    is_shared::<(BlockingService, BlockingSession, BlockingCommand, BlockingEvaluation, BlockingWatch)>();
}
