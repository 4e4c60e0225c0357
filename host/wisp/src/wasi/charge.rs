//! Host memory that is held for a guest is charged to the guest's session: the account, a charge, and values that
//! cannot be held without one.

use std::ops::Deref;
use std::sync::Arc;

use http::HeaderMap;
use wisp_api::ErrorCode;

/// The account that is charged when a guest makes the host hold memory beyond a call: handles, buffers of pipes and
/// streams, listings, arguments, texts of requests. It is the session's `limits.memory`, so a guest gains nothing by
/// keeping its data on the host's side.
pub trait HostMemory: Send + Sync {
    /// Takes `bytes`, if there is room.
    fn take(&self, bytes: u64) -> bool;
    /// Takes `bytes` even if there is no room. Then nothing more is granted until enough has been returned.
    fn owe(&self, bytes: u64);
    /// Returns `bytes`.
    fn give(&self, bytes: u64);
    /// Returns the number of bytes that can still be taken.
    fn left(&self) -> u64;
    /// Returns whether memory was refused since the last `forget`.
    fn refused(&self) -> bool {
        false
    }
    /// Notes that the host itself failed the process: it did not have what the policy grants, or lost what it did for it.
    fn failed(&self, _code: ErrorCode, _message: String) {}
    /// Forgets earlier refusals, once they have been reported.
    fn forget(&self) {}
}

/// The host has no memory left for what the guest asked, and the interface has no error to say so: the limit ends the
/// process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("out of memory: the host may hold no more for this session (limits.memory)")]
pub struct NoMemory;

/// Host memory that was charged; dropping it returns the memory.
pub struct Charge {
    account: Arc<dyn HostMemory>,
    bytes: u64,
}

impl Charge {
    /// Charges `bytes` to `account`; `None` if there is no room.
    pub fn new(account: &Arc<dyn HostMemory>, bytes: u64) -> Option<Self> {
        account.take(bytes).then(|| Self { account: account.clone(), bytes })
    }

    /// Charges `bytes` to `account` whether there is room or not, for memory that is already held.
    pub fn owed(account: &Arc<dyn HostMemory>, bytes: u64) -> Self {
        account.owe(bytes);
        Self { account: account.clone(), bytes }
    }

    /// Charges `more` bytes. Returns false, and changes nothing, if there is no room.
    pub fn grow(&mut self, more: u64) -> bool {
        let taken = self.account.take(more);
        if taken {
            self.bytes += more;
        }
        taken
    }

    /// Joins two charges on the same account.
    pub fn and(mut self, mut other: Self) -> Self {
        debug_assert!(std::ptr::addr_eq(Arc::as_ptr(&self.account), Arc::as_ptr(&other.account)));
        self.bytes += std::mem::take(&mut other.bytes);
        self
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.account.give(self.bytes);
    }
}

/// A value that knows the maximum host memory that it holds beyond its own size.
pub trait Weigh {
    /// Returns that memory, in bytes.
    fn weight(&self) -> u64;
}

/// What an entry of a map of headers costs beside its text: the map grows by doubling.
const HEADER_COST: usize = 256;

impl Weigh for String {
    fn weight(&self) -> u64 {
        self.capacity() as u64
    }
}

impl<T: Weigh> Weigh for Option<T> {
    fn weight(&self) -> u64 {
        self.as_ref().map_or(0, Weigh::weight)
    }
}

impl Weigh for HeaderMap {
    fn weight(&self) -> u64 {
        self.iter().map(|(name, value)| (name.as_str().len() + value.len() + HEADER_COST) as u64).sum()
    }
}

/// A value that is charged for as long as it is held. Changing it changes the charge too.
pub struct Charged<T> {
    value: T,
    charge: Charge,
}

impl<T: Weigh> Charged<T> {
    /// Holds `value`.
    ///
    /// # Errors
    /// [`NoMemory`] if the account has no room for it.
    pub fn new(account: &Arc<dyn HostMemory>, value: T) -> Result<Self, NoMemory> {
        let charge = Charge::new(account, value.weight()).ok_or(NoMemory)?;
        Ok(Self { value, charge })
    }

    /// Replaces the value.
    ///
    /// # Errors
    /// [`NoMemory`] if the account has no room for both values, which exist together for a moment. The old value stays
    /// then.
    pub fn replace(&mut self, value: T) -> Result<(), NoMemory> {
        *self = Self::new(&self.charge.account, value)?;
        Ok(())
    }

    /// Splits it into the value and the charge, which must live as long as the value.
    pub fn split(self) -> (T, Charge) {
        (self.value, self.charge)
    }
}

impl<T> Deref for Charged<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::{Charge, Charged, HostMemory, NoMemory};

    /// An account with this many bytes left.
    pub(crate) struct Account(pub AtomicU64);

    impl Account {
        pub(crate) fn of(bytes: u64) -> (Arc<Self>, Arc<dyn HostMemory>) {
            let account = Arc::new(Self(bytes.into()));
            (account.clone(), account)
        }
    }

    impl HostMemory for Account {
        fn take(&self, bytes: u64) -> bool {
            self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes)).is_ok()
        }

        fn owe(&self, bytes: u64) {
            self.0.fetch_sub(bytes, Ordering::Relaxed);
        }

        fn give(&self, bytes: u64) {
            self.0.fetch_add(bytes, Ordering::Relaxed);
        }

        fn left(&self) -> u64 {
            self.0.load(Ordering::Relaxed)
        }
    }

    #[test]
    fn a_charge_is_given_back_when_it_is_dropped() {
        let (account, memory) = Account::of(100);
        let first = Charge::new(&memory, 60).unwrap();
        assert!(Charge::new(&memory, 60).is_none());
        let mut both = first.and(Charge::new(&memory, 10).unwrap());
        assert_eq!(account.left(), 30);
        assert!(!both.grow(31) && both.grow(30));
        drop(both);
        assert_eq!(account.left(), 100);
    }

    #[test]
    fn a_charged_value_changes_with_its_charge() {
        let (account, memory) = Account::of(100);
        let mut text = Charged::new(&memory, "0123456789".to_owned()).unwrap();
        assert_eq!(account.left(), 90);
        assert_eq!(text.replace("x".repeat(91)), Err(NoMemory));
        assert_eq!((text.as_str(), account.left()), ("0123456789", 90));
        text.replace("x".repeat(50)).unwrap();
        assert_eq!(account.left(), 50);
        let (text, charge) = text.split();
        drop(text);
        assert_eq!(account.left(), 50);
        drop(charge);
        assert_eq!(account.left(), 100);
    }
}
