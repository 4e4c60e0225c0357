//! Log messages: what the sandbox decides while a call runs.

#![expect(deprecated, reason = "the version of 2026-07-28 advises against log messages; clients of both versions take them")]

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::future::pending;
use std::sync::Arc;

use parking_lot::Mutex;
use rmcp::RoleServer;
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam, RequestMetaObject};
use rmcp::service::Peer;
use serde_json::json;
use wisp_api::{Receipt, ReceiptKind, SessionId, Verdict};
use wisp_service::{ReceiptRead, ReceiptReader};

use crate::connection::Connection;
use crate::sessions::Place;

/// How much a client wants to know.
pub(crate) type Level = LoggingLevel;

/// The level of a client that has not set one.
pub(crate) const DEFAULT: Level = Level::Warning;

/// Maximum messages that are sent after the end of what a call ran: a command in the background may go on making them.
const LAST: usize = 256;

/// The receipts of a session that are still to be sent to a client: its calls that run in it take turns, so that none is sent twice.
#[derive(Default)]
struct Unsent {
    reader: Option<ReceiptReader>,
    /// What was read last, until it is sent.
    read: Option<ReceiptRead>,
}

type Shared = Arc<tokio::sync::Mutex<Unsent>>;

/// What a client that says once which messages it wants has not been sent, by the names of sessions.
#[derive(Default)]
pub(crate) struct Logs(Mutex<BTreeMap<String, (SessionId, Shared)>>);

impl Logs {
    /// Returns what is unsent of this session, from the first call on.
    fn of(&self, place: &Place) -> Shared {
        let mut all = self.0.lock();
        let known = all.get(&place.name).filter(|(session, _)| session == place.handle.id()).map(|(_, unsent)| unsent.clone());
        known.unwrap_or_else(|| {
            let unsent = begun(place);
            all.insert(place.name.clone(), (place.handle.id().clone(), unsent.clone()));
            unsent
        })
    }
}

/// Returns what is unsent from now on.
fn begun(place: &Place) -> Shared {
    Arc::new(tokio::sync::Mutex::new(Unsent { reader: place.handle.receipts().ok(), read: None }))
}

/// Sends log messages for one call.
pub(crate) struct Log<'c> {
    peer: Peer<RoleServer>,
    level: LoggingLevel,
    session: &'c str,
    unsent: Shared,
}

impl<'c> Log<'c> {
    /// Returns the log of a call, from now on; `None` if the client wants none. A client of the version of 2026-07-28 asks for it with each
    /// request, which then has messages of its own; others ask once.
    pub(crate) fn of(meta: &RequestMetaObject, peer: &Peer<RoleServer>, connection: &Connection, place: &'c Place) -> Option<Self> {
        let (level, unsent) = match meta.protocol_version() {
            Some(_) => (meta.log_level()?, begun(place)),
            None => (*connection.level.lock(), connection.logs.of(place)),
        };
        Some(Self { peer: peer.clone(), level, session: &place.name, unsent })
    }

    /// Sends what happens, when it happens.
    pub(crate) async fn forward(&self) -> Infallible {
        let mut unsent = self.unsent.lock().await;
        loop {
            self.send(&mut unsent).await;
            let Some(reader) = &mut unsent.reader else { return pending().await };
            let Some(read) = reader.next().await else { return pending().await };
            unsent.read = Some(read);
        }
    }

    /// Sends what has happened, unless another call does.
    pub(crate) async fn flush(&self) {
        let Ok(mut unsent) = self.unsent.try_lock() else { return };
        for _ in 0..LAST {
            self.send(&mut unsent).await;
            unsent.read = unsent.reader.as_mut().and_then(ReceiptReader::now);
            if unsent.read.is_none() {
                return;
            }
        }
    }

    /// Sends what was read last, if the client wants it.
    async fn send(&self, unsent: &mut Unsent) {
        let Some(read) = &unsent.read else { return };
        let (level, data) = match read {
            ReceiptRead::Receipt(receipt) => {
                (level(receipt), json!({ "message": message(receipt), "session": self.session, "receipt": **receipt }))
            }
            ReceiptRead::LeftOut(count) => {
                (LoggingLevel::Warning, json!({ "message": format!("up to {count} messages are left out"), "session": self.session }))
            }
        };
        if severity(level) >= severity(self.level) {
            // It fails only if the client is gone.
            let _ = self.peer.notify_logging_message(LoggingMessageNotificationParam::new(level, data).with_logger("wisp")).await;
        }
        unsent.read = None;
    }
}

/// Returns how much a receipt matters to a person who watches.
fn level(receipt: &Receipt) -> LoggingLevel {
    match (receipt.verdict, receipt.kind) {
        (Verdict::Denied, _) => LoggingLevel::Warning,
        (Verdict::Allowed, ReceiptKind::Http | ReceiptKind::Secret | ReceiptKind::Function) => LoggingLevel::Info,
        (Verdict::Allowed, _) => LoggingLevel::Debug,
    }
}

fn message(receipt: &Receipt) -> String {
    let times = if receipt.count > 1 { format!(" ({} times)", receipt.count) } else { String::new() };
    let verdict = match receipt.verdict {
        Verdict::Allowed => "allowed",
        Verdict::Denied => "denied",
    };
    format!("{verdict}{times}: {} {} by {}", receipt.kind, receipt.subject, receipt.rule)
}

/// Returns the place of a level among all, as RFC 5424 orders them.
fn severity(level: LoggingLevel) -> u8 {
    match level {
        LoggingLevel::Debug => 0,
        LoggingLevel::Info => 1,
        LoggingLevel::Notice => 2,
        LoggingLevel::Warning => 3,
        LoggingLevel::Error => 4,
        LoggingLevel::Critical => 5,
        LoggingLevel::Alert => 6,
        LoggingLevel::Emergency => 7,
    }
}
