import sqlite3
c = sqlite3.connect("/tmp/db.sqlite"); c.execute("create table t(a integer primary key, b text)")
with c: c.executemany("insert into t(b) values (?)", [("x",), ("y",), ("é",)])
print(c.execute("select count(*), group_concat(b, '-') from t").fetchone(), c.total_changes)
try:
    with c: c.execute("insert into t values (1, 'dup')")
except sqlite3.IntegrityError as e: print(e)
c.close(); c = sqlite3.connect("/tmp/db.sqlite"); c.row_factory = sqlite3.Row
print([dict(r) for r in c.execute("select * from t where b > ? order by a desc", ("w",))], sqlite3.connect(":memory:").execute("select json_extract('{\"a\": [1, 2]}', '$.a[1]'), sqlite_version() > '3.40'").fetchone())
print(c.execute("with recursive n(i) as (select 1 union all select i + 1 from n where i < 5) select sum(i) from n").fetchone()[0])
m = sqlite3.connect(":memory:"); m.execute("create virtual table f using fts5(t)") if False else None; m.create_function("twice", 1, lambda x: x * 2); print(m.execute("select twice(21)").fetchone())
