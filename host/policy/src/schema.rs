//! The schema: one row for each key of a policy. Parsing, the nearest valid key, the built-in defaults, the canonical
//! rendering and the reference in `policies/README.md` all read this table. A key with a number needs its row and the field that
//! the row names; no other list has it.

use std::ops::RangeInclusive;

use wisp_api::Limit;

use super::limits::{self, MIB};

/// What a key's value looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// A string.
    Text,
    /// A list of strings.
    Texts,
    /// `true` or `false`.
    Flag,
    /// A whole number within bounds.
    Count(RangeInclusive<u64>),
    /// A size such as `"256MiB"`, or bytes as a whole number.
    Size(RangeInclusive<u64>),
    /// A time such as `"30s"`; the bounds are in nanoseconds.
    Duration(RangeInclusive<u64>),
    /// A moment such as `"2026-01-01T00:00:00Z"`, in nanoseconds since 1970.
    Moment,
}

impl Shape {
    /// Returns whether the value is kept as a number: a count, a size, a time or a moment.
    pub(super) const fn is_number(&self) -> bool {
        match self {
            Self::Count(_) | Self::Size(_) | Self::Duration(_) | Self::Moment => true,
            Self::Text | Self::Texts | Self::Flag => false,
        }
    }
}

/// What holds when a key is absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Absent {
    /// Nothing is granted.
    Nothing,
    /// The table is not valid without it.
    Required,
    /// This value, in the unit of the shape.
    Number(u64),
    /// This text.
    Text(&'static str),
    /// `false`.
    False,
    /// What these words say.
    Prose(&'static str),
}

/// Makes the enum of keys, their rows, and `set_numbers` from one list. A key whose value is a number is written as the field that has
/// it (`limits.wall`), any other as its path (`"tools.allow"`).
macro_rules! keys {
    (($dollar:tt) $($key:ident $($path:literal)? $($table:ident.$field:ident)?: $shape:expr, $absent:expr,
        $meaning:literal, $example:literal $(, refused $refused:literal)?;)*) => {
        /// Every key of a policy.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        #[allow(missing_docs, reason = "each key's meaning is the text of its row")]
        pub enum Key { $($key,)* }

        impl Key {
            /// All keys, in the order of the reference.
            pub const ALL: &[Self] = &[$(Self::$key,)*];

            /// Returns the row of this key.
            pub fn row(self) -> Row {
                match self {
                    $(Self::$key => Row {
                        path: concat!($($path)? $(stringify!($table), ".", stringify!($field))?),
                        shape: $shape,
                        absent: $absent,
                        meaning: $meaning,
                        refused: concat!($($refused)?),
                        example: $example,
                    },)*
                }
            }
        }

        $(const _: () = assert!(
            $shape.is_number() != stringify!($($field)?).is_empty(),
            concat!(stringify!($key), ": a key with a number, and no other, is written as the field that has it"),
        );)*

        /// Sets the field of each key with a number, as `number` gives it in the unit of the key's shape. `numbers` has the tables.
        macro_rules! set_numbers {
            ($dollar numbers:ident, $dollar number:ident) => {
                $($($dollar numbers.$table.$field = Field::of($dollar number(Key::$key));)?)*
            };
        }
        pub(super) use set_numbers;
    };
}

/// One row of the schema.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Row {
    /// The key's path: `.` between tables, `NAME` for a name that the author chooses, `[]` after a list of tables.
    pub path: &'static str,
    /// What its value looks like.
    pub shape: Shape,
    /// What holds without it.
    pub absent: Absent,
    /// What it means.
    pub meaning: &'static str,
    /// What is an error, apart from a value of another type or out of bounds; may be empty.
    pub refused: &'static str,
    /// A valid value, as TOML.
    pub example: &'static str,
}

use Absent::{False, Nothing, Number, Prose, Required, Text as Default};
use Shape::{Count, Duration, Flag, Moment, Size, Text, Texts};

const SECOND: u64 = 1_000_000_000;
/// 2026-01-01T00:00:00Z.
const NEW_YEAR_2026: u64 = 1_767_225_600 * SECOND;

keys! {
    ($)

    Name "name": Text, Prose("the file's name without `.toml`; never that of the policy it extends"),
        "what receipts, `explain` and the guest call the policy", "\"research\"",
        refused "an empty name, control characters, more than 128 bytes";
    Extends "extends": Text, Nothing,
        "the policy this one starts from: the name of a shipped policy, or a path relative to this file (with a `/` or ending in `.toml`)", "\"offline\"",
        refused "an unknown name, a file that cannot be read, a cycle, more than 16 policies";

    Allow "tools.allow": Texts, Nothing,
        "the shipped tools on PATH, each with all its programs: `sh` (also `bash`), `coreutils` (`ls`, `cat`, `grep`, `find` and so on), `text` (`sed`, `awk`, `diff` and so on), `data` (`jq`, `yq`, `host`), `archive` (`tar`, `gzip`, `zip` and so on), `images` (`djpeg`, `cjpeg`), `rg`, `curl` (also `wget`), `python3` (also `python`)", "[\"sh\", \"python3\"]",
        refused "an unknown tool, a tool listed twice";
    Python "tools.python": Text, Nothing,
        "the image that `python3` is in place of the shipped one: `data` is CPython 3.15 with numpy, pandas, scipy, scikit-learn and matplotlib imported. It is built once on this machine (`toolchain/just python-data`, then `wisp prepare --image data`)", "\"data\"",
        refused "any other word, a session without `python3`";
    ToolPath "tools.custom.NAME.path": Text, Required,
        "a component of yours, relative to this file; naming it here puts `NAME` on PATH", "\"./jwt.wasm\"",
        refused "an empty path, a file that does not exist; as `NAME` a shipped tool's name, or anything but letters, digits, `.`, `_`, `+` and `-`, at most 64";
    ToolSha256 "tools.custom.NAME.sha256": Text, Nothing,
        "the SHA-256 that the component must have, 64 hexadecimal digits; otherwise the session does not start", "\"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\"",
        refused "anything but 64 hexadecimal digits";
    ToolNetwork "tools.custom.NAME.network": Flag, False,
        "whether the tool, and with it everything that it starts, may use the session's network; it can only be narrower than its session, so `true` needs `[network]`", "false",
        refused "`true` where the session has no network";
    ToolHost "tools.custom.NAME.host": Flag, False,
        "whether the tool, and with it everything that it starts, may call the session's functions of the host; `true` needs `[host]`", "false",
        refused "`true` where the session has no `[host]`";

    ImportComponent "imports.NAME.component": Text, Required,
        "a component of yours that satisfies the import `NAME` (an interface without its version, such as `wasi:http/outgoing-handler`) of tools, in front of what this policy grants. What it imports itself is decided by this policy, so it can have no more than the tool behind it; relative to this file", "\"./audit-proxy.wasm\"",
        refused "an empty path, a file that does not exist, a component that does not export the interface or whose types do not fit, a tool without the import; as `NAME` a name with a version, `wisp:sandbox/threads`";
    ImportSha256 "imports.NAME.sha256": Text, Nothing,
        "the SHA-256 that the component must have, 64 hexadecimal digits; otherwise the session does not start", "\"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\"",
        refused "anything but 64 hexadecimal digits";
    ImportTools "imports.NAME.tools": Texts, Prose("every tool with the import"),
        "the tools that it is for", "[\"python3\"]",
        refused "a tool that the session does not have, an empty list";

    Quota filesystem.quota: Size(limits::QUOTA), Number(256 * MIB),
        "bytes that the sandbox's own files may have; a guest that wants more sees ENOSPC", "\"256MiB\"";
    MaxFiles filesystem.max_files: Count(limits::FILES), Number(100_000),
        "files, directories and links that may exist; a guest that wants more sees ENOSPC", "100000";
    MountHost "filesystem.mount[].host": Text, Required,
        "a directory or regular file of the host, relative to this file; it must exist, and no symbolic link leads out of it", "\"./data\"",
        refused "an empty path, one that does not exist, a device, pipe or socket, a kernel filesystem (`/proc`, `/sys`); for writing: a directory that holds this policy, one it extends, a tool, `network.ca`, or wisp's own files";
    MountGuest "filesystem.mount[].guest": Text, Required,
        "where the sandbox sees it: an absolute path outside `/usr`, `/bin`, `/dev`, `/etc`, `/proc` and the output directory, not inside another mount", "\"/mnt/input\"",
        refused "a path that is relative or not normalised, one that covers a directory of the sandbox, the output or another mount; more than 64 mounts";
    MountAccess "filesystem.mount[].access": Text, Default("read"),
        "`read`, `write` (the host's files change) or `overlay` (reads fall through, writes stay in memory)", "\"read\"",
        refused "any other word";

    AllowUrl "network.allow[].url": Text, Required,
        "scheme, host (or `*.` and a suffix), port and the beginning of the path that requests may have", "\"https://api.github.com/repos/\"",
        refused "a query, a fragment, a user name, spaces, `..`, another scheme, numbers that are not four plain decimals as a host";
    AllowMethods "network.allow[].methods": Texts, Prose("`GET` and `HEAD`"),
        "the methods they may have", "[\"GET\"]",
        refused "any word but `GET`, `HEAD`, `POST`, `PUT`, `PATCH`, `DELETE` and `OPTIONS`";
    AllowPrivate "network.allow[].allow_private": Flag, False,
        "whether the host may have addresses of private networks and of this machine; otherwise only public ones, and those that the policy names", "true";
    AllowAddresses "network.allow[].addresses": Texts, Nothing,
        "addresses and networks that the host may have, whatever they are", "[\"10.0.0.5\", \"10.1.0.0/16\"]",
        refused "anything but addresses and networks";
    MaxRequests network.max_requests: Count(limits::REQUESTS), Number(100),
        "requests of a session", "50";
    MaxRequestsPerMinute network.max_requests_per_minute: Count(limits::REQUESTS_PER_MINUTE), Number(1_000),
        "requests of a session within any sixty seconds; one more is an error that says when to try again", "60";
    MaxConcurrent network.max_concurrent: Count(limits::CONCURRENT_REQUESTS), Number(64),
        "requests of a session at once; one more waits for its turn", "64";
    MaxRequest network.max_request: Size(limits::REQUEST), Number(10 * MIB),
        "bytes of the body of one request", "\"10MiB\"";
    MaxResponse network.max_response: Size(limits::RESPONSE), Number(10 * MIB),
        "bytes of the body of one response, which is cut off there", "\"10MiB\"";
    MaxBytes network.max_bytes: Size(limits::NETWORK_BYTES), Number(1024 * MIB),
        "bytes of the bodies of all requests and responses of a session together; the body that exceeds it is cut off there", "\"1GiB\"";
    ConnectTimeout network.connect_timeout: Duration(limits::TIME), Number(10 * SECOND),
        "time until a request has a connection: waiting for its turn, looking up the name, TCP, TLS", "\"10s\"";
    FirstByteTimeout network.first_byte_timeout: Duration(limits::TIME), Number(30 * SECOND),
        "time from the connection to the head of the response", "\"30s\"";
    NetworkTimeout network.timeout: Duration(limits::TIME), Number(300 * SECOND),
        "time of a request and its response as a whole", "\"5m\"";
    NetworkCa "network.ca": Text, Nothing,
        "a file of certificates (PEM), relative to this file, that are trusted in addition to Mozilla's, such as a company's own", "\"./company-ca.pem\"",
        refused "a file that does not exist, or holds no certificate";
    ReceiptQuery "network.receipt_query": Flag, False,
        "whether receipts contain the query of URLs, which may hold private data", "false";
    SecretHost "network.secret[].host": Text, Required,
        "the one host that receives the secret", "\"api.github.com\"",
        refused "a host with `*`, or anything that is not a host";
    SecretHeader "network.secret[].header": Text, Prose("`query` or `body_field` says where it goes"),
        "the one header that carries it", "\"Authorization\"",
        refused "what is not a header's name, or a header that wisp sets itself; a second place";
    SecretQuery "network.secret[].query": Text, Prose("`header` or `body_field` says where it goes"),
        "the one parameter of the query that carries it", "\"api_key\"",
        refused "anything but letters, digits, `_`, `-` and `.`; a second place";
    SecretBodyField "network.secret[].body_field": Text, Prose("`header` or `query` says where it goes"),
        "the one field of the body, a form or a JSON object, that carries it; such a body may have at most 1 MiB", "\"token\"",
        refused "anything but letters, digits, `_`, `-` and `.`; a second place";
    SecretValueFromEnv "network.secret[].value_from_env": Text, Required,
        "the variable of the host's environment that holds it; the guest's variable of that name holds a placeholder", "\"GITHUB_TOKEN\"",
        refused "a variable that is not set when a session starts, is in `[env]` too, or in another secret";
    SecretFormat "network.secret[].format": Text, Default("{}"),
        "what is sent where the guest writes the placeholder alone, with `{}` for the secret", "\"Bearer {}\"",
        refused "a text without `{}`, or with two; control characters";
    SecretForks "network.secret[].forks": Flag, False,
        "whether forks of a session may send it too", "false";

    HostAllow "host.allow": Texts, Nothing,
        "the functions of the host program that code in the sandbox may call, by name; without it there are none, whatever the program registers", "[\"search\"]",
        refused "anything but letters, digits and `_`, at most 64, no digit first; a function listed twice, more than 1024";
    HostForks "host.forks": Texts, Nothing,
        "which of these functions forks of a session may call too", "[\"search\"]",
        refused "a function that `host.allow` does not list, one listed twice";
    MaxCalls host.max_calls: Count(limits::HOST_CALLS), Number(10_000),
        "calls of a session, with those that fail; one more is an error", "1000";
    MaxConcurrentCalls host.max_concurrent: Count(limits::CONCURRENT_CALLS), Number(64),
        "calls of a session at once; one more waits for its turn", "64";
    MaxArguments host.max_arguments: Size(limits::ARGUMENTS), Number(MIB),
        "bytes of the arguments of one call", "\"1MiB\"";
    MaxResult host.max_result: Size(limits::RESULT), Number(10 * MIB),
        "bytes of the result of one call, all items of a stream together; a call with more fails", "\"10MiB\"";
    MaxCallBytes host.max_bytes: Size(limits::HOST_BYTES), Number(1024 * MIB),
        "bytes of the arguments and results of all calls of a session together; a call with more fails", "\"1GiB\"";
    CallTimeout host.timeout: Duration(limits::TIME), Number(60 * SECOND),
        "time of a call, with waiting for its turn and to the end of its stream; then it fails", "\"60s\"";

    McpName "host.mcp[].name": Text, Required,
        "a server of the Model Context Protocol, by a name of yours: its tool `search_issues` is the function `github_search_issues`", "\"github\"",
        refused "anything but letters, digits and `_`, at most 32, a letter first; a name that is there twice, more than 16 servers";
    McpCommand "host.mcp[].command": Texts, Prose("`url` says where the server is"),
        "the program that is the server, with its arguments: it is started outside the sandbox, in the folder `/`, and speaks the protocol over its standard input and output", "[\"npx\", \"-y\", \"@modelcontextprotocol/server-github\"]",
        refused "no program, one whose path is relative, more than 64 KiB; `url` beside it, or neither of the two";
    McpUrl "host.mcp[].url": Text, Prose("`command` says which program the server is"),
        "where the server is that speaks the protocol over HTTP; over `https`, the certificates of `network.ca` are trusted too, and no redirect is followed", "\"https://mcp.example.com/mcp\"",
        refused "`http`, except on this machine (`127.0.0.0/8`, `[::1]`, `localhost`); a user name, a fragment, spaces, `..`, more than 4 KiB";
    McpFromEnv "host.mcp[].from_env": Texts, Nothing,
        "the variables of the host's environment that the program gets, beside `PATH`, `HOME`, `USER`, `LOGNAME`, `LANG` and `TMPDIR`; the sandbox sees none of them", "[\"GITHUB_TOKEN\"]",
        refused "what is not a variable's name; a variable that is not set when a session starts; `url` instead of `command`";
    McpBearerEnv "host.mcp[].bearer_env": Text, Nothing,
        "the variable of the host's environment whose value the server at `url` gets with each request, as `Authorization: Bearer …`; the sandbox does not see it", "\"GITHUB_TOKEN\"",
        refused "what is not a variable's name; a variable that is not set when a session starts, or holds fewer than 4 characters, or any that a header cannot have; `command` instead of `url`";
    McpAllow "host.mcp[].allow": Texts, Required,
        "the tools that code in the sandbox may call, by the names that the server gives them; in the name of the function, what is not a letter or a digit is `_`", "[\"search_issues\"]",
        refused "`*`, control characters, more than 128 bytes; a function with more than 64 characters, one that is there twice; a tool that the server does not have when a session starts";

    PythonIndex "python.index": Text, Nothing,
        "the package index that `pip` installs from: GET and HEAD are allowed below this URL, and `PIP_INDEX_URL` is set", "\"https://pypi.example/simple/\"",
        refused "what `network.allow[].url` refuses; together with `[determinism]`";
    PythonFiles "python.files": Texts, Nothing,
        "where the index's links lead, if that is another place: GET and HEAD are allowed below these URLs", "[\"https://files.example/packages/\"]",
        refused "what `network.allow[].url` refuses";
    PythonWheels "python.wheels": Text, Nothing,
        "a folder of wheels, relative to this file, that `pip` installs from: it is mounted at `/mnt/wheels` for reading; without `python.index`, pip asks no index", "\"./wheels\"",
        refused "what `filesystem.mount[].host` refuses; another mount at `/mnt/wheels`";

    EnvVar "env.vars.NAME": Text, Nothing,
        "a variable of the guest's environment; nothing is inherited from the host's", "\"C.UTF-8\"",
        refused "an empty name, `=` or a control character in it, NUL in a value, more than 1 MiB in all";

    OutputPath "output.path": Text, Default("/output"),
        "the directory whose files are handed back, including dotfiles: an absolute path outside `/usr`, `/bin`, `/dev`, `/etc`, `/proc` and every mount", "\"/output\"",
        refused "a path that is relative or not normalised, one that covers a directory of the sandbox or a mount";
    OutputFiles output.max_files: Count(limits::OUTPUT_FILES), Number(1_000),
        "files handed back; the rest is left out and the outcome lists it, as are names with control characters or marks of writing direction", "100";
    OutputBytes output.max_bytes: Size(limits::OUTPUT_BYTES), Number(64 * MIB),
        "bytes handed back, all files together", "\"64MiB\"";

    Wall limits.wall: Duration(limits::TIME), Number(60 * SECOND),
        "time a command may take; then it ends with status 124", "\"30s\"";
    Cpu limits.cpu: Duration(limits::TIME), Number(30 * SECOND),
        "processor time of a command, all processes together; then it ends with status 137", "\"10s\"";
    Memory limits.memory: Size(limits::MEMORY), Number(512 * MIB),
        "memory of all processes together; a process that asks for more is refused, and ends with status 137 unless its program can do without; the outcome names the limit in either case", "\"256MiB\"";
    Instructions limits.instructions: Count(limits::INSTRUCTIONS), Number(0),
        "instructions of a command, counted by an engine of its own at about half the speed; 0 is no limit. A second of computing takes 5,000,000,000 to 10,000,000,000, a turn of an empty loop in Python about 1,000", "0";
    Processes limits.processes: Count(limits::PROCESSES), Number(64),
        "processes at once; a process that starts one more ends with status 137", "64";
    Stdout limits.stdout: Size(limits::STREAM), Number(16 * MIB),
        "bytes of standard output; a command that writes more ends with status 137", "\"1MiB\"";
    Stderr limits.stderr: Size(limits::STREAM), Number(16 * MIB),
        "bytes of standard error; a command that writes more ends with status 137", "\"1MiB\"";
    OpenFiles limits.open_files: Count(limits::OPEN_FILES), Number(256),
        "open files of a process; one more is EMFILE", "256";
    Denials limits.denials: Count(limits::DENIALS), Number(10_000),
        "refused attempts of a command: files of a mount, functions that were composed away, programs, requests; the last one ends it with status 137", "1000";

    Seed determinism.seed: Count(limits::SEED), Number(0),
        "the seed of all randomness", "42";
    Clock determinism.clock: Moment, Number(NEW_YEAR_2026),
        "the time at which the session's clocks start", "\"2026-01-01T00:00:00Z\"",
        refused "a time without an offset, before 1970 or after 2553";
}

impl Key {
    /// Returns the key's path, as messages name it.
    pub fn path(self) -> &'static str {
        self.row().path
    }

    /// Returns the last part of the path: the word to the left of `=`.
    pub fn word(self) -> &'static str {
        self.path().rsplit('.').next().unwrap_or_default()
    }

    /// Returns the path of the table that the key is in; empty for the keys at the top of the file.
    pub(super) fn table(self) -> &'static str {
        self.path().rsplit_once('.').map_or("", |(table, _)| table)
    }

    /// Returns the default in the unit of the shape; 0 for keys without one.
    pub(super) fn default_number(self) -> u64 {
        match self.row().absent {
            Number(number) => number,
            Nothing | Required | Default(_) | False | Prose(_) => 0,
        }
    }

    /// Returns the default text; empty for keys without one.
    pub(super) fn default_text(self) -> &'static str {
        match self.row().absent {
            Default(text) => text,
            Nothing | Required | Number(_) | False | Prose(_) => "",
        }
    }
}

impl From<Limit> for Key {
    fn from(limit: Limit) -> Self {
        match limit {
            Limit::Wall => Self::Wall,
            Limit::Cpu => Self::Cpu,
            Limit::Memory => Self::Memory,
            Limit::Instructions => Self::Instructions,
            Limit::Processes => Self::Processes,
            Limit::Stdout => Self::Stdout,
            Limit::Stderr => Self::Stderr,
            Limit::Denials => Self::Denials,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_named_by_its_key() {
        for limit in Limit::ALL {
            assert_eq!(Key::from(limit).path(), limit.as_str());
        }
    }

    #[test]
    fn every_default_is_within_its_bounds() {
        for key in Key::ALL {
            let row = key.row();
            if let (Number(number), Count(bounds) | Size(bounds) | Duration(bounds)) = (&row.absent, &row.shape) {
                assert!(bounds.contains(number), "{}", row.path);
            }
            assert_eq!(matches!(row.absent, Number(_)), row.shape.is_number(), "{}", row.path);
        }
    }
}
