//! Live sessions: found again by a key, each with its owner; a command that goes on while nobody waits; a checkpoint and a fork.

use std::time::Duration;

use wisp::{Components, Engine, Policy};
use wisp_api::{CodeRequest, CommandRequest, OutputRequest, SessionRequest};
use wisp_service::{Owner, Runtime, Service, ServiceError, ServiceLimits};

type Failed = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), Failed> {
    let runtime = Runtime::new(Engine::builder(Components::from_folder("target/components")?))?;
    let limits = ServiceLimits { idle: Some(Duration::from_secs(600)), sessions_per_owner: 10, ..ServiceLimits::default() };
    let service = Service::builder(runtime).policy("offline", Policy::offline()).limits(limits).build();
    service.runtime().block_on(talk(&service))?;

    // A thread without an async runtime has the same calls.
    let session = service.blocking().session_with_key(&Owner::new("ada"), "chat-7")?;
    let outcome = session.run(CommandRequest::in_shell("main", "echo $topic in $PWD"))?;
    print!("{}", outcome.stdout_text());
    session.close()?;
    Ok(())
}

async fn talk(service: &Service) -> Result<(), ServiceError> {
    let ada = Owner::new("ada");
    let request = SessionRequest { key: Some("chat-7".to_owned()), ..SessionRequest::default() };
    let session = service.open(&ada, request.clone()).await?;
    // The same key is the same session. To another owner there is none.
    assert_eq!(service.open(&ada, request).await?.id(), session.id());
    let error = service.session(&Owner::new("bob"), session.id()).map(drop).unwrap_err();
    println!("{}", error.code());

    // It goes on although its handle is dropped; whoever knows its number reads on where they were.
    let id = session.start(CommandRequest { pipe_stdin: true, ..CommandRequest::script("read -r x; echo got $x") }).await?.id();
    let command = session.command(id)?;
    command.write_stdin("a line\n").await?;
    command.wait(None).await?;
    let piece = command.output(OutputRequest { offset: 4, wait: Duration::from_secs(10), ..OutputRequest::default() }).await?;
    print!("{}", String::from_utf8_lossy(&piece.bytes));

    // Shells and interpreters keep their state; a checkpoint has both, and the files.
    session.run(CommandRequest::in_shell("main", "cd /tmp; topic=tides")).await?;
    session.evaluate(CodeRequest::new("x = 1")).await?.wait(None).await?;
    let checkpoint = session.checkpoint(None).await?;
    let fork = session.fork(&checkpoint.id, SessionRequest::default()).await?;
    fork.evaluate(CodeRequest::new("x += 41")).await?.wait(None).await?;
    for session in [&session, &fork] {
        let evaluation = session.evaluate(CodeRequest::new("x")).await?.wait(None).await?;
        println!("{}", evaluation.and_then(|one| one.value.clone()).unwrap_or_default());
    }
    fork.close().await
}
