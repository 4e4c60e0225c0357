//! Bits in a process's own memory that tell its program about a pending signal.
//!
//! A language runtime looks at a word of its own memory between two instructions of a program anyway. The host sets bits
//! in such words while a handled signal is pending, so the runtime notices signals without asking the host, at no cost
//! while none comes.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

/// Maximum words.
const MAX_FLAGS: usize = 8;

/// The linear memory of a process, for the host to write to.
pub trait OwnMemory: Send + Sync {
    /// Sets `bits` in the 32-bit word at `address`. Does nothing if that is outside the memory.
    ///
    /// # Safety
    /// None of the process's code may run meanwhile, and its instance must still exist.
    unsafe fn set_bits(&self, address: usize, bits: u32);
}

/// The words of one program, and its memory.
#[derive(Default)]
pub struct SignalFlags {
    /// Set once there is an instance, if its memory can be reached.
    memory: OnceLock<Box<dyn OwnMemory>>,
    words: Mutex<Vec<(u32, u32)>>,
    /// Whether there are words, so that a process without any pays for one load.
    any: AtomicBool,
}

impl SignalFlags {
    /// Sets the memory of the program's instance.
    pub fn attach(&self, memory: impl OwnMemory + 'static) {
        // Called once, by the code that makes the instance.
        let _ = self.memory.set(Box::new(memory));
    }

    /// Sets the words, as address and bits. Returns whether the host can write to them; if not, there are none.
    pub(super) fn set(&self, words: Vec<(u32, u32)>) -> bool {
        let possible = self.memory.get().is_some() && words.len() <= MAX_FLAGS;
        *self.words.lock() = if possible { words } else { Vec::new() };
        self.any.store(possible, Ordering::Relaxed);
        possible
    }

    /// Whether there are words.
    pub fn any(&self) -> bool {
        self.any.load(Ordering::Relaxed)
    }

    /// Sets the bits, and those of one more word.
    ///
    /// # Safety
    /// As for [`OwnMemory::set_bits`].
    pub unsafe fn raise(&self, other: Option<(u32, u32)>) {
        let Some(memory) = self.memory.get() else { return };
        for (address, bits) in self.words.lock().iter().copied().chain(other) {
            // SAFETY: the caller's promise.
            unsafe { memory.set_bits(address as usize, bits) };
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    struct Words(Arc<Mutex<Vec<(usize, u32)>>>);

    impl OwnMemory for Words {
        unsafe fn set_bits(&self, address: usize, bits: u32) {
            self.0.lock().push((address, bits));
        }
    }

    #[test]
    fn bits_are_set_where_the_program_said() {
        let (flags, written) = (SignalFlags::default(), Arc::default());
        assert!(!flags.set(vec![(4, 1)]) && !flags.any(), "there is no memory yet");
        flags.attach(Words(Arc::clone(&written)));
        assert!(!flags.any(), "what was refused is not kept");
        assert!(flags.set(vec![(4, 1), (8, 2)]) && flags.any());
        // SAFETY: there is no process.
        unsafe { flags.raise(Some((12, 4))) };
        assert_eq!(*written.lock(), [(4, 1), (8, 2), (12, 4)]);
        assert!(!flags.set(vec![(0, 1); MAX_FLAGS + 1]) && !flags.any());
        assert!(flags.set(vec![(0, 1); MAX_FLAGS]));
    }
}
