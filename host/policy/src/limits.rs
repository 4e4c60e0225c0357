//! The bounds that policies are held to. Every constant says which attack or mistake it stops, and why that number.

use std::ops::RangeInclusive;

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;
const MS: u64 = 1_000_000;
const HOUR: u64 = 3600 * 1000 * MS;

// The text of a policy.

/// Attack: a text of gigabytes that exhausts the host before anything is checked. 1 MiB is a thousand times the
/// longest policy we ship.
pub const POLICY_BYTES: u64 = MIB;
/// Attack: a chain of `extends` through symbolic links that never names a file twice. Nobody can review more than a
/// few layers; 16 is generous.
pub const EXTENDS_DEPTH: usize = 16;
/// Attack: a megabyte of unknown keys, each drawn with its surroundings, which takes minutes. Nobody reads more than a
/// hundred findings.
pub const FINDINGS_MAX: usize = 100;
/// Attack: a name of a megabyte in a message. 80 characters are a terminal's line.
pub const QUOTED_MAX: usize = 80;
/// Attack: a line of a megabyte, drawn for each of a hundred findings in it. Longer lines are named, not drawn.
pub const DRAWN_MAX: usize = 2000;
/// Mistake: a name that no table of `explain` has room for.
pub const NAME_BYTES: usize = 128;
/// Attack: thousands of mounts, each an open directory of the host. 64 leaves most of the 1,024 descriptors a process
/// usually has.
pub const MOUNTS: usize = 64;
/// Attack: thousands of components, each compiled before the session starts.
pub const CUSTOM_TOOLS: usize = 256;
/// The longest name of a tool: it is a file name of the sandbox, and a message has room for it.
pub const TOOL_NAME_BYTES: usize = 64;
/// Attack: an environment that leaves a program no room for arguments: both together may have 2 MiB when a process is
/// started. Half of it.
pub const ENV_BYTES: usize = MIB as usize;
/// The longest path, as in the sandbox's file system.
pub const PATH_BYTES: usize = 4096;
/// The longest name in a path, as in the sandbox's file system.
pub const PATH_NAME_BYTES: usize = 255;

// What the keys may say. The lower bounds stop a policy under which nothing can run; the upper bounds stop a slip of
// a unit (`GiB` for `MiB`) from switching a limit off.

/// `filesystem.quota`. It is host memory: 64 GiB is more than the machines we know give one sandbox. 4 KiB holds a
/// script.
pub const QUOTA: RangeInclusive<u64> = 4 * KIB..=64 * GIB;
/// `filesystem.max_files`. A file costs the host some 400 bytes besides its contents, 700 with a name of 255 bytes: ten
/// million are 4 to 7 GB.
pub const FILES: RangeInclusive<u64> = 1..=10_000_000;
/// `output.max_files`. Each is one entry of a JSON document that a person or a model reads.
pub const OUTPUT_FILES: RangeInclusive<u64> = 1..=100_000;
/// `output.max_bytes`. The same bound as the file system it lies in.
pub const OUTPUT_BYTES: RangeInclusive<u64> = 1..=64 * GIB;
/// `limits.wall` and `limits.cpu`, in nanoseconds. A tick of the interrupting clock is some milliseconds; a command of
/// more than a day is a service, and a sandbox is the wrong place for it.
pub const TIME: RangeInclusive<u64> = 10 * MS..=24 * HOUR;
/// `limits.memory`. The smallest program of ours needs about 2 MiB; one WebAssembly memory ends at 4 GiB, and 256 GiB
/// are 64 such processes.
pub const MEMORY: RangeInclusive<u64> = 2 * MIB..=256 * GIB;
/// `limits.instructions`; 0 is none. The counter of the engine has 63 bits.
pub const INSTRUCTIONS: RangeInclusive<u64> = 0..=i64::MAX as u64;
/// `limits.processes`. Attack: a fork bomb; each process is an instance with a stack of its own. 4,096 is the
/// traditional limit of a user.
pub const PROCESSES: RangeInclusive<u64> = 1..=4096;
/// `limits.stdout` and `limits.stderr`. It is kept in host memory until the command ends.
pub const STREAM: RangeInclusive<u64> = 1..=4 * GIB;
/// `limits.open_files` of one process. Eight are the three standard streams, a pipe, and a file or two.
pub const OPEN_FILES: RangeInclusive<u64> = 8..=65_536;
/// `limits.denials`. Attack: a program that tries door after door, and fills the receipts of whoever watches. Each refusal
/// costs the host a microsecond and a receipt of at most 2 KB in a sink: a million are two seconds and 2 GB. 1 ends a command with
/// the first.
pub const DENIALS: RangeInclusive<u64> = 1..=1_000_000;
/// `determinism.seed`: what TOML writes as an integer everywhere.
pub const SEED: RangeInclusive<u64> = 0..=i64::MAX as u64;
/// `network.max_requests`. Attack: a scan of other people's servers.
pub const REQUESTS: RangeInclusive<u64> = 1..=1_000_000;
/// `network.max_requests_per_minute`. Attack: a server that is asked faster than it can answer. The same bound as all of them.
pub const REQUESTS_PER_MINUTE: RangeInclusive<u64> = 1..=1_000_000;
/// `network.max_bytes`. Attack: data carried away, or brought in, in many requests, each of which is small enough.
pub const NETWORK_BYTES: RangeInclusive<u64> = 1..=1024 * GIB;
/// `network.max_concurrent`. Attack: a flood of connections; each is a descriptor of the host, and some 100 KiB.
pub const CONCURRENT_REQUESTS: RangeInclusive<u64> = 1..=1024;
/// `network.max_request`. Attack: data carried away in bulk.
pub const REQUEST: RangeInclusive<u64> = 0..=64 * GIB;
/// Every request is compared with every rule.
pub const NETWORK_RULES: usize = 1024;
/// Every response is searched for every secret.
pub const NETWORK_SECRETS: usize = 32;
/// `network.max_response`. It is kept in the sandbox's memory.
pub const RESPONSE: RangeInclusive<u64> = 1..=64 * GIB;
