# Databases where nothing can be written: a mount. Those of `mounted` are: plain; with a write-ahead log; with one whose file is gone;
# with the journal of a transaction that was cut off.
python3 - <<'P'
import sqlite3
place = "/mnt/cases/mounted"
def show(what, work):
    try: print(what, work())
    except sqlite3.Error as error: print(what, error)
def read(name, uri=False): return lambda: sqlite3.connect(name, uri=uri).execute("select count(*), sum(x) from t").fetchone()
for name in ("plain", "logged", "left"):
    show(name, read(f"{place}/{name}.db"))
    for option in ("mode=ro", "immutable=1", "mode=ro&nolock=1"): show(f"{name} {option}", read(f"file:{place}/{name}.db?{option}", True))
show("missing", read(f"file:{place}/missing.db?mode=ro", True))
show("a folder", read(place))
database = sqlite3.connect(f"{place}/plain.db")
show("insert", lambda: database.execute("insert into t values (3)"))
show("create", lambda: database.execute("create table u(x)"))
show("temporary", lambda: database.execute("create temp table u as select x from t") and database.execute("select count(*) from u").fetchone())
memory = sqlite3.connect(":memory:")
memory.execute("attach ? as other", (f"{place}/plain.db",))
show("attached", lambda: memory.execute("create table mine as select x + 1 as x from other.t") and memory.execute("select sum(x) from mine").fetchone())
copy = sqlite3.connect("/tmp/copy.db")
database.backup(copy)
show("backup", lambda: copy.execute("select sum(x) from t").fetchone())
P
cd /mnt/cases/mounted
sqlite3 plain.db 'select sum(x) from t; pragma integrity_check'
sqlite3 -readonly plain.db 'select sum(x) from t'
sqlite3 'file:plain.db?mode=ro' 'select sum(x) from t'
sqlite3 plain.db 'delete from t'; echo $?
sqlite3 hot.db 'select count(*) from t'; echo $?
cp hot.db hot.db-journal /tmp; sqlite3 /tmp/hot.db 'select count(*) from t; pragma integrity_check'; ls -A /tmp | sort
