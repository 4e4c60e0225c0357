//! The bounds of policies. Every constant names the attack or mistake that it stops, and the reason for the number.

use std::ops::RangeInclusive;

const KIB: u64 = 1 << 10;
pub(super) const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;
const MS: u64 = 1_000_000;
const HOUR: u64 = 3600 * 1000 * MS;

// The text of a policy.

/// Attack: a text of gigabytes that exhausts the host before anything is checked. 1 MiB is a thousand times the
/// longest shipped policy.
pub const POLICY_BYTES: u64 = MIB;
/// Attack: a chain of `extends` through symbolic links that never names a file twice. A reviewer can follow a few
/// layers; 16 is generous.
pub(crate) const EXTENDS_DEPTH: usize = 16;
/// Attack: a megabyte of unknown keys, each drawn with its surroundings, which takes minutes. A hundred findings are
/// more than a person reads.
pub(crate) const FINDINGS_MAX: usize = 100;
/// Attack: a megabyte-long name in a message. 80 characters are one line of a terminal.
pub(crate) const QUOTED_MAX: usize = 80;
/// Attack: a megabyte-long line, drawn for each of a hundred findings in it. Longer lines are named, not drawn.
pub(crate) const DRAWN_MAX: usize = 2000;
/// Mistake: a name that does not fit into the tables of `explain`.
pub(crate) const NAME_BYTES: usize = 128;
/// Attack: thousands of mounts, each an open directory of the host. 64 leaves most of the 1,024 descriptors that a
/// process usually has.
pub(crate) const MOUNTS: usize = 64;
/// Attack: thousands of components, each compiled before the session starts.
pub(crate) const CUSTOM_TOOLS: usize = 256;
/// Attack: hundreds of components in each process, each with an instance and memory of its own.
pub(crate) const IMPORTS: usize = 64;
/// Maximum length of a tool's name: it is a file name in the sandbox, and must fit into messages.
pub(crate) const TOOL_NAME_BYTES: usize = 64;
/// Attack: an environment that leaves a program no room for arguments: at start, both together may have 2 MiB. This
/// is half of it.
pub(crate) const ENV_BYTES: usize = MIB as usize;
/// Maximum length of a path, as in the sandbox's filesystem.
pub(crate) const PATH_BYTES: usize = 4096;
/// Maximum length of a name in a path, as in the sandbox's filesystem.
pub(crate) const PATH_NAME_BYTES: usize = 255;

// Bounds of the values. The lower bounds reject a policy under which nothing can run; the upper bounds catch a wrong
// unit (`GiB` for `MiB`) that would switch a limit off.

/// `filesystem.quota`. It is host memory: 64 GiB is more than typical machines give to one sandbox. 4 KiB holds a
/// script.
pub(crate) const QUOTA: RangeInclusive<u64> = 4 * KIB..=64 * GIB;
/// `filesystem.max_files`. A file costs the host some 400 bytes in addition to its contents, 700 with a name of 255
/// bytes: ten million files take 4 to 7 GB.
pub(crate) const FILES: RangeInclusive<u64> = 1..=10_000_000;
/// `output.max_files`. Each is one entry of a JSON document that a person or a model reads.
pub(crate) const OUTPUT_FILES: RangeInclusive<u64> = 1..=100_000;
/// `output.max_bytes`. The same bound as for the filesystem that contains it.
pub(crate) const OUTPUT_BYTES: RangeInclusive<u64> = 1..=64 * GIB;
/// `limits.wall` and `limits.cpu`, in nanoseconds. The interrupting clock ticks every few milliseconds; a command
/// that runs for more than a day is a service, which does not belong in a sandbox.
pub(crate) const TIME: RangeInclusive<u64> = 10 * MS..=24 * HOUR;
/// `limits.memory`. The smallest shipped program needs about 2 MiB. One WebAssembly memory has at most 4 GiB; 256 GiB
/// are 64 such processes.
pub(crate) const MEMORY: RangeInclusive<u64> = 2 * MIB..=256 * GIB;
/// `limits.instructions`; 0 means no limit. The engine's counter has 63 bits.
pub(crate) const INSTRUCTIONS: RangeInclusive<u64> = 0..=i64::MAX as u64;
/// `limits.processes`. Attack: a fork bomb; each process is an instance with its own stack. 4,096 is the traditional
/// limit for a user.
pub(crate) const PROCESSES: RangeInclusive<u64> = 1..=4096;
/// `limits.stdout` and `limits.stderr`. Output is kept in host memory until the command ends.
pub(crate) const STREAM: RangeInclusive<u64> = 1..=4 * GIB;
/// `limits.open_files` of one process. Eight are the three standard streams, a pipe, and a few files.
pub(crate) const OPEN_FILES: RangeInclusive<u64> = 8..=65_536;
/// `limits.denials`. Attack: a program that makes attempt after attempt and floods the receipts. Each refusal costs
/// the host a microsecond and, with a sink, a receipt of at most 2 KB: a million cost two seconds and 2 GB. With 1, a
/// command ends at its first refusal.
pub(crate) const DENIALS: RangeInclusive<u64> = 1..=1_000_000;
/// `determinism.seed`: the range of TOML integers in every implementation.
pub(crate) const SEED: RangeInclusive<u64> = 0..=i64::MAX as u64;
/// `network.max_requests`. Attack: a scan of third-party servers.
pub(crate) const REQUESTS: RangeInclusive<u64> = 1..=1_000_000;
/// `network.max_requests_per_minute`. Attack: overloading a server. The same bound as for `max_requests`.
pub(crate) const REQUESTS_PER_MINUTE: RangeInclusive<u64> = 1..=1_000_000;
/// `network.max_bytes`. Attack: data moved out or in by many requests, each of which is small enough.
pub(crate) const NETWORK_BYTES: RangeInclusive<u64> = 1..=1024 * GIB;
/// `network.max_concurrent`. Attack: a flood of connections; each costs a descriptor of the host and some 100 KiB.
pub(crate) const CONCURRENT_REQUESTS: RangeInclusive<u64> = 1..=1024;
/// `network.max_request`. Attack: data moved out in bulk.
pub(crate) const REQUEST: RangeInclusive<u64> = 0..=64 * GIB;
/// Every request is compared with every rule.
pub(crate) const NETWORK_RULES: usize = 1024;
/// Every response is searched for every secret.
pub(crate) const NETWORK_SECRETS: usize = 32;
/// `host.allow` and `host.forks`. Mistake: a list that no reviewer reads.
pub(crate) const HOST_FUNCTIONS: usize = 1024;
/// Maximum length of the name of a function of the host: a Python identifier, which must fit into messages.
pub(crate) const FUNCTION_NAME_BYTES: usize = 64;
/// `[[host.mcp]]`. Mistake: each runs beside the sandbox for as long as wisp does.
pub(crate) const MCP_SERVERS: usize = 16;
/// Maximum length of the name of a server: half of that of a function, which begins with it.
pub(crate) const MCP_NAME_BYTES: usize = 32;
/// Maximum length of the name of a tool: what the protocol recommends.
pub(crate) const MCP_TOOL_BYTES: usize = 128;
/// Maximum length of a server's command. Linux allows 128 KiB for one argument.
pub(crate) const MCP_COMMAND_BYTES: usize = 64 << 10;
/// Maximum length of a server's URL. Many servers read no longer ones than 8 KiB, with the rest of a request's first line.
pub(crate) const MCP_URL_BYTES: usize = 4 << 10;
/// `host.max_calls`. Attack: a loop that keeps the service busy. A call costs some microseconds: ten million take a
/// minute.
pub(crate) const HOST_CALLS: RangeInclusive<u64> = 1..=10_000_000;
/// `host.max_concurrent`. Attack: a flood of calls; each is a task of the service.
pub(crate) const CONCURRENT_CALLS: RangeInclusive<u64> = 1..=1024;
/// `host.max_arguments`. The host copies at most 64 MiB from a guest in one call.
pub(crate) const ARGUMENTS: RangeInclusive<u64> = 2..=32 * MIB;
/// `host.max_result`. It is copied into the memory of a process, which has at most 4 GiB.
pub(crate) const RESULT: RangeInclusive<u64> = 2..=GIB;
/// `host.max_bytes`. Attack: data moved out or in by many calls, each of which is small enough.
pub(crate) const HOST_BYTES: RangeInclusive<u64> = 1..=1024 * GIB;
/// `network.max_response`. It is kept in the sandbox's memory.
pub(crate) const RESPONSE: RangeInclusive<u64> = 1..=64 * GIB;
