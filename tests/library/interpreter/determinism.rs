//! Under `[determinism]` the same program gives the same result, byte for byte: output, files, receipts.

use wisp::{Command, Outcome};

use crate::interpreter::kit::{cell, output, python, session};

const FIXED: &str = "[determinism]\nseed = 7\nclock = \"2026-01-01T00:00:00Z\"\n[limits]\nwall = \"60s\"";

/// Four loops that write as fast as they can, two of them in Python, and results that depend on randomness and time.
const RACE: &str = r#"
for i in 1 2; do (j=0; while [ $j -lt 60 ]; do echo shell $i $j; j=$((j+1)); done) & done
for i in 3 4; do python3 -uc "
import random
for j in range(60): print('python', $i, j, random.random())
" & done
wait
echo $RANDOM $$ $(date +%s%N)
python3 -c 'import os, time, uuid; print(time.time(), time.perf_counter(), uuid.uuid4(), os.getpid(), {"b", "a", "c"})'
(yes | head -c 100000 | tr y z | sort | uniq -c) 2>&1
cat | wc -c
ls -la --full-time /home/user /tmp > /output/listing
find / -newer /etc/passwd -maxdepth 2 | sort > /output/found
"#;

async fn race(lines: &str) -> Outcome {
    let session = session(lines).await;
    let input = vec![b'x'; 300_000];
    let outcome = session.run(Command::new("sh").args(["-c", RACE]).stdin_bytes(input)).await.unwrap();
    assert!(outcome.success(), "{}", outcome.stderr_text());
    outcome
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_race_comes_out_the_same_every_time() {
    let first = race(FIXED).await;
    assert_eq!(first.stdout.iter().filter(|byte| **byte == b'\n').count(), 240 + 4);
    for round in 0..8 {
        let again = race(FIXED).await;
        assert_eq!(first.stdout_text(), again.stdout_text(), "round {round}");
        assert_eq!(first.files, again.files, "round {round}");
        assert_eq!(first.receipts, again.receipts, "round {round}");
    }
}

/// Writers that meet in one named pipe, through a descriptor and by its name.
const PIPES: &str = "cd /tmp; mkfifo p; cat p & exec 3> p; jobs=
for i in 1 2 3 4 5 6; do (for j in 1 2 3; do echo $i.$j; done) >&3 & jobs=\"$jobs $!\"; done
for i in 7 8; do python3 -c \"print($i, file=open('p', 'w'))\" & jobs=\"$jobs $!\"; done
for i in 9 10; do echo $i > p & jobs=\"$jobs $!\"; done
wait $jobs; exec 3>&-; wait";

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn named_pipes_are_joined_in_the_same_order_every_time() {
    async fn once() -> String {
        let outcome = session(FIXED).await.run(Command::new("sh").args(["-c", PIPES])).await.unwrap();
        assert!(outcome.success(), "{}", outcome.stderr_text());
        outcome.stdout_text().into_owned()
    }
    let first = once().await;
    assert_eq!(first.lines().count(), 18 + 4, "{first}");
    for _ in 0..8 {
        assert_eq!(once().await, first);
    }
}

/// Jobs that wait for one lock and record its holder.
const LOCKS: &str = "cd /tmp; flock lock true
for i in 1 2 3 4 5 6; do (for j in 1 2 3; do flock 9; echo $i.$j; flock -u 9; done) 9< lock & done
for i in 7 8; do flock lock python3 -c \"print($i)\" & done
for i in 9 10; do flock -s lock sh -c \"echo $i\" & done
wait";

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_lock_goes_round_in_the_same_order_every_time() {
    async fn once() -> String {
        let outcome = session(FIXED).await.run(Command::new("sh").args(["-c", LOCKS])).await.unwrap();
        assert!(outcome.success(), "{}", outcome.stderr_text());
        outcome.stdout_text().into_owned()
    }
    let first = once().await;
    assert_eq!(first.lines().count(), 18 + 4, "{first}");
    for round in 0..8 {
        assert_eq!(once().await, first, "round {round}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn chance_and_time_are_real_without_it() {
    let tail = |outcome: &Outcome| outcome.stdout_text().lines().rev().take(3).last().map(str::to_owned);
    let (first, second) = (race("[limits]\nwall = \"60s\"").await, race("[limits]\nwall = \"60s\"").await);
    assert_ne!(first.stdout, second.stdout);
    assert!(tail(&first).is_some());
}

/// Programs whose result depends on when a timer is due, and clocks that must agree.
const TIMERS: &[&str] = &[
    "(sleep 0.1; echo a >> f) & j=0; while [ ! -s f ]; do ((j++)); done; echo $j",
    r#"python3 -c '
import os, subprocess, time
child = subprocess.Popen(["sh", "-c", "while :; do printf x >> /tmp/log; done"])
time.sleep(0.1)
child.kill()
print(child.wait(), os.path.getsize("/tmp/log"))'"#,
    "timeout 0.3 sh -c 'while :; do printf x; done' | wc -c; echo ${PIPESTATUS[0]}",
    // Between processes: a process that starts later sees a later time, and a day of sleep takes no time on the host.
    r#"a=$(date +%s%N); sleep 86400; b=$(date +%s%N); [ $((b - a)) -ge 86400000000000 ] && echo a day; echo $((b - a))
python3 -c '
import time
for seconds in (0.001, 0.25, 3600):
    before, wall = time.monotonic(), time.time()
    time.sleep(seconds)
    after, later = time.monotonic(), time.time()
    assert after - before >= seconds and later - wall >= seconds * 0.999, (before, after)
    print(before, after, wall, later)
' && date +%s%N"#,
    // The turns of a loop at which a timer of Python's own interrupts it.
    r#"python3 -c '
import signal
ticks, turns = [], 0
signal.signal(signal.SIGALRM, lambda *_: ticks.append(turns))
signal.setitimer(signal.ITIMER_REAL, 0.01, 0.02)
while len(ticks) < 5: turns += 1
signal.alarm(3600)
signal.pause()
print(ticks, signal.getitimer(signal.ITIMER_REAL))'"#,
    // Computing takes time as well: this many instructions are some virtual milliseconds.
    "python3 -c '
import time
before = time.monotonic()
sum(range(3_000_000))
print(time.monotonic() - before > 0.01, time.monotonic())'",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn timers_come_where_the_programs_are_and_not_when_the_host_has_time() {
    for script in TIMERS {
        let mut outputs = Vec::new();
        for _ in 0..5 {
            let outcome = session(FIXED).await.run(Command::new("sh").args(["-c", script])).await.unwrap();
            assert!(outcome.success(), "{script}: {}", outcome.stderr_text());
            outputs.push(outcome.stdout_text().into_owned());
        }
        assert!(!outputs[0].is_empty() && outputs.iter().all(|text| *text == outputs[0]), "{script}: {outputs:#?}");
        // The processes did what they do until the timer was due, and no more.
        assert!(outputs[0] != "0\n" && !outputs[0].contains("False"), "{script}: {outputs:#?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_wait_for_a_mount_or_a_program_takes_no_virtual_time() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "x".repeat(3_000_000)).unwrap();
    let mut outputs = Vec::new();
    for _ in 0..3 {
        let lines = format!("{FIXED}\n[[filesystem.mount]]\nhost = {:?}\nguest = \"/mnt/w\"\naccess = \"write\"", folder.path());
        // By the host's clock, the timers would be due long before the host has done all of it.
        let script = "for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.0001; echo $i; done > /tmp/steps &
            cat /mnt/w/file | sha256sum; find /mnt/w | wc -l; cat /tmp/steps | wc -l; awk 'BEGIN { print 1 }'; date +%s%N; wait; date +%s%N";
        let outcome = session(&lines).await.run(Command::new("sh").args(["-c", script])).await.unwrap();
        assert!(outcome.success(), "{}", outcome.stderr_text());
        outputs.push(outcome.stdout_text().into_owned());
    }
    assert!(outputs.iter().all(|text| *text == outputs[0]), "{outputs:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn instructions_run_out_at_the_same_place() {
    let mut outputs = Vec::new();
    for _ in 0..4 {
        let lines = format!("{FIXED}\ninstructions = 120_000_000");
        let script = "for i in 1 2 3; do (j=0; while :; do echo $i $j; ((j++)); done) & done; wait";
        let outcome = session(&lines).await.run(Command::new("sh").args(["-c", script])).await.unwrap();
        assert_eq!(outcome.limit.as_ref().map(|hit| hit.limit.as_str()), Some("limits.instructions"));
        assert!(outcome.stdout.len() > 100, "they ran");
        outputs.push(outcome.stdout);
    }
    assert!(outputs.iter().all(|bytes| *bytes == outputs[0]), "{:?}", outputs.iter().map(Vec::len).collect::<Vec<_>>());
}

/// A cell that computes beside a child that writes as fast as it can: how far the child has come, repeatedly.
const BESIDE: &str = r#"
seen = []
for _ in range(40):
    total = sum(number * number for number in range(20_000))
    seen.append(os.path.getsize("/tmp/log") if os.path.exists("/tmp/log") else 0)
print(seen)
"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_cell_and_its_background_processes_run_in_lockstep() {
    let mut outputs = Vec::new();
    for round in 0..4 {
        let mut interpreter = python(FIXED).await;
        let start = "import os, subprocess; child = subprocess.Popen(['sh', '-c', 'while :; do echo line >> /tmp/log; done'])";
        output(&mut interpreter, start).await;
        let mut text = String::new();
        for _ in 0..3 {
            text += &output(&mut interpreter, BESIDE).await;
            // Any real time may pass here, because nothing runs meanwhile.
            for _ in 0..round * 300 {
                tokio::task::yield_now().await;
            }
        }
        text += &output(&mut interpreter, "child.kill(); print(child.wait(), os.path.getsize('/tmp/log'))").await;
        outputs.push(text);
    }
    let last = outputs[0].lines().nth(2).and_then(|line| line.trim_end_matches(']').rsplit(' ').next()?.parse::<u64>().ok());
    assert!(last.is_some_and(|size| size > 0), "the child gets its turns: {}", outputs[0]);
    assert!(outputs.iter().all(|text| *text == outputs[0]), "{outputs:#?}");
}

#[tokio::test]
async fn what_a_cell_left_running_ends_with_its_interpreter_and_yields_to_commands() {
    let session = session(FIXED).await;
    let mut interpreter = session.python().await.unwrap();
    output(&mut interpreter, "import subprocess; child = subprocess.Popen(['sh', '-c', 'while :; do echo line >> /tmp/log; done'])").await;
    // A command runs at the same time.
    let outcome = session.run(Command::new("sh").args(["-c", "ps -e | wc -l; wc -l < /tmp/log"])).await.unwrap();
    assert!(outcome.success(), "{}", outcome.stderr_text());
    drop(interpreter);
    // The child ends although no cell runs any longer.
    let outcome = session.run(Command::new("sh").args(["-c", "a=$(wc -l < /tmp/log); true; [ $a = $(wc -l < /tmp/log) ]"])).await.unwrap();
    assert!(outcome.success(), "{}", outcome.stderr_text());
}

#[tokio::test]
async fn interpreters_and_their_forks_repeat_themselves() {
    let mut outputs = Vec::new();
    for _ in 0..3 {
        let mut interpreter = python(FIXED).await;
        let mut text =
            output(&mut interpreter, "import random, time, subprocess; print(random.random(), time.time(), list({'x', 'y'}))").await;
        let snapshot = interpreter.snapshot().await.unwrap();
        for mut child in [snapshot.fork().await.unwrap(), snapshot.fork().await.unwrap(), interpreter] {
            let source = "print(random.random(), time.time()); subprocess.run('echo $RANDOM; date', shell=True)";
            let answer = cell(&mut child, source).await;
            assert!(answer.success(), "{:?}", answer.error);
            text += &answer.stdout_text();
            outputs.push(answer.stdout_text().into_owned());
        }
        outputs.push(text);
    }
    let (rounds, rest) = outputs.split_at(4);
    assert_eq!(rest, [rounds, rounds].concat());
    assert_eq!(rounds[0], rounds[1], "siblings are equal while nothing distinguishes them");
    assert_eq!(rounds[0], rounds[2], "and so is their parent");
}
