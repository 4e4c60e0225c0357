# Connections beside each other: in one process, and in several.
cd "$(mktemp -d)"
cat > beside.py <<'P'
import sqlite3, subprocess, sys
mode = sys.argv[1]
def connect(): return sqlite3.connect("r.db", timeout=0, isolation_level=None)
def show(what, work):
    try: print(what, work())
    except sqlite3.Error as error: print(what, error)
def other(statement):
    done = subprocess.run(["sqlite3", "r.db", statement], capture_output=True, text=True)
    return done.stdout.split(), done.stderr.strip().removesuffix(" (5)")
count = "select count(*) from t"
a, b = connect(), connect()
print(*a.execute(f"pragma journal_mode={mode}").fetchone())
a.executescript("create table t(x); insert into t values(1), (2)")
reading = a.execute("select x from t"); next(reading)
show("two readers", lambda: b.execute(count).fetchone())
show("a third", lambda: other(count))
show("a writer beside a reader", lambda: b.execute("insert into t values(3)") and "done")
reading.close()
a.execute("begin immediate"); a.execute("insert into t values(4)")
show("a reader beside a writer", lambda: b.execute(count).fetchone())
show("another", lambda: other(count))
show("a second writer", lambda: b.execute("begin immediate"))
show("another", lambda: other("insert into t values(5)"))
a.execute("commit")
show("after the commit", lambda: b.execute(count).fetchone())
show("another", lambda: other(count))
b.execute("begin"); b.execute(count).fetchone()
show("it writes while one reads", lambda: other("insert into t values(6)"))
show("what that one sees", lambda: b.execute(count).fetchone())
b.execute("rollback")
show("afterwards", lambda: b.execute(count).fetchone())
a.execute("begin exclusive")
show("a reader beside one who excludes", lambda: b.execute(count).fetchone())
show("another", lambda: other(count))
a.execute("rollback")
a.executemany("insert into t values(?)", [(n,) for n in range(3000)])
show("many", lambda: other("select count(*), sum(x) from t; delete from t where x > 100; select count(*) from t"))
show("many", lambda: b.execute("select count(*), sum(x) from t").fetchone())
show("checkpoint", lambda: a.execute("pragma wal_checkpoint(truncate)").fetchone())
a.execute("drop table t"); a.close(); b.close()
P
for mode in delete truncate persist wal; do python3 beside.py $mode; done
for mode in delete wal; do
  sqlite3 p.db "pragma journal_mode=$mode; create table if not exists t(x); delete from t"
  for n in 1 2 3 4; do
    python3 -c "
import sqlite3
c = sqlite3.connect('p.db', timeout=60, isolation_level=None)
for i in range(50): c.execute('insert into t values($n)')" &
  done; wait
  sqlite3 p.db 'select x, count(*) from t group by x; pragma integrity_check'
done
python3 - <<'P'
import sqlite3, threading
began, waits, order = threading.Event(), threading.Event(), []
def connect(): return sqlite3.connect("p.db", timeout=60, isolation_level=None)
def one():
    database = connect(); database.execute("begin immediate"); began.set(); waits.wait()
    for n in range(10000): database.execute("insert into t values(9)") if n % 1000 == 0 else None
    order.append("one"); database.execute("commit")
def other():
    database = connect(); began.wait(); waits.set()
    database.execute("begin immediate"); order.append("other"); database.execute("commit")
threads = [threading.Thread(target=work) for work in (one, other)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print("a thread waits for another:", order)
P
flock p.db sqlite3 p.db 'select count(*) from t'
ls -A . | sort; ls -A /tmp | sed -n '/^\.sqlite/p' | wc -l
