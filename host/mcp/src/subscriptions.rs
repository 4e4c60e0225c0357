//! Telling a client that a resource changed: for as long as it subscribes to it, or listens.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::future::{Future, pending};
use std::time::Duration;

use futures_util::future::{join, join_all};
use parking_lot::Mutex;
use rmcp::RoleServer;
use rmcp::model::{ResourceUpdatedNotificationParam, SubscriptionFilter};
use rmcp::service::{Peer, SubscriptionContext};
use tokio::task::AbortHandle;
use wisp::Policy;
use wisp::fs::FileWatch;

use crate::connection::Connection;
use crate::error::CallError;
use crate::resources;
use crate::timer::sleep;
use crate::tools::functions;

/// Maximum resources that a connection subscribes to, and that one request listens for: each is a watch, which costs at each change.
const MOST: usize = 64;

/// Changes of a session's files that wait to be looked at. If there are more, one of those that are lost may concern the file.
const WAITING: usize = 256;

/// How often a client is told of one resource, at most.
const OFTEN: Duration = Duration::from_millis(100);

/// The resources that a connection subscribes to, by address.
#[derive(Default)]
pub(crate) struct Subscriptions(Mutex<BTreeMap<String, Ended>>);

/// A task that ends when this is dropped.
struct Ended(AbortHandle);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Subscriptions {
    /// Tells the client of each change of a resource from now on.
    ///
    /// # Errors
    /// If there is no such resource, or it subscribes to too many.
    pub(crate) async fn add(&self, connection: &Connection, uri: String, peer: Peer<RoleServer>) -> Result<(), CallError> {
        let watch = resources::watch(connection, &uri, WAITING).await?;
        let mut all = self.0.lock();
        if all.len() >= MOST && !all.contains_key(&uri) {
            return Err(CallError::Arguments(format!("a client subscribes to at most {MOST} resources: unsubscribe from one first")));
        }
        let tell = {
            let uri = uri.clone();
            told(watch, move || {
                let (peer, changed) = (peer.clone(), ResourceUpdatedNotificationParam::new(uri.clone()));
                async move { drop(peer.notify_resource_updated(changed).await) }
            })
        };
        #[expect(clippy::disallowed_methods, reason = "it ends with the subscription or with the connection")]
        let task = tokio::spawn(tell);
        all.insert(uri, Ended(task.abort_handle()));
        Ok(())
    }

    /// Tells of it no more. Nothing happens if it told of nothing.
    pub(crate) fn remove(&self, uri: &str) {
        drop(self.0.lock().remove(uri));
    }

    /// Tells of nothing more.
    pub(crate) fn clear(&self) {
        drop(std::mem::take(&mut *self.0.lock()));
    }
}

/// Returns what of that which a request names it may listen for: resources, and the list of the tools if it can change.
pub(crate) fn accepted(requested: &SubscriptionFilter, policy: &Policy) -> SubscriptionFilter {
    let uris = requested.resource_subscriptions.iter().flatten().filter(|uri| resources::is_address(uri)).take(MOST);
    let filter = SubscriptionFilter::builder().resource_subscriptions(uris.cloned());
    let tools = requested.tools_list_changed == Some(true) && functions::granted(policy);
    if tools { filter.tools_list_changed().build() } else { filter.build() }
}

/// Tells the request that listens of each change, until it is cancelled. A resource that does not exist never changes.
pub(crate) async fn listen(connection: &Connection, context: &SubscriptionContext) {
    let uris = context.accepted().resource_subscriptions.iter().flatten();
    let one = async |uri: &String| match resources::watch(connection, uri, WAITING).await {
        Ok(watch) => told(watch, async || drop(context.sink().notify_resource_updated(uri.clone()).await)).await,
        Err(_) => pending().await,
    };
    tokio::select! {
        () = context.cancelled() => {}
        _ = join(join_all(uris.map(one)), tools(connection, context)) => {}
    }
}

/// Tells the request that listens of each other list of the tools.
async fn tools(connection: &Connection, context: &SubscriptionContext) -> Infallible {
    let mut told = 0;
    loop {
        connection.late.another(connection.core(), &mut told).await;
        // It is not sent to one that has not asked for it.
        drop(context.sink().notify_tool_list_changed().await);
    }
}

/// Tells of each change of a file.
async fn told<T: Future<Output = ()>>(mut watch: FileWatch, tell: impl Fn() -> T) {
    loop {
        watch.next().await;
        // What came before it is told is told with it; what comes later is told again.
        while watch.try_next().is_some() {}
        tell().await;
        sleep(OFTEN).await;
    }
}
