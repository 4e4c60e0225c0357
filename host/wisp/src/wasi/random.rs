//! `wasi:random`: the host's entropy, or a seeded stream under `[determinism]`.

use std::sync::Arc;

use parking_lot::Mutex;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use wasmtime::component::HasData;

use super::bindings::wasi::random::{insecure, insecure_seed, random};
use super::context::{Part, WasiView};

/// Maximum bytes of one call: 1 MiB. Asking for more traps. Attack: a guest that makes the host allocate 64 MiB.
const MAX_BYTES: u64 = 1 << 20;

/// Where a process's randomness comes from. Clones share one stream.
#[derive(Clone)]
pub struct ProcessRandom(Source);

/// A position in the streams of a seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamPosition {
    /// Which stream.
    pub stream: u64,
    /// Words (32 bits) that it has produced.
    pub word: u128,
}

#[derive(Clone)]
enum Source {
    Host,
    Seeded(Arc<Mutex<ChaCha20Rng>>),
}

impl ProcessRandom {
    /// Returns the operating system's entropy.
    pub fn host() -> Self {
        Self(Source::Host)
    }

    /// Returns a stream that depends only on the policy's seed and the number of the process in its session.
    pub fn seeded(seed: u64, stream: u64) -> Self {
        let mut random = ChaCha20Rng::seed_from_u64(seed);
        random.set_stream(stream);
        Self(Source::Seeded(Arc::new(Mutex::new(random))))
    }

    /// Returns a seeded stream that continues at `position`.
    pub fn seeded_at(seed: u64, position: StreamPosition) -> Self {
        let mut random = ChaCha20Rng::seed_from_u64(seed);
        random.set_stream(position.stream);
        random.set_word_pos(position.word);
        Self(Source::Seeded(Arc::new(Mutex::new(random))))
    }

    /// Returns how far a seeded stream has come; `None` for entropy, which has no position.
    pub fn position(&self) -> Option<StreamPosition> {
        let Source::Seeded(random) = &self.0 else { return None };
        let random = random.lock();
        Some(StreamPosition { stream: random.get_stream(), word: random.get_word_pos() })
    }

    /// Returns a source that continues from here independently: a seeded one gives what this one would give next.
    pub fn fork(&self) -> Self {
        match &self.0 {
            Source::Host => Self(Source::Host),
            Source::Seeded(random) => {
                let state = random.lock().clone();
                Self(Source::Seeded(Arc::new(Mutex::new(state))))
            }
        }
    }

    /// Returns `len` random bytes.
    pub fn bytes(&self, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        match &self.0 {
            // The kernel's generator does not fail once it is seeded, which happens long before a program can run this.
            // Bytes that are not random would be worse than stopping.
            Source::Host => getrandom::fill(&mut bytes).expect("the operating system gives entropy"),
            Source::Seeded(random) => {
                random.lock().fill_bytes(&mut bytes);
            }
        }
        bytes
    }

    fn array<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        bytes.copy_from_slice(&self.bytes(N));
        bytes
    }

    fn u64(&self) -> u64 {
        u64::from_le_bytes(self.array())
    }
}

/// The part of a process that `wasi:random` sees.
pub(super) struct HasRandom;

impl HasData for HasRandom {
    type Data<'a> = &'a mut ProcessRandom;
}

impl Part for HasRandom {
    fn of(view: WasiView<'_>) -> &mut ProcessRandom {
        &mut view.ctx.random
    }
}

impl ProcessRandom {
    fn random_bytes(&self, len: u64) -> wasmtime::Result<Vec<u8>> {
        if len > MAX_BYTES {
            wasmtime::bail!("{len} random bytes asked for in one call; at most {MAX_BYTES} are given");
        }
        Ok(self.bytes(len as usize))
    }
}

impl random::Host for ProcessRandom {
    fn get_random_bytes(&mut self, len: u64) -> wasmtime::Result<Vec<u8>> {
        self.random_bytes(len)
    }

    fn get_random_u64(&mut self) -> wasmtime::Result<u64> {
        Ok(Self::u64(self))
    }
}

impl insecure::Host for ProcessRandom {
    fn get_insecure_random_bytes(&mut self, len: u64) -> wasmtime::Result<Vec<u8>> {
        self.random_bytes(len)
    }

    fn get_insecure_random_u64(&mut self) -> wasmtime::Result<u64> {
        Ok(Self::u64(self))
    }
}

impl insecure_seed::Host for ProcessRandom {
    fn insecure_seed(&mut self) -> wasmtime::Result<(u64, u64)> {
        // The operating system is asked once.
        let both = u128::from_le_bytes(self.array());
        Ok((both as u64, (both >> 64) as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::{ProcessRandom, insecure_seed};

    #[test]
    fn a_seed_gives_the_same_bytes_and_each_stream_its_own() {
        let first = ProcessRandom::seeded(42, 1).bytes(64);
        assert_eq!(first, ProcessRandom::seeded(42, 1).bytes(64));
        assert_ne!(first, ProcessRandom::seeded(42, 2).bytes(64));
        assert_ne!(first, ProcessRandom::seeded(43, 1).bytes(64));
        assert_ne!(ProcessRandom::host().bytes(64), ProcessRandom::host().bytes(64));
    }

    #[test]
    fn a_seed_of_two_words_is_the_next_two_words() {
        let (mut both, one_by_one) = (ProcessRandom::seeded(42, 1), ProcessRandom::seeded(42, 1));
        let words = (one_by_one.u64(), one_by_one.u64());
        assert_eq!(insecure_seed::Host::insecure_seed(&mut both).unwrap(), words);
        assert_eq!(both.position(), one_by_one.position());
    }

    #[test]
    fn a_stream_goes_on_where_it_was() {
        for given in [0, 1, 4, 63, 64, 255, 256, 257, 1000] {
            let random = ProcessRandom::seeded(42, 7);
            random.bytes(given);
            let again = ProcessRandom::seeded_at(42, random.position().expect("it is seeded"));
            assert_eq!(again.bytes(600), random.bytes(600), "after {given} bytes");
        }
        assert_eq!(ProcessRandom::host().position(), None);
    }
}
