# What SQLite is compiled with.
cd "$(mktemp -d)"
sqlite3 :memory: <<'S'
create virtual table d using fts5(title, body);
insert into d values('foxes', 'the quick brown fox'), ('dogs', 'a lazy dog sleeps'), ('both', 'the dog and the fox');
select title from d where d match 'fox' order by title;
select highlight(d, 1, '[', ']') from d where d match 'la* AND dog';
select title from d where d match 'fox NOT quick' order by bm25(d);
create virtual table f using fts4(x); insert into f values('hello world'); select snippet(f) from f where f match 'world';
create virtual table r using rtree(id, x0, x1, y0, y1);
insert into r values(1, 0, 10, 0, 10), (2, 20, 30, 20, 30); select id from r where x0 < 5 and y1 > 5;
select soundex('Robert'), soundex('Rupert'), soundex('');
create table t(x); insert into t values(1); select name, pageno, pagetype from dbstat where name = 't';
select x'41' like 'A', sum(typeof(random()) = 'integer'), length(randomblob(8)), sqrt(2.25), unixepoch('2024-02-29') from t;
pragma foreign_keys; pragma secure_delete;
S
python3 - <<'P'
import os, sqlite3, threading
print(sqlite3.threadsafety, sqlite3.sqlite_version_info >= (3, 40), [row[1] for row in sqlite3.connect(":memory:").execute("pragma database_list")])
one, two = (sqlite3.connect("file:shared?mode=memory&cache=shared", uri=True) for _ in range(2))
one.execute("create table t(x)"); one.execute("insert into t values(7)"); one.commit()
print(two.execute("select x from t").fetchall())
os.makedirs("deep/er"); os.symlink("deep/er/real.db", "link.db")
linked = sqlite3.connect("link.db"); linked.execute("create table t(x)"); linked.commit()
print([row[2].removeprefix(os.getcwd()) for row in linked.execute("pragma database_list")], os.listdir("deep/er"))
sqlite3.connect("deep/../relative.db").execute("create table t(x)"); print(os.path.exists("relative.db"))
big = sqlite3.connect("big.db"); big.execute("pragma cache_size=10"); big.execute("pragma temp_store=1")
big.execute("create table t(a, b)"); big.executemany("insert into t values(?, ?)", [(n * 7919 % 10007, "x" * 100) for n in range(10000)])
print(big.execute("select count(*), sum(a) from (select distinct a from t order by b, a desc)").fetchone())
big.execute("create index i on t(a)"); big.commit(); big.execute("vacuum"); print(big.execute("pragma integrity_check").fetchone(), sorted(name for name in os.listdir() if "big" in name))
os.rename("big.db", "moved.db")
try: big.execute("delete from t")
except sqlite3.Error as error: print(error)
def work(number):
    with sqlite3.connect("threads.db", timeout=60) as database: database.execute("create table if not exists t(x)"); database.execute("insert into t values(?)", (number,))
threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(sqlite3.connect("threads.db").execute("select count(*), sum(x) from t").fetchone())
P
