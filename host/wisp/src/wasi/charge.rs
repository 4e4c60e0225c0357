//! What the host holds for a guest is charged to the guest's session: the account, a charge, and values that cannot be held
//! without one.

use std::ops::Deref;
use std::sync::Arc;

use http::HeaderMap;

/// The account that host memory is charged to when a guest makes the host hold it beyond a call: handles, buffers of pipes
/// and streams, listings, arguments, texts of requests. It is the session's `limits.memory`, so that a guest gains nothing
/// by keeping its data on the host's side.
pub trait HostMemory: Send + Sync {
    /// Take `bytes`, if there is room.
    fn take(&self, bytes: u64) -> bool;
    /// Take `bytes` even where there is no room: then nothing more is given until others give back.
    fn owe(&self, bytes: u64);
    /// Give `bytes` back.
    fn give(&self, bytes: u64);
    /// Bytes that can still be taken.
    fn left(&self) -> u64;
    /// Whether there was once no room, since `forget`.
    fn refused(&self) -> bool {
        false
    }
    /// What was refused until now is said.
    fn forget(&self) {}
}

/// A host function has no memory left to do what it was asked for, and no error of its interface to say so: the process
/// ends by the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("out of memory: the host may hold no more for this session (limits.memory)")]
pub struct NoMemory;

/// Host memory that was charged; given back when dropped.
pub struct Charge {
    account: Arc<dyn HostMemory>,
    bytes: u64,
}

impl Charge {
    /// Charge `bytes` to `account`; `None` when there is no room.
    pub fn new(account: &Arc<dyn HostMemory>, bytes: u64) -> Option<Charge> {
        account.take(bytes).then(|| Charge { account: account.clone(), bytes })
    }

    /// Charge `bytes` to `account`, whether there is room or not: for what is held already.
    pub fn owed(account: &Arc<dyn HostMemory>, bytes: u64) -> Charge {
        account.owe(bytes);
        Charge { account: account.clone(), bytes }
    }

    /// Charge `more` bytes; false, and nothing changes, when there is no room.
    pub fn grow(&mut self, more: u64) -> bool {
        let taken = self.account.take(more);
        if taken {
            self.bytes += more;
        }
        taken
    }

    /// One charge for what two were for, on the same account.
    pub fn and(mut self, mut other: Charge) -> Charge {
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

/// What knows how much host memory it keeps beyond its own size, at the most.
pub trait Weigh {
    /// In bytes.
    fn weight(&self) -> u64;
}

/// What an entry of a map of headers costs besides its text: the map grows by doubling.
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

/// A value that is charged for as long as it is held, and changes only together with what is charged for it.
pub struct Charged<T> {
    value: T,
    charge: Charge,
}

impl<T: Weigh> Charged<T> {
    /// Hold `value`.
    ///
    /// # Errors
    /// [`NoMemory`] when the account has no room for it.
    pub fn new(account: &Arc<dyn HostMemory>, value: T) -> Result<Charged<T>, NoMemory> {
        let charge = Charge::new(account, value.weight()).ok_or(NoMemory)?;
        Ok(Charged { value, charge })
    }

    /// Hold `value` instead.
    ///
    /// # Errors
    /// [`NoMemory`] when the account has no room for both at once, which there are for a moment: nothing changes then.
    pub fn replace(&mut self, value: T) -> Result<(), NoMemory> {
        *self = Charged::new(&self.charge.account, value)?;
        Ok(())
    }

    /// The value, and the charge that is to live as long as it does.
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

    /// An account with this much left.
    pub(crate) struct Account(pub AtomicU64);

    impl Account {
        pub(crate) fn of(bytes: u64) -> (Arc<Account>, Arc<dyn HostMemory>) {
            let account = Arc::new(Account(bytes.into()));
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
