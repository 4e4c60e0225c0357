//! The receipts of the process's sandboxes, as they happen, so that each sandbox can show its own.

use std::collections::{HashMap, VecDeque};

use parking_lot::Mutex;
use wisp::ReceiptSink;
use wisp_api::{Receipt, ReceiptKind, Verdict};

/// Maximum receipts that a sandbox keeps, the newest ones. Attack: a guest that makes them in a loop, to fill the host's memory.
const KEPT: usize = 4_096;

/// Maximum receipts of sessions that are being made, or have ended.
const EARLY: usize = 1_024;

/// All receipts, by the sessions' ids in them.
#[derive(Default)]
pub(crate) struct Ledger(Mutex<Books>);

#[derive(Default)]
struct Books {
    open: HashMap<String, Book>,
    /// Those of sessions that have no book: a session mounts before its id is known.
    early: VecDeque<Receipt>,
}

/// The receipts of one session.
#[derive(Default)]
struct Book {
    /// How many sandboxes have this id. A policy with `[determinism]` gives all of its sessions the same.
    holders: usize,
    receipts: VecDeque<Receipt>,
    left_out: u64,
}

impl Book {
    fn add(&mut self, receipt: Receipt) {
        if self.receipts.len() == KEPT {
            let oldest = self.receipts.pop_front();
            self.left_out += oldest.map_or(0, |oldest| oldest.count);
        }
        self.receipts.push_back(receipt);
    }
}

impl Ledger {
    /// Begins to keep the receipts of a session.
    pub(crate) fn open(&self, session: &str) {
        let mut books = self.0.lock();
        let Books { open, early } = &mut *books;
        let book = open.entry(session.to_owned()).or_default();
        book.holders += 1;
        early.retain(|receipt| {
            let own = receipt.session == session;
            if own {
                book.add(receipt.clone());
            }
            !own
        });
    }

    /// Forgets a session's receipts, unless another sandbox has the same id.
    pub(crate) fn close(&self, session: &str) {
        let mut books = self.0.lock();
        let Some(book) = books.open.get_mut(session) else { return };
        book.holders -= 1;
        if book.holders == 0 {
            books.open.remove(session);
        }
    }

    /// Returns a session's receipts, oldest first. If older ones are missing, the first one says how many.
    pub(crate) fn read(&self, session: &str) -> Vec<Receipt> {
        let books = self.0.lock();
        let Some(book) = books.open.get(session) else { return Vec::new() };
        let mut receipts = Vec::with_capacity(book.receipts.len() + 1);
        if book.left_out > 0 {
            let subject = format!("receipts before the last {KEPT}");
            let missing = Receipt::new(ReceiptKind::LeftOut, subject, Verdict::Denied, "built in");
            receipts.push(Receipt { session: session.to_owned(), count: book.left_out, ..missing });
        }
        receipts.extend(book.receipts.iter().cloned());
        receipts
    }
}

impl ReceiptSink for Ledger {
    fn record(&self, receipt: &Receipt) {
        let mut books = self.0.lock();
        let Books { open, early } = &mut *books;
        match open.get_mut(&receipt.session) {
            Some(book) => book.add(receipt.clone()),
            None => {
                if early.len() == EARLY {
                    early.pop_front();
                }
                early.push_back(receipt.clone());
            }
        }
    }
}
