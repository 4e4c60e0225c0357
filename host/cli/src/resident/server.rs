//! The helper: it listens, has one command at a time run in its session, and ends after a while without a call.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::net::{UnixListener, UnixStream};
use tokio::sync::mpsc;

use super::control::Control;
use super::documents::{Answer, Ask, Call, Hello};
use super::live::Live;
use super::place::{self, Place};
use super::told::Told;
use super::wire::{self, Kind};
use super::{GRACE, call, timer};
use crate::signals::signalled;
use crate::{Failure, kept, one_line};

/// How long there is no call until the session is saved, so that a helper that is killed loses no more than the work of the last
/// minutes. Saving may take as long as loading, so it is not done after every call.
const QUIET: Duration = Duration::from_secs(60);

/// How long to wait when the system has no descriptor for another connection.
const PAUSE: Duration = Duration::from_millis(100);

/// Maximum calls that wait for their turn; more are refused.
const WAITING: usize = 64;

/// What a client asks, and where the answer goes.
type Asked = (Ask, UnixStream);

/// What a helper has.
pub(super) struct Helper {
    pub(super) place: Place,
    pub(super) live: Live,
    pub(super) told: Arc<Told>,
    pub(super) hello: Hello,
    /// How long it waits for the next call before it ends.
    pub(super) idle: Duration,
}

/// Why the helper ends.
enum End {
    /// Nobody called, or a signal came.
    Alone,
    /// This client asked for it, and gets this answer when the session is free.
    Asked(UnixStream, Answer),
}

/// When the helper does something by itself.
struct Clock {
    /// When the last call ended.
    called: Instant,
    /// When saving failed, after the last call.
    failed: Option<Instant>,
}

impl Helper {
    /// Serves until the end, and lets the session go.
    pub(super) async fn serve(mut self, listener: std::os::unix::net::UnixListener) -> Result<(), Failure> {
        let listener = UnixListener::from_std(listener).map_err(Failure::internal)?;
        let hello: Arc<[u8]> = serde_json::to_vec(&self.hello).map_err(Failure::internal)?.into();
        let (sender, mut asked) = mpsc::channel(16);
        tokio::spawn(accept(listener, hello, sender));
        let end = self.until_end(&mut asked).await;
        // Those who connect from now on find nobody, and start another helper. Those who have connected notice that nobody answers.
        let Self { place, mut live, .. } = self;
        match end {
            End::Alone => {
                if live.begun() {
                    live.save_what_can_be().await;
                }
                live.leave(|| place.close());
            }
            End::Asked(mut stream, answer) => {
                let answer = match answer {
                    Answer::Parked { .. } => Answer::Parked { lost: live.release(|| place.close()) },
                    other => {
                        live.discard(|| place.close());
                        other
                    }
                };
                // It may have gone.
                let _ = wire::write_document(&mut stream, Kind::Answer, &answer).await;
            }
        }
        Ok(())
    }

    async fn until_end(&mut self, asked: &mut mpsc::Receiver<Asked>) -> End {
        let mut ends = std::pin::pin!(signalled());
        let mut clock = Clock { called: Instant::now(), failed: None };
        let mut waiting = VecDeque::new();
        loop {
            let next = match waiting.pop_front() {
                Some(next) => Some(next),
                None => tokio::select! {
                    next = asked.recv() => next,
                    () = &mut ends => return End::Alone,
                    () = timer::sleep(self.wait(&clock)) => {
                        if clock.called.elapsed() >= self.idle {
                            return End::Alone;
                        }
                        self.save_quietly(&mut clock).await;
                        continue;
                    }
                },
            };
            // The task that accepts connections never ends.
            let Some((ask, mut stream)) = next else { return End::Alone };
            let answer = match ask {
                Ask::Run(call) => {
                    self.idle = call.idle;
                    let ended = self.run(call, stream, asked, &mut waiting, ends.as_mut()).await;
                    clock = Clock { called: Instant::now(), failed: None };
                    if ended || !self.live.begun() {
                        return End::Alone;
                    }
                    continue;
                }
                Ask::Park => match self.live.save().await {
                    Ok(()) => return End::Asked(stream, Answer::Parked { lost: Vec::new() }),
                    Err(error) => Answer::NotParked { reason: one_line(&kept::advised(error)) },
                },
                Ask::Discard => return End::Asked(stream, Answer::Discarded),
            };
            let _ = wire::write_document(&mut stream, Kind::Answer, &answer).await;
        }
    }

    /// Runs a command. Calls that come in the meantime wait, and others are told that it runs. Returns whether a signal came, which also
    /// ended the command.
    async fn run(
        &mut self,
        call: Call,
        stream: UnixStream,
        asked: &mut mpsc::Receiver<Asked>,
        waiting: &mut VecDeque<Asked>,
        mut ends: std::pin::Pin<&mut impl Future<Output = ()>>,
    ) -> bool {
        let control = Arc::new(Control::default());
        let mut serving = std::pin::pin!(call::serve(&mut self.live, call, stream, &self.told, control.clone()));
        loop {
            tokio::select! {
                () = &mut serving => return false,
                Some((ask, mut stream)) = asked.recv() => {
                    // Agents ask for several commands at once. One whose client is gone ends when its turn comes.
                    if matches!(ask, Ask::Run(_)) && waiting.len() < WAITING {
                        waiting.push_back((ask, stream));
                        continue;
                    }
                    let _ = wire::write_document(&mut stream, Kind::Answer, &Answer::Busy).await;
                }
                () = &mut ends => break,
            }
        }
        control.kill();
        // Not for ever: the client may read nothing.
        timer::within(2 * GRACE, serving).await;
        true
    }

    /// Returns how long to sleep if no call comes in: until the next save, or the end of the idle time.
    fn wait(&self, clock: &Clock) -> Duration {
        let end = self.idle.saturating_sub(clock.called.elapsed());
        if self.live.changed() {
            let save = QUIET.saturating_sub(clock.failed.unwrap_or(clock.called).elapsed());
            return end.min(save);
        }
        end
    }

    async fn save_quietly(&mut self, clock: &mut Clock) {
        if let Err(error) = self.live.save().await {
            tracing::warn!(%error, "a session that stays open could not be saved");
            clock.failed = Some(Instant::now());
        }
    }
}

/// Greets whoever connects, and passes on what they ask.
async fn accept(listener: UnixListener, hello: Arc<[u8]>, asked: mpsc::Sender<Asked>) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => drop(tokio::spawn(greet(stream, hello.clone(), asked.clone()))),
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                timer::sleep(PAUSE).await;
            }
        }
    }
}

/// Greets a client of this user, and reads what it asks. One that only looks asks nothing.
async fn greet(mut stream: UnixStream, hello: Arc<[u8]>, asked: mpsc::Sender<Asked>) {
    if place::peer(&stream).is_err() || wire::write(&mut stream, Kind::Hello, &hello).await.is_err() {
        return;
    }
    let Ok((Kind::Ask, bytes)) = wire::read(&mut stream).await else { return };
    let Ok(ask) = wire::read_document(&bytes) else { return };
    // Without a receiver, the helper is ending.
    let _ = asked.send((ask, stream)).await;
}
