//! Commands of the shell under the policy `data`: libraries, pipes, files, children, plots, messages.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use wisp_tests::wisp::{self, Ran};

/// Runs a command in a new session, with these options of `wisp run`.
fn run(options: &[&str], command: &str) -> Ran {
    let words = [&["run", "--policy", "data"], options, &["--", "sh", "-c", command]].concat();
    let words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
    wisp::run(&words, b"", Path::new(".")).unwrap_or_else(|error| panic!("{command}\n{error}"))
}

/// A command that must print this and succeed, without a word on standard error.
fn prints(command: &str, expected: &str) {
    let ran = run(&[], command);
    assert_eq!((ran.code, ran.out().as_str(), ran.err().as_str()), (Some(0), expected, ""), "{command}");
}

/// A command that must end with this status, print nothing, and say this on standard error.
fn fails(command: &str, code: i32, part: &str) {
    let ran = run(&[], command);
    assert_eq!((ran.code, ran.out().as_str()), (Some(code), ""), "{command}\n{}", ran.err());
    assert!(ran.err().contains(part), "{command}\n{}", ran.err());
}

#[test]
fn the_libraries() {
    prints("python3 -c 'import numpy; print(numpy.arange(10).sum(), (numpy.eye(3) @ numpy.ones(3)).tolist())'", "45 [1.0, 1.0, 1.0]\n");
    let groups =
        r#"python3 -c 'import pandas as pd; print(pd.DataFrame({"k": list("abcab"), "v": range(5)}).groupby("k").v.sum().to_dict())'"#;
    prints(groups, "{'a': 3, 'b': 5, 'c': 2}\n");
    let statistics = "python3 -c 'from scipy import stats; from sklearn.linear_model import LinearRegression
print(round(float(stats.ttest_ind([1, 2, 3], [4, 5, 6]).pvalue), 6))
print(LinearRegression().fit([[1], [2], [3]], [2, 4, 6]).coef_.round(6).tolist())'";
    prints(statistics, "0.021312\n[2.0]\n");
    prints("python3 -c 'import sympy; print(sympy.sqrt(8))'", "2*sqrt(2)\n");
    let excel = r#"cd /tmp && python3 -c 'import pandas as pd
pd.DataFrame({"a": [1, 2]}).to_excel("a.xlsx", index=False); print(pd.read_excel("a.xlsx").a.sum())'"#;
    prints(excel, "3\n");
}

#[test]
fn pipes_files_and_children() {
    let pipe = r"printf 'k,v\nb,1\na,2\n' | python3 -c 'import sys, pandas as pd
for row in pd.read_csv(sys.stdin).itertuples(): print(row.k, row.v)' | sort";
    prints(pipe, "a 2\nb 1\n");
    prints(r#"cd /tmp && python3 -c 'import numpy; numpy.savetxt("x", [1, 2], fmt="%d")' && cat x && ls"#, "1\n2\nx\n");
    let child = r#"python3 -c 'import subprocess
print(subprocess.run("echo child; exit 2", shell=True, capture_output=True, text=True))'"#;
    prints(child, "CompletedProcess(args='echo child; exit 2', returncode=2, stdout='child\\n', stderr='')\n");
    let again = r#"python3 -c 'import subprocess, sys
print(subprocess.check_output([sys.executable, "-c", "import numpy; print(numpy.pi)"], text=True), end="")'"#;
    prints(again, "3.141592653589793\n");
    let asynchronous = "python3 -c 'import asyncio
async def main():
    done = await asyncio.create_subprocess_exec(\"seq\", \"2\")
    return await done.wait()
print(asyncio.run(main()))'";
    prints(asynchronous, "1\n2\n0\n");
}

#[test]
fn statuses_and_exceptions() {
    fails("python3 -c 'raise SystemExit(3)'", 3, "");
    fails("python3 -c 'import numpy; numpy.linalg.inv(numpy.zeros((2, 2)))'", 1, "LinAlgError: Singular matrix");
    // C++ throws and catches.
    let thrown = "python3 -c 'import re, regex, scipy.spatial
try: scipy.spatial.ConvexHull([[0, 0], [0, 0]])
except Exception as error: print(type(error).__name__)'";
    prints(thrown, "QhullError\n");
}

#[test]
fn what_is_refused_says_why() {
    let page = r#"python3 -c 'import urllib.request; urllib.request.urlopen("http://example.com")'"#;
    fails(page, 1, "the policy grants no network");
    fails(
        "python3 -c 'import threading; threading.Thread(target=print).start()'",
        1,
        "can't start new thread: wisp runs one thread per process",
    );
}

#[test]
fn locks_work_without_threads() {
    let text = "python3 -c 'import asyncio, queue, threading
lock, work = threading.Lock(), queue.Queue()
with lock: print(lock.locked(), threading.active_count())
work.put(1); print(work.get(), threading.Event().wait(0.01))
try: lock.acquire(); lock.acquire()
except RuntimeError as error: print(str(error).splitlines()[0])
async def main():
    print(await asyncio.to_thread(threading.active_count))
asyncio.run(main())'";
    prints(text, "True 1\n1 False\ndeadlock: it waits for something that no thread can do any more\n1\n");
}

#[test]
fn a_task_of_a_pool_of_threads_that_waits_for_its_caller_is_a_deadlock() {
    let text = "python3 -c 'import queue, threading
from concurrent.futures import ThreadPoolExecutor
work, lock = queue.Queue(), threading.Lock()
with ThreadPoolExecutor(2) as pool:
    waits, works = pool.submit(work.get), pool.submit(work.put, 1)
    print(waits.result(), works.result())
    with lock: print(str(pool.submit(lock.acquire).exception()).splitlines()[:2])
    print(pool.submit(lock.acquire).result())'";
    let deadlock = r#"['deadlock: it waits for something that no thread can do any more', '  ThreadPoolExecutor-0_0 waits for "#;
    let ran = run(&[], text);
    assert_eq!((ran.code, ran.err().as_str()), (Some(0), ""));
    assert!(ran.out().starts_with(&format!("1 None\n{deadlock}")) && ran.out().ends_with("]\nTrue\n"), "{}", ran.out());
}

/// CPython's server takes it for the process that has ended, and it is lost.
#[test]
fn an_item_of_a_managers_queue_is_not_lost_to_a_process_that_was_ended() {
    let script = "cat > /tmp/a.py <<'end'
import multiprocessing as mp
def take(queue, ready):
    ready.set()
    queue.get()
if __name__ == '__main__':
    with mp.Manager() as manager:
        queue, ready = manager.Queue(), manager.Event()
        process = mp.Process(target=take, args=(queue, ready))
        process.start()
        ready.wait()
        process.terminate()
        process.join()
        queue.put('an item')
        print(queue.get(timeout=20))
end
python3 /tmp/a.py";
    prints(script, "an item\n");
}

#[test]
fn each_process_has_chance_of_its_own() {
    let draws = "a=$(python3 -c 'import numpy; print(numpy.random.rand())')
b=$(python3 -c 'import numpy; print(numpy.random.rand())'); [ \"$a\" != \"$b\" ] && echo differ";
    prints(draws, "differ\n");
    let seeded = "for i in 1 2; do python3 -c 'import numpy; print(numpy.random.default_rng(5).integers(10**9))'; done | uniq | wc -l";
    prints(seeded, "1\n");
}

#[test]
fn plots_are_results() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let command = r#"cd /tmp && python3 -c 'import matplotlib.pyplot as plt
plt.plot([1, 4, 9]); plt.title("Squares"); plt.savefig("a.png"); plt.close()
plt.hist([1, 1, 2]); plt.show()' && ls a.png"#;
    let ran = run(&["--output", &out.to_string_lossy()], command);
    assert_eq!((ran.code, ran.err().as_str()), (Some(0), ""));
    assert_eq!(ran.out(), "a.png\n", "in the folder that it was saved to");
    let mut names: Vec<String> =
        fs::read_dir(&out).expect("results").map(|entry| entry.expect("a result").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    assert_eq!(names, ["a.png", "figure-1.png"]);
    for name in names {
        assert!(fs::read(out.join(&name)).expect("a result").starts_with(b"\x89PNG\r\n\x1a\n"), "{name}");
    }
}

#[test]
fn a_figure_that_was_saved_is_not_shown_again_unless_it_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let results = |name: &str, code: &str| {
        let out = folder.path().join(name);
        let ran = run(&["--output", &out.to_string_lossy()], &format!("python3 -c 'import matplotlib.pyplot as plt\n{code}'"));
        assert_eq!((ran.code, ran.err().as_str()), (Some(0), ""), "{code}");
        let entries = fs::read_dir(&out).expect("results").map(|entry| entry.expect("a result").file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = entries.collect();
        names.sort();
        names
    };
    assert_eq!(results("once", "plt.plot([1, 4, 9]); plt.savefig(\"a.png\"); plt.show()"), ["a.png"]);
    assert_eq!(results("more", "plt.plot([1, 4]); plt.savefig(\"a.png\"); plt.title(\"t\"); plt.show()"), ["a.png", "figure-1.png"]);
}

#[test]
fn a_limit_is_named() {
    let ran = run(&["--set", "limits.memory=512MiB"], "python3 -c 'import numpy; numpy.ones(1 << 27)'");
    assert_eq!(ran.code, Some(1), "{}", ran.err());
    assert!(ran.err().contains("wisp: limits.memory = 512MiB was reached: python3 was refused memory"), "{}", ran.err());
    assert_eq!(run(&["--timeout", "2s"], "python3 -c 'import numpy\nwhile True: numpy.ones(99) @ numpy.ones(99)'").code, Some(124));
}

/// What the page says is there can be imported, and what it says is absent cannot.
#[test]
fn the_page_for_a_model_is_true() {
    let words: Vec<OsString> = ["explain", "--for-model", "--policy", "data"].map(OsString::from).into();
    let page = wisp::run(&words, b"", Path::new(".")).expect("wisp runs").out();
    let between = |from: &str, to: &str| {
        let (_, rest) = page.split_once(from).unwrap_or_else(|| panic!("{from:?} is not in\n{page}"));
        rest.split_once(to).map_or(rest, |(part, _)| part).to_owned()
    };
    let first = |entry: &str| entry.split(' ').next().unwrap_or_default().to_owned();
    let here: Vec<String> = between("its standard library and ", ". Plots").split(", ").map(first).collect();
    let absent: Vec<String> = between("packages that are not here: ", "\n").split("), ").map(first).collect();
    assert!(here.len() > 30 && absent.len() > 2, "{here:?} {absent:?}");
    let script = r#"
import importlib, sys
NAMES = {"beautifulsoup4": "bs4", "opencv": "cv2", "pillow": "PIL", "pyyaml": "yaml", "scikit-learn": "sklearn"}
here, absent = (words.split() for words in sys.argv[1:])
for name in here + absent:
    try:
        importlib.import_module(NAMES.get(name, name.replace("-", "_")))
    except ImportError as error:
        if name in here: print(name, error)
    else:
        if name in absent: print(name, "is there")
"#;
    let command = format!("python3 -c '{script}' '{}' '{}'", here.join(" "), absent.join(" "));
    prints(&command, "");
    assert!(page.contains("no `compression.zstd`"), "{page}");
    prints("python3 -c 'import importlib.util; print(importlib.util.find_spec(\"_zstd\") is not None)'", "False\n");
}

/// Without the tool that Pillow reads and writes JPEG by, it says which one that is.
#[test]
fn jpeg_needs_its_tool() {
    let command = "python3 -c 'from PIL import Image; Image.new(\"L\", (2, 2)).save(\"/tmp/a.jpg\")'";
    prints(command, "");
    let ran = run(&["--set", "tools.allow=[\"sh\", \"python3\"]"], command);
    assert_eq!((ran.code, ran.out().as_str()), (Some(1), ""), "{}", ran.err());
    assert!(ran.err().contains("OSError: JPEG needs the programs `djpeg` and `cjpeg`"), "{}", ran.err());
    assert!(ran.err().contains("`tools.allow` with \"images\""), "{}", ran.err());
}
