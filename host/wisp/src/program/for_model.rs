//! A page that describes a session, for the prompt of the model that works in it. It is made from the policy, so it
//! cannot promise what the session refuses.

use std::fmt::Write as _;
use std::time::Duration;

use wisp_components::Components;
use wisp_policy::layout::{HOME, SCRATCH, WORKSPACE};
use wisp_policy::{Access, Policy, components_of, duration_text, size_text};

/// Maximum programs of a component that the page lists by name. The page is sent with every request, so it does not
/// list all 180.
const WIDE: usize = 60;

/// The packages of every `python3`, by the names that people install them by.
const PACKAGES: &str = "attrs, beautifulsoup4, click, dateutil, defusedxml, html5lib, httpx, hypothesis, jinja2, jsonschema, markdown, \
    more-itertools, networkx, openpyxl, packaging, pygments, pypdf, pytest, pytz, pyyaml, requests, rich, sympy, tabulate, tomli-w, toolz, \
    tqdm, xlsxwriter, xmltodict";

/// What the data image has beside them.
const DATA_PACKAGES: &str = "lxml, matplotlib, numpy, pandas, pillow, regex, scikit-learn, scipy, seaborn, statsmodels";

/// What the data image lacks, a line each: what to do instead belongs to it.
const DATA_LACKS: &[&str] = &[
    "in Python: no ctypes; sockets reach processes of this session only (`localhost`, Unix sockets; streams, no datagrams); subprocess and \
     asyncio work",
    "no threads: a Python process here has one thread, so `Thread.start` raises an error, and the tasks of `ThreadPoolExecutor` and \
     `asyncio.to_thread` run one after the other while the program waits; multiprocessing works (`Pool`, `ProcessPoolExecutor`, `Manager`; \
     name the number of processes); with `n_jobs`, jobs run one after the other",
    "no `compression.zstd`: use gzip, bz2 or lzma, or the program zstd",
    "`decimal` is pure Python and slow: use integers or floats for large tables",
    "numpy does not warn of overflow, or of division by zero: test results with `numpy.isfinite`",
    "packages that are not here: orjson (use json), pydantic (dataclasses or attrs), tiktoken (count 4 characters a token), \
     opencv (pillow and scipy.ndimage)",
];

/// Describes the session that `policy` makes to a language model: programs, files, network, limits, and what is
/// missing.
///
/// Plain text of some 40 lines (Markdown), for a system prompt or a tool's description. It holds no path of the host
/// and no secret.
///
/// # Example
/// ```
/// # let components = wisp_built::components();
/// let page = wisp::explain::for_model(&components, &wisp::Policy::offline());
/// assert!(page.contains("/output") && page.contains("There is no network."));
/// ```
pub fn for_model(components: &Components, policy: &Policy) -> String {
    let mut page = String::from(
        "You run commands in a sandbox. It behaves like a small Linux machine with one user, without root and without a kernel of its own.\n",
    );
    programs(&mut page, components, policy);
    files(&mut page, policy);
    network(&mut page, policy);
    functions(&mut page, policy);
    limits(&mut page, policy);
    absent(&mut page, policy);
    page
}

/// Adds a line. Writing to a `String` cannot fail.
macro_rules! line {
    ($page:expr, $($text:tt)*) => {{ let _ = writeln!($page, $($text)*); }};
}

fn programs(page: &mut String, components: &Components, policy: &Policy) {
    line!(page, "\n## Programs");
    for tool in &policy.tools().allow {
        match tool.as_str() {
            "sh" => line!(page, "- sh (also bash): a shell that behaves as bash 5.2"),
            "python3" if policy.tools().python.is_some() => line!(
                page,
                "- python3 (also python), pip: CPython 3.15 with its standard library and {DATA_PACKAGES}, {PACKAGES}. \
                 Plots: save them in {}",
                policy.output().path
            ),
            "python3" => {
                line!(page, "- python3 (also python), pip: CPython 3.14 with its standard library and {PACKAGES}; no numpy or pandas");
            }
            "curl" => line!(page, "- curl, wget"),
            name => {
                let parts = components_of(name).filter_map(|part| components.lookup(part).ok());
                let mut applets: Vec<String> = parts.flat_map(|part| part.applets().to_vec()).collect();
                applets.sort_unstable();
                match applets.as_slice() {
                    [] => line!(page, "- {name}"),
                    names if names.len() > WIDE => {
                        line!(page, "- {} programs as on Linux (GNU's options), such as {}", names.len(), usual(names).join(", "));
                    }
                    names => line!(page, "- {}", names.join(", ")),
                }
            }
        }
    }
    for (name, tool) in &policy.tools().custom {
        let network = if policy.network().is_some() && !tool.network { "; it has no network, nor has what it starts" } else { "" };
        line!(page, "- {name}: a program of this session; try `{name} --help`{network}");
    }
}

/// Returns the names among these that people use most.
fn usual(names: &[String]) -> Vec<&str> {
    const USUAL: &[&str] =
        &["ls", "cat", "cp", "mv", "rm", "mkdir", "find", "grep", "sort", "uniq", "head", "tail", "wc", "cut", "xargs", "tee"];
    USUAL.iter().copied().filter(|usual| names.iter().any(|name| name == usual)).collect()
}

fn files(page: &mut String, policy: &Policy) {
    let (output, filesystem) = (policy.output(), policy.filesystem());
    line!(page, "\n## Files");
    let own = |path: &str| output.path != path && filesystem.mounts.iter().all(|mount| mount.guest != path);
    let workspace = if own(WORKSPACE) { format!("; {WORKSPACE}: empty, for your work") } else { String::new() };
    line!(
        page,
        "- {HOME}: where commands start{workspace}; {SCRATCH}: for scratch. They are in memory and hold {} together",
        size_text(filesystem.quota)
    );
    line!(
        page,
        "- {}: files written here are handed back when the command ends, up to {} files and {} together",
        output.path,
        output.max_files,
        size_text(output.max_bytes)
    );
    for mount in &filesystem.mounts {
        let access = match mount.access {
            Access::Read => "given to you; read only",
            Access::Write => "given to you; what you change there stays changed",
            Access::Overlay => "given to you; you may change it, and your changes last as long as this session",
        };
        line!(page, "- {}: {access}", mount.guest);
    }
    line!(page, "- Everything else (/usr, /etc) is read only. Nothing of the machine outside can be seen");
}

fn network(page: &mut String, policy: &Policy) {
    line!(page, "\n## Network");
    let Some(network) = policy.network() else {
        line!(page, "There is no network. Work with the files that you have; do not try to download anything.");
        return;
    };
    line!(page, "HTTP and HTTPS requests (curl, wget, Python's urllib, requests and httpx) reach these addresses and no others:");
    for rule in &network.allow {
        line!(page, "- {} ({})", rule.url, rule.methods.join(", "));
    }
    if network.allow.is_empty() {
        line!(page, "- none: every request is denied");
    }
    for secret in &network.secrets {
        line!(
            page,
            "- for {} use the variable {} as the credential ({}). It holds a placeholder, which is replaced on the way",
            secret.host,
            secret.variable,
            secret.place
        );
    }
    line!(
        page,
        "At most {} requests, {} within a minute, and {} of data in all. No other socket leads out, and nothing outside can connect.",
        network.max_requests,
        network.max_requests_per_minute,
        size_text(network.max_bytes)
    );
}

fn functions(page: &mut String, policy: &Policy) {
    let Some(host) = policy.host() else { return };
    let names: Vec<&str> = host.functions().collect();
    let Some(name) = names.first() else { return };
    line!(page, "\n## Functions");
    line!(page, "The program that runs this sandbox has functions for you: {}.", names.join(", "));
    let tools = policy.tools();
    if tools.contains("python3") {
        line!(page, "- in Python: `from host import {name}`, then `{name}(...)` or `await {name}.aio(...)`; `help({name})` describes it");
    }
    if tools.contains("data") {
        line!(page, "- in the shell: `host --list`, `host --help NAME`, `host NAME --key value ...`; results are JSON");
    }
    line!(
        page,
        "Call them in loops and keep their results in variables; there is no need to print what you do not need to see. At most {} calls, {} \
         at once, each of {}.",
        host.max_calls,
        host.max_concurrent,
        time(host.timeout)
    );
}

fn limits(page: &mut String, policy: &Policy) {
    let limits = policy.limits();
    line!(page, "\n## Limits");
    line!(
        page,
        "A command may take {} ({} of processor time), {} of memory and {} processes at once, and print {}. One that exceeds a limit ends \
         with status 124 (time) or 137, and what it wrote is kept.",
        time(limits.wall),
        time(limits.cpu),
        size_text(limits.memory),
        limits.processes,
        size_text(limits.stdout)
    );
    if policy.determinism().is_some() {
        line!(page, "Time and randomness are fixed: the same commands give the same bytes in every run.");
    }
}

fn absent(page: &mut String, policy: &Policy) {
    line!(page, "\n## Not here");
    line!(page, "- no package manager (apt, npm), compiler, make, git, docker, sudo, ssh or browser");
    if policy.tools().python.is_some() {
        for what in DATA_LACKS {
            line!(page, "- {what}");
        }
    } else if policy.tools().contains("python3") {
        // Behind a component of the policy it has none (`Own::Adapted`).
        let behind = policy.imports().values().any(|import| import.is_for("python3"));
        let threads = if behind { "no threads (`Thread.start` raises an error)" } else { "threads, which take turns on one processor," };
        line!(
            page,
            "- in Python: {threads} and multiprocessing (spawn: `if __name__ == \"__main__\":`, name the \
             number of processes); sockets reach processes of this session only (servers and clients at `localhost`, Unix sockets; \
             streams, no datagrams); ctypes has data (structures, arrays, pointers, buffers), and no libraries; no packages with native \
             code; subprocess and asyncio work"
        );
        line!(page, "- numpy, pandas and matplotlib are in sandboxes of the policy `data` only: say so if the work needs them");
    }
    if policy.tools().contains("python3") {
        match ["PIP_INDEX_URL", "PIP_FIND_LINKS"].iter().any(|name| policy.env().contains_key(*name)) {
            true => line!(page, "- `pip list` shows the packages that are here; `pip install` adds others, if they are pure Python"),
            false => line!(
                page,
                "- `pip list` shows the packages that are here; `pip install FILE.whl` adds a pure Python wheel; there is no index"
            ),
        }
    }
    line!(page, "- a command that is not there says what to use instead");
}

/// Returns a time as a policy writes it: `30s`.
fn time(duration: Duration) -> String {
    duration_text(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX))
}
