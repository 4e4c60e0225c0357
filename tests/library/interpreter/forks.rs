//! Snapshots and forks.

use wisp::{Interpreter, InterpreterError};

use crate::interpreter::kit::{cell, output, python};

/// State that is more than data.
const SETUP: &str = "
import itertools, collections
class Point:
    def __init__(self, x): self.x = x
    def double(self): return self.x * 2
points = [Point(i) for i in range(10_000)]
def adder(k):
    def add(n): return n + k
    return add
add5 = adder(5)
squares = (i * i for i in itertools.count())
taken = [next(squares) for _ in range(4)]
big = bytearray(20_000_000); big[-1] = 7
view = memoryview(big)
counter = collections.Counter('abracadabra')
";

const USE: &str = "print(points[77].double(), add5(1), next(squares), big[-1], view[19_999_999], counter['a'], len(points))";

async fn parent() -> Interpreter {
    let mut interpreter = python("").await;
    output(&mut interpreter, SETUP).await;
    interpreter
}

#[tokio::test]
async fn everything_survives_and_siblings_diverge() {
    let mut parent = parent().await;
    let snapshot = parent.snapshot().await.unwrap();
    assert_eq!(snapshot.not_carried(), &[] as &[String]);
    for round in 0..20 {
        let mut child = snapshot.fork().await.unwrap();
        assert_eq!(output(&mut child, USE).await, "154 6 16 7 7 5 10000\n", "child {round}");
        output(&mut child, &format!("points.append({round}); view[5] = {round}; x = {round}")).await;
        assert_eq!(output(&mut child, "print(len(points), big[5], x, next(squares))").await, format!("10001 {round} {round} 25\n"));
    }
    assert_eq!(output(&mut parent, "print(next(squares), len(points), big[5], 'x' in globals())").await, "16 10000 0 False\n");
    assert_eq!(output(&mut snapshot.fork().await.unwrap(), USE).await, "154 6 16 7 7 5 10000\n", "the snapshot is as it was");
}

#[tokio::test]
async fn forks_of_forks() {
    let mut interpreter = python("").await;
    output(&mut interpreter, "path = []").await;
    let mut generation = vec![interpreter];
    for depth in 0..4 {
        let mut next = Vec::new();
        for mut interpreter in generation {
            for (number, mut child) in interpreter.fork(2).await.unwrap().into_iter().enumerate() {
                output(&mut child, &format!("path.append({number})")).await;
                assert_eq!(output(&mut child, "print(len(path), path[-1])").await, format!("{} {number}\n", depth + 1));
                next.push(child);
            }
        }
        generation = next;
    }
    let mut paths = Vec::new();
    for mut interpreter in generation {
        paths.push(output(&mut interpreter, "print(*path)").await);
    }
    paths.sort();
    paths.dedup();
    assert_eq!(paths.len(), 16, "each went its own way");
}

#[tokio::test]
async fn the_filesystem_forks_too() {
    let mut parent = python("").await;
    output(&mut parent, "import os; os.makedirs('d'); open('d/file', 'w').write('before')").await;
    let mut child = parent.fork(1).await.unwrap().remove(0);
    output(&mut parent, "open('d/file', 'w').write('parent')").await;
    assert_eq!(output(&mut child, "print(open('d/file').read())").await, "before\n");
    output(&mut child, "open('d/file', 'w').write('child'); os.remove('d/file')").await;
    assert_eq!(output(&mut parent, "print(open('d/file').read())").await, "parent\n");
    assert_eq!(output(&mut child, "print(os.getcwd(), os.listdir('d'))").await, "/home/user []\n");
    assert_ne!(child.session().id(), parent.session().id());
}

#[tokio::test]
async fn going_back_restores_memory_and_files() {
    let mut interpreter = python("").await;
    output(&mut interpreter, "x = 1; open('f', 'w').write('one')").await;
    let snapshot = interpreter.snapshot().await.unwrap();
    output(&mut interpreter, "x = 2; open('f', 'w').write('two'); open('g', 'w').close()").await;
    interpreter.restore(&snapshot).await.unwrap();
    assert_eq!(output(&mut interpreter, "import os; print(x, open('f').read(), os.path.exists('g'))").await, "1 one False\n");
    // An interpreter that has ended can be restored.
    let mut interpreter = python("[limits]\nwall = \"300ms\"").await;
    output(&mut interpreter, "x = 'kept'").await;
    let snapshot = interpreter.snapshot().await.unwrap();
    assert!(!cell(&mut interpreter, "while True: pass").await.success());
    interpreter.restore(&snapshot).await.unwrap();
    assert_eq!(output(&mut interpreter, "print(x)").await, "kept\n");
}

#[tokio::test]
async fn open_files_go_on_where_they_were() {
    let mut parent = python("").await;
    output(&mut parent, "f = open('log', 'w+'); f.write('one\\ntwo\\n'); f.seek(0); f.readline()").await;
    output(&mut parent, "gone = open('gone', 'w'); import os; os.remove('gone')").await;
    let snapshot = parent.snapshot().await.unwrap();
    let mut child = snapshot.fork().await.unwrap();
    let answer = cell(&mut child, "print(f.readline(), end='')").await;
    assert_eq!(answer.stdout_text(), "two\n", "{:?}", answer.error);
    let lost = [snapshot.not_carried(), &answer.not_carried[..]].concat();
    assert!(lost.iter().any(|line| line.contains("gone")), "{lost:?}");
    assert_eq!(output(&mut parent, "print(f.readline(), end='')").await, "two\n");
    output(&mut child, "f.write('child\\n'); f.close()").await;
    assert_eq!(output(&mut parent, "print(open('log').read(), end='')").await, "one\ntwo\n");
}

#[tokio::test]
async fn a_file_lock_is_taken_again_on_both_sides() {
    let mut parent = python("").await;
    output(&mut parent, "import fcntl, subprocess; f = open('lock', 'w'); fcntl.flock(f, fcntl.LOCK_EX)").await;
    output(&mut parent, "with open('other', 'w') as closed: fcntl.flock(closed, fcntl.LOCK_EX)\nunlocked = open('other', 'w')").await;
    let taken = "print(*(subprocess.run(['flock', '-n', name, 'true']).returncode for name in ('lock', 'other')))";
    assert_eq!(output(&mut parent, taken).await, "1 0\n");
    let snapshot = parent.snapshot().await.unwrap();
    assert_eq!(snapshot.not_carried(), &[] as &[String]);
    let mut child = snapshot.fork().await.unwrap();
    assert_eq!(output(&mut child, taken).await, "1 0\n");
    output(&mut child, "f.close()").await;
    assert_eq!(output(&mut child, taken).await, "0 0\n");
    assert_eq!(output(&mut parent, taken).await, "1 0\n", "the locks of a copy are its session's own");
}

#[tokio::test]
async fn a_file_lock_that_another_holds_since_is_named() {
    // In virtual time, where a second is enough for the child to wait.
    let mut parent = python("[determinism]\nseed = 1").await;
    output(&mut parent, "import fcntl, subprocess, time; f = open('lock', 'w'); fcntl.flock(f, fcntl.LOCK_EX)").await;
    output(&mut parent, "child = subprocess.Popen(['flock', 'lock', 'sleep', '1000']); time.sleep(1)").await;
    let snapshot = parent.snapshot().await.unwrap();
    let answer = cell(&mut parent, "print(f.closed)").await;
    assert_eq!(answer.stdout_text(), "False\n");
    assert!(answer.not_carried.iter().any(|line| line.ends_with("the lock on the open file /home/user/lock")), "{:?}", answer.not_carried);
    let answer = cell(&mut snapshot.fork().await.unwrap(), "print(f.closed)").await;
    assert!(!answer.not_carried.iter().any(|line| line.contains("lock")), "{:?}", answer.not_carried);
}

#[tokio::test]
async fn state_that_a_snapshot_cannot_carry_is_named() {
    let mut parent = python("").await;
    output(&mut parent, "import subprocess; child = subprocess.Popen(['sleep', '1000'])").await;
    let snapshot = parent.snapshot().await.unwrap();
    assert!(snapshot.not_carried().iter().any(|line| line.contains("sleep")), "{:?}", snapshot.not_carried());
    assert_eq!(output(&mut snapshot.fork().await.unwrap(), "print('alive')").await, "alive\n");
    let mut pipes = python("").await;
    output(&mut pipes, "import os; r, w = os.pipe()").await;
    let snapshot = pipes.snapshot().await.unwrap();
    assert!(snapshot.not_carried().iter().any(|line| line.contains("pipe")), "{:?}", snapshot.not_carried());
    assert_eq!(output(&mut snapshot.fork().await.unwrap(), "print('alive')").await, "alive\n");
    let mut sockets = python("").await;
    output(
        &mut sockets,
        "import socket; server = socket.create_server(('127.0.0.1', 0)); client = socket.create_connection(server.getsockname())",
    )
    .await;
    let snapshot = sockets.snapshot().await.unwrap();
    assert_eq!(
        snapshot.not_carried().iter().filter(|line| line.contains("the socket of descriptor")).count(),
        2,
        "{:?}",
        snapshot.not_carried()
    );
    let closed = "try: server.accept()\nexcept OSError as error: print(error.strerror)";
    assert_eq!(output(&mut snapshot.fork().await.unwrap(), closed).await, "Bad file descriptor\n");
    // Opening the writing end again would wait for a reader.
    let mut named = python("").await;
    output(&mut named, "import os; os.mkfifo('p'); r = open('p', 'r+b', 0); w = open('p', 'wb', 0)").await;
    let snapshot = named.snapshot().await.unwrap();
    let pipes: Vec<_> = snapshot.not_carried().iter().filter(|line| line.ends_with("the open named pipe /home/user/p")).collect();
    assert_eq!(pipes.len(), 2, "{:?}", snapshot.not_carried());
    assert_eq!(output(&mut snapshot.fork().await.unwrap(), "print('alive', r.closed)").await, "alive True\n");
}

/// SQLite holds a database and its locks, which are the host's handles, as long as a statement has not ended.
#[tokio::test]
async fn databases_with_open_statements_are_closed_and_named() {
    const OPEN: &str = "
import sqlite3
def begun(name, mode='delete'):
    database = sqlite3.connect(name)
    database.execute(f'pragma journal_mode={mode}')
    database.executescript('create table t(x); insert into t values(1), (2)')
    rows = database.execute('select x from t')
    print(*next(rows))
    return database, rows
(plain, rows_of_plain), (logged, rows_of_logged) = begun('plain'), begun('logged', 'wal')
(closed, rows_of_closed), (memory, rows_of_memory) = begun('closed'), begun(':memory:')
closed.close()
";
    const USE: &str = "
print(*rows_of_memory.fetchall(), *memory.execute('select count(*) from t'))
for name in 'plain', 'logged', 'closed':
    database = sqlite3.connect(name, timeout=0)
    database.execute('insert into t values(3)'); database.commit()
    print(*database.execute('select sum(x) from t').fetchone()); database.close()
try: next(rows_of_plain)
except sqlite3.Error as error: print(error)
";
    let mut parent = python("").await;
    assert_eq!(output(&mut parent, OPEN).await, "1\n1\n1\n1\n");
    let snapshot = parent.snapshot().await.unwrap();
    let mut lost = snapshot.not_carried().to_vec();
    lost.sort();
    assert_eq!(lost, ["the open database /home/user/logged", "the open database /home/user/plain"]);
    let mut child = snapshot.fork().await.unwrap();
    for interpreter in [&mut parent, &mut child] {
        assert_eq!(output(interpreter, USE).await, "(2,) (2,)\n6\n6\n6\nCannot operate on a closed database.\n");
    }
}

#[tokio::test]
async fn chance_is_renewed_unless_the_policy_is_deterministic() {
    let draw = "import random, uuid, secrets; print(random.random(), random.getrandbits(64), uuid.uuid4(), secrets.token_hex(8))";
    for (lines, same) in [("", false), ("[determinism]\nseed = 7\nclock = \"2026-01-01T00:00:00Z\"", true)] {
        let mut parent = python(lines).await;
        output(&mut parent, "import random; random.random()").await;
        let snapshot = parent.snapshot().await.unwrap();
        let (mut one, mut two) = (snapshot.fork().await.unwrap(), snapshot.fork().await.unwrap());
        let (one, two) = (output(&mut one, draw).await, output(&mut two, draw).await);
        assert_eq!(one == two, same, "{one}{two}");
    }
}

#[tokio::test]
async fn a_fork_pays_for_its_memory() {
    let mut parent = python("[limits]\nmemory = \"160MiB\"").await;
    output(&mut parent, "big = bytearray(60_000_000)").await;
    let snapshot = parent.snapshot().await.unwrap();
    assert!(snapshot.memory() > 60_000_000);
    // Its own session has room for it, but not for the same amount again.
    let mut child = snapshot.fork().await.unwrap();
    assert!(cell(&mut child, "more = bytearray(90_000_000)").await.error.unwrap().report.contains("MemoryError"));
    assert_eq!(output(&mut child, "print(len(big))").await, "60000000\n");
    // Two of them do not fit into one session.
    let mut other = parent.session().python().await.unwrap();
    let refused = other.restore(&snapshot).await.unwrap_err();
    assert!(matches!(refused, InterpreterError::Memory { .. }), "{refused}");
}

#[tokio::test]
async fn a_fresh_interpreter_can_be_forked() {
    let mut fresh = python("").await;
    let mut children = fresh.fork(3).await.unwrap();
    for child in &mut children {
        assert_eq!(output(child, "import os; print(os.listdir('/tmp'), 2 + 2)").await, "[] 4\n");
        let mut grandchild = child.fork(1).await.unwrap().remove(0);
        assert_eq!(output(&mut grandchild, "print(open('/etc/passwd').readline()[:4], os.getcwd())").await, "root /home/user\n");
    }
    assert_eq!(output(&mut fresh, "print(1)").await, "1\n");
}
