//! Bits in a process's own memory that tell its program about a pending signal.
//!
//! A language runtime looks at a word of its own memory between two instructions of a program anyway. The host sets bits
//! in such words while a handled signal is pending, so the runtime notices signals without asking the host, at no cost
//! while none comes. The component names the words (`runtime/signal_words.rs`); only a shipped one is heard.

use std::sync::{Arc, OnceLock};

/// The linear memory of a process, for the host to write to.
pub trait OwnMemory: Send + Sync {
    /// Sets `bits` in the 32-bit word at `address`. Does nothing if that is outside the memory.
    ///
    /// # Safety
    /// None of the process's code may run in the meantime, and its instance must still exist.
    unsafe fn set_bits(&self, address: usize, bits: u32);
}

/// The words of one program, and its memory.
#[derive(Default)]
pub struct SignalFlags(OnceLock<Attached>);

/// Words, as address and bits, in a memory.
struct Attached {
    memory: Box<dyn OwnMemory>,
    words: Arc<[(u32, u32)]>,
}

impl SignalFlags {
    /// Sets the memory of the program's instance, and its words in it. Without words, nothing is ever written there.
    pub fn attach(&self, memory: impl OwnMemory + 'static, words: &Arc<[(u32, u32)]>) {
        if !words.is_empty() {
            // Called once, by the code that makes the instance.
            let _ = self.0.set(Attached { memory: Box::new(memory), words: words.clone() });
        }
    }

    /// Returns whether there are words.
    pub fn any(&self) -> bool {
        self.0.get().is_some()
    }

    /// Sets the bits, and those of one more word.
    ///
    /// # Safety
    /// As for [`OwnMemory::set_bits`].
    pub unsafe fn raise(&self, other: Option<(u32, u32)>) {
        let Some(Attached { memory, words }) = self.0.get() else { return };
        for (address, bits) in words.iter().copied().chain(other) {
            // SAFETY: the caller's promise.
            unsafe { memory.set_bits(address as usize, bits) };
        }
    }
}

#[cfg(test)]
mod tests {
    use parking_lot::Mutex;

    use super::*;

    struct Words(Arc<Mutex<Vec<(usize, u32)>>>);

    impl OwnMemory for Words {
        unsafe fn set_bits(&self, address: usize, bits: u32) {
            self.0.lock().push((address, bits));
        }
    }

    #[test]
    fn bits_are_set_where_the_component_says() {
        let (flags, written) = (SignalFlags::default(), Arc::new(Mutex::new(Vec::new())));
        // SAFETY: there is no process.
        let raise = || unsafe { flags.raise(Some((12, 4))) };
        raise();
        assert!(!flags.any() && written.lock().is_empty(), "there is no memory yet");
        flags.attach(Words(Arc::clone(&written)), &Arc::from([]));
        raise();
        assert!(!flags.any() && written.lock().is_empty(), "the component names no words");
        flags.attach(Words(Arc::clone(&written)), &Arc::from([(4, 1), (8, 2)]));
        raise();
        assert!(flags.any());
        assert_eq!(*written.lock(), [(4, 1), (8, 2), (12, 4)]);
    }
}
