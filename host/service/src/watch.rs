//! A watch on the files of a session, which can be waited for and says when the session is closed.

use std::fmt;
use std::time::Duration;

use tokio::sync::Mutex;
use wisp::fs::FileWatch;
use wisp_api::Change;

use crate::error::ServiceError;
use crate::session::SessionHandle;
use crate::timer::at_most;

impl SessionHandle {
    /// Watches the file at `path`, or everything below the directory, from now on ([`Files::watch`](wisp::fs::Files::watch)). At most
    /// `capacity` changes of the session's files wait to be read; when there are more, a change says how many were lost.
    ///
    /// # Errors
    /// If there is no such file, or the session is closed.
    pub async fn watch(&self, path: &str, capacity: usize) -> Result<WatchHandle, ServiceError> {
        let watch = self.files()?.watch(path, capacity).await?;
        Ok(WatchHandle { session: self.clone(), feed: Mutex::new(Feed { watch, last: None }) })
    }
}

/// A watch on files of a session. It ends when it is dropped.
pub struct WatchHandle {
    pub(crate) session: SessionHandle,
    /// Locked by the one who waits for a change.
    feed: Mutex<Feed>,
}

struct Feed {
    watch: FileWatch,
    /// The change that was read last: a caller who stopped waiting asks for it again.
    last: Option<Change>,
}

impl WatchHandle {
    /// Returns the next change after the one with the number `after`, which is 0 in the beginning; waits for one, at most this long if
    /// there is a time. `None` if there was none. The caller reads changes in their order: those up to `after` are not kept.
    ///
    /// # Errors
    /// If the session is closed.
    pub async fn next(&self, after: u64, time: Option<Duration>) -> Result<Option<Change>, ServiceError> {
        let call = self.session.call()?;
        let next = async {
            tokio::select! {
                biased;
                change = self.change(after) => Ok(Some(change)),
                () = call.entry.closed() => Err(ServiceError::not_found("session", &call.entry.id)),
            }
        };
        match time {
            Some(time) => at_most(call.service.runtime(), time, next).await.unwrap_or(Ok(None)),
            None => next.await,
        }
    }

    async fn change(&self, after: u64) -> Change {
        let mut feed = self.feed.lock().await;
        if let Some(last) = feed.last.as_ref().filter(|last| last.number > after) {
            return last.clone();
        }
        let change = feed.watch.next().await;
        feed.last = Some(change.clone());
        change
    }
}

impl fmt::Debug for WatchHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WatchHandle").field("session", &self.session).finish_non_exhaustive()
    }
}
