//! An interrupt is SIGINT to the foreground and ends nothing by force; `kill_all` does.

use wisp::{Command, End, Input, Running, Session};

use crate::commands::until;
use crate::kit::{session, sh};

/// A command that has said `ready`.
async fn ready(session: &Session, command: Command) -> Running {
    let running = session.start(command.stdin(Input::Piped)).await.expect("it starts");
    assert_eq!(until(&running, 0, "\n").await, "ready\n");
    running
}

#[tokio::test]
async fn programs_clean_up_after_an_interrupt() {
    let session = session("").await;
    let finally = "import time\ntry:\n    print('ready', flush=True)\n    time.sleep(1000)\nfinally:\n    print('cleaned')";
    let trap = "trap 'echo caught; exit 3' INT; sleep 1000 >/dev/null 2>&1 & echo ready; wait";
    let ways: [fn(&Running); 2] = [Running::interrupt, |running| running.session().interrupt()];
    for interrupt in ways {
        let python = ready(&session, Command::new("python3").args(["-c", finally])).await;
        let shell = ready(&session, sh(trap)).await;
        interrupt(&python);
        let outcome = python.wait().await.unwrap();
        assert_eq!((outcome.exit_code(), &*outcome.stdout_text()), (130, "ready\ncleaned\n"));
        assert!(outcome.stderr_text().contains("KeyboardInterrupt"), "{}", outcome.stderr_text());
        interrupt(&shell);
        let outcome = shell.wait().await.unwrap();
        assert_eq!((outcome.exit_code(), &*outcome.stdout_text()), (3, "ready\ncaught\n"));
    }
}

#[tokio::test]
async fn a_program_that_ignores_an_interrupt_goes_on_until_it_is_killed() {
    let session = session("").await;
    let script = "trap '' INT; echo ready; read -r word; echo $word";
    let (survives, killed) = (ready(&session, sh(script)).await, ready(&session, sh(script)).await);
    session.interrupt();
    survives.write_stdin("on\n").await.unwrap();
    let outcome = survives.wait().await.unwrap();
    assert_eq!((outcome.exit_code(), &*outcome.stdout_text()), (0, "ready\non\n"));
    session.kill_all();
    let outcome = killed.wait().await.unwrap();
    assert_eq!((outcome.exit_code(), &outcome.end, &*outcome.stdout_text()), (137, &End::Signal { signal: 9 }, "ready\n"));
    // The session goes on.
    assert!(session.run(Command::new("true")).await.unwrap().success());
}

#[tokio::test]
async fn what_ignores_an_interrupt_in_the_background_does_not_keep_the_command() {
    let session = session("").await;
    // The shell itself ends by the interrupt, or by itself with the same code.
    for script in ["sleep 1000 & echo ready; wait", "trap 'exit 130' INT; sleep 1000 & echo ready; wait"] {
        let running = ready(&session, sh(script)).await;
        running.interrupt();
        assert_eq!(running.wait().await.unwrap().exit_code(), 130, "{script}");
        assert!(running.processes().is_empty());
    }
    // One that ends otherwise leaves what holds its output running, as without an interrupt.
    let script = "exec 3<&0; trap 'exit 4' INT; { read -r word <&3; echo $word; } & echo ready; wait";
    let running = ready(&session, sh(script)).await;
    running.interrupt();
    assert_eq!(running.exited().await.code(), 4);
    running.write_stdin("late\n").await.unwrap();
    let outcome = running.wait().await.unwrap();
    assert_eq!((outcome.exit_code(), &*outcome.stdout_text()), (4, "ready\nlate\n"));
}
