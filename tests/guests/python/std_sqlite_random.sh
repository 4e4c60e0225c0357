# SQLite is built without a source of randomness: its random() must still differ between processes.
ask='import sqlite3; print(*sqlite3.connect(":memory:").execute("select random(), hex(randomblob(8))").fetchone())'
a=$(python3 -c "$ask") b=$(python3 -c "$ask")
[ "$a" != "$b" ] && echo "two processes differ"
python3 - <<'EOF'
import sqlite3
class Own(sqlite3.Connection):
    pass
for c in (sqlite3.connect(":memory:"), sqlite3.Connection(":memory:"), sqlite3.connect(":memory:", factory=Own)):
    rows = c.execute("with n(i) as (values(1) union all select i + 1 from n where i < 1000) select random(), randomblob(4) from n").fetchall()
    numbers = {row[0] for row in rows}
    print(type(c).__name__, len(numbers), min(numbers) < -2**60, max(numbers) > 2**60, {len(row[1]) for row in rows})
print(c.execute("select length(randomblob(0)), length(randomblob(null)), length(randomblob(-1)), length(randomblob('x')), length(randomblob('3'))").fetchone())
c.execute("create table t(a default (abs(random()) % 2))")
c.execute("insert into t default values")
print(c.execute("select a in (0, 1) from t").fetchone(), c.execute("select count(*) from (select 1 order by random() limit 1)").fetchone())
EOF
