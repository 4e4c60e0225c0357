//! Runs a target without a fuzzer: on inputs from a fixed seed, and on kept inputs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// The default seed. Any number works, but it must stay the same.
const SEED: u64 = 0x5769_7370;

/// SplitMix64: small, and spreads inputs well enough.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn bytes(&mut self) -> Vec<u8> {
        let len = self.next() % 400;
        (0..len).map(|_| self.next().to_le_bytes()[0]).collect()
    }
}

/// Calls `target` on the kept inputs of `name`, then on `iterations` seeded ones. A failing input is minimised before
/// it is shown.
pub(crate) fn run(name: &str, iterations: u64, target: fn(&[u8])) {
    let number = |variable: &str| std::env::var(variable).ok().and_then(|value| value.parse::<u64>().ok());
    let seed = number("WISP_FUZZ_SEED").unwrap_or(SEED);
    let iterations = number("WISP_FUZZ_ITERATIONS").unwrap_or(iterations);
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
    // No directory: no inputs were kept yet.
    for entry in std::fs::read_dir(kept).into_iter().flatten().flatten() {
        let bytes = std::fs::read(entry.path()).expect("a kept input can be read");
        check(&format!("{}", entry.path().display()), &bytes, target);
    }
    for iteration in 0..iterations {
        let mut random = Random(seed.wrapping_add(iteration));
        check(&format!("WISP_FUZZ_SEED={} WISP_FUZZ_ITERATIONS=1", seed.wrapping_add(iteration)), &random.bytes(), target);
    }
}

fn check(origin: &str, bytes: &[u8], target: fn(&[u8])) {
    let fails = |bytes: &[u8]| catch_unwind(AssertUnwindSafe(|| target(bytes))).is_err();
    if fails(bytes) {
        let small = shrink(bytes, fails);
        eprintln!("failing input ({origin}), cut down to {} bytes: {small:02x?}", small.len());
        target(&small);
        panic!("the input fails only now and then");
    }
}

/// Leaves out ever smaller pieces while the rest still fails.
fn shrink(bytes: &[u8], fails: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let mut small = bytes.to_vec();
    let mut piece = small.len().div_ceil(2).max(1);
    loop {
        let mut at = 0;
        while at < small.len() {
            let mut shorter = small.clone();
            shorter.drain(at..(at + piece).min(small.len()));
            if fails(&shorter) { small = shorter } else { at += piece }
        }
        if piece == 1 {
            break;
        }
        piece = piece.div_ceil(2);
    }
    std::panic::set_hook(hook);
    small
}
