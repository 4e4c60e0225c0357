//! The handles that a guest holds: the only way into the table of resources, which has no more room than was paid for.
//!
//! A handle of any kind costs [`HANDLE_COST`] of the session's `limits.memory`: its row in the tables of this module
//! and of wasmtime, and the value itself. Room is bought before a host function runs, so that whatever the function
//! stores is paid for, including wasmtime's own functions of `wasi:io`. Whatever a value holds in addition is in a
//! [`super::Charged`] or beside a [`super::Charge`] (`Held` makes each kind say which).

use std::any::Any;
use std::sync::Arc;

use wasmtime::component::{Resource, ResourceTable, ResourceTableError};
use wasmtime_wasi_io::poll::{DynPollable, Pollable, subscribe};
use wasmtime_wasi_io::streams::{InputStream, OutputStream};

use super::{Charge, HostMemory, NoMemory};

/// Maximum host memory that a handle costs, in bytes.
pub const HANDLE_COST: u64 = 1024;

/// The part of it that pays for rows: one here, with the names of its children, and one in wasmtime's table of the
/// guest's handles. Both tables grow by doubling.
const ROW_COST: usize = 256;

/// Handles that are paid for at first.
const FIRST: usize = 32;

/// Maximum handles that one call of a host function makes.
const CALL: usize = 4;

/// A kind of value that a handle may represent.
pub trait Held: Send + 'static {
    /// Where the memory that it holds beyond its own size is charged. This is for readers of the code: nothing can
    /// enter the table without saying so.
    #[expect(dead_code, reason = "it is read by people")]
    const CHARGED: &'static str;
}

impl Held for Box<dyn InputStream> {
    const CHARGED: &'static str = "each implementation has a `Charge` for what it reads ahead";
}

impl Held for Box<dyn OutputStream> {
    const CHARGED: &'static str = "each implementation has a `Charge` for what it has accepted and not yet written";
}

/// The table of a process's handles.
pub struct Handles {
    table: ResourceTable,
    memory: Arc<dyn HostMemory>,
    /// The charge for as many handles as the table has room for.
    paid: Option<Charge>,
    /// Maximum handles, however much was paid.
    most: usize,
    /// An upper bound of the number of handles: the last count, and what each call since may have added.
    bound: usize,
    /// How many handles were ever made, at least.
    made: u64,
    /// How many host functions used the table.
    calls: u64,
}

impl Handles {
    /// Makes an empty table for at most `most` handles, which are charged to `memory`.
    pub fn new(memory: Arc<dyn HostMemory>, most: usize) -> Self {
        let mut table = ResourceTable::new();
        table.set_max_capacity(0);
        Self { table, memory, paid: None, most, bound: 0, made: 0, calls: 0 }
    }

    /// Returns the table, with room for the handles that one host function may add.
    pub fn for_call(&mut self) -> &mut Self {
        self.bound += CALL;
        self.calls += 1;
        if self.bound > self.table.max_capacity() {
            self.make_room();
        }
        self
    }

    /// Returns an upper bound of how many handles were ever made. The numbers that a guest has for its handles depend on them.
    pub fn made(&self) -> u64 {
        self.made
    }

    /// Says that handles may have been made that are in no table of the host's: a denied call makes some of its own.
    pub fn elsewhere(&mut self) {
        self.made += CALL as u64;
    }

    /// Returns how many host functions used it.
    #[cfg(test)]
    pub fn calls(&self) -> u64 {
        self.calls
    }

    /// Returns the bare table, for wasmtime's own functions of `wasi:io`, with room for the handles that one of them may add.
    pub fn for_io(&mut self) -> &mut ResourceTable {
        self.made += CALL as u64;
        &mut self.for_call().table
    }

    /// Counts the handles, and buys room if little is left.
    #[cold]
    fn make_room(&mut self) {
        let room = self.table.max_capacity();
        let there = self.table.iter_mut().count();
        self.bound = there + CALL;
        // While a quarter is free, the next count is not needed soon.
        if room >= self.most || (self.bound <= room && there <= room - room / 4) {
            return;
        }
        let wanted = [(room * 2).max(FIRST), (there + CALL).max(room)].map(|wanted| wanted.min(self.most));
        for wanted in wanted.into_iter().filter(|wanted| *wanted > room) {
            let cost = (wanted - room) as u64 * HANDLE_COST;
            // A refusal is reported to the user, so optional room is not asked for when there is none.
            if there < room && self.memory.left() < cost {
                continue;
            }
            let paid = match &mut self.paid {
                Some(paid) => paid.grow(cost),
                None => {
                    self.paid = Charge::new(&self.memory, cost);
                    self.paid.is_some()
                }
            };
            if paid {
                self.table.set_max_capacity(wanted);
                return;
            }
        }
    }

    /// Adds a value.
    ///
    /// # Errors
    /// [`NoMemory`] if the account has no room, or too many handles.
    pub fn push<T: Held>(&mut self, value: T) -> wasmtime::Result<Resource<T>> {
        fits::<T>();
        self.made += 1;
        self.table.push(value).map_err(|error| self.full(error))
    }

    /// Adds a value that lives no longer than `parent`.
    ///
    /// # Errors
    /// Those of [`Handles::push`], or there is no such parent.
    pub fn push_child<T: Held, P: 'static>(&mut self, value: T, parent: &Resource<P>) -> wasmtime::Result<Resource<T>> {
        fits::<T>();
        self.made += 1;
        self.table.push_child(value, parent).map_err(|error| self.full(error))
    }

    /// Adds a value that can be waited for, and a pollable that owns it.
    ///
    /// # Errors
    /// Those of [`Handles::push`].
    pub fn push_pollable<T: Held + Pollable>(&mut self, value: T) -> wasmtime::Result<Resource<DynPollable>> {
        let value = self.push(value)?;
        self.subscribe(value)
    }

    /// Makes a pollable for a value in the table.
    ///
    /// # Errors
    /// Those of [`Handles::push`].
    pub fn subscribe<T: Held + Pollable>(&mut self, resource: Resource<T>) -> wasmtime::Result<Resource<DynPollable>> {
        self.made += 1;
        subscribe(&mut self.table, resource)
    }

    fn full(&self, error: ResourceTableError) -> wasmtime::Error {
        match error {
            ResourceTableError::Full if self.table.max_capacity() < self.most => NoMemory.into(),
            error => error.into(),
        }
    }

    /// Returns the value of a handle.
    ///
    /// # Errors
    /// There is no such handle, or it is of another kind.
    pub fn get<T: Any>(&self, handle: &Resource<T>) -> Result<&T, ResourceTableError> {
        self.table.get(handle)
    }

    /// Returns the value of a handle, for changing it.
    ///
    /// # Errors
    /// Those of [`Handles::get`].
    pub fn get_mut<T: Any>(&mut self, handle: &Resource<T>) -> Result<&mut T, ResourceTableError> {
        self.table.get_mut(handle)
    }

    /// Removes the value of a handle from the table.
    ///
    /// # Errors
    /// Those of [`Handles::get`], or the value has children.
    pub fn delete<T: Any>(&mut self, handle: Resource<T>) -> Result<T, ResourceTableError> {
        self.table.delete(handle)
    }

    /// Returns all values.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut (dyn Any + Send)> {
        self.table.iter_mut()
    }
}

/// Checks at compile time that a value and its rows are no larger than the cost of a handle.
const fn fits<T>() {
    const { assert!(size_of::<T>() + ROW_COST <= HANDLE_COST as usize, "a handle of this kind costs more than HANDLE_COST") }
}

#[cfg(test)]
mod tests {
    use super::super::charge::tests::Account;
    use super::*;

    struct Thing;

    impl Held for Thing {
        const CHARGED: &'static str = "nothing but itself";
    }

    fn fill(handles: &mut Handles) -> (usize, wasmtime::Error) {
        let mut count = 0;
        loop {
            match handles.for_call().push(Thing) {
                Ok(_) => count += 1,
                Err(error) => return (count, error),
            }
        }
    }

    #[test]
    fn every_handle_is_paid_for_and_the_account_ends_them() {
        let (account, memory) = Account::of(100 * HANDLE_COST + 1);
        let mut handles = Handles::new(memory, 1_000);
        assert_eq!(account.left(), 100 * HANDLE_COST + 1, "every handle is charged");
        let (count, error) = fill(&mut handles);
        assert_eq!((count, account.left()), (100, 1));
        assert!(error.is::<NoMemory>(), "{error}");
        drop(handles);
        assert_eq!(account.left(), 100 * HANDLE_COST + 1);
    }

    #[test]
    fn there_is_an_end_to_them_without_an_account_too() {
        let (_, memory) = Account::of(u64::MAX);
        let mut handles = Handles::new(memory, 1_000);
        let (count, error) = fill(&mut handles);
        assert_eq!(count, 1_000);
        assert!(!error.is::<NoMemory>(), "{error}");
    }

    #[test]
    fn handles_that_come_and_go_cost_what_the_first_do() {
        let (account, memory) = Account::of(u64::MAX);
        let mut handles = Handles::new(memory, 1_000);
        for _ in 0..10_000 {
            let one = handles.for_call().push(Thing).unwrap();
            handles.for_call().delete(one).unwrap();
        }
        assert_eq!(u64::MAX - account.left(), FIRST as u64 * HANDLE_COST);
    }

    #[test]
    fn what_wasmtime_puts_there_is_paid_for() {
        let (account, memory) = Account::of(64 * HANDLE_COST);
        let mut handles = Handles::new(memory, 1_000);
        let mut count = 0;
        while handles.for_io().push(0_u8).is_ok() {
            count += 1;
        }
        assert_eq!((count, account.left()), (64, 0));
    }
}
