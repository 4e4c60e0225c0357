# A program that is stopped in a transaction: the next one finds the database as it was before.
cd "$(mktemp -d)"
mkfifo ready
sqlite3 k.db 'create table t(x); insert into t values(1)'
for mode in delete wal; do
  sqlite3 k.db "pragma journal_mode=$mode"
  python3 -c "
import signal, sqlite3
c = sqlite3.connect('k.db', isolation_level=None)
c.execute('pragma cache_size=2')
c.execute('begin immediate')
c.executemany('insert into t values(?)', [('x' * 1000,)] * 100)
open('ready', 'w').close()
signal.pause()" & read < ready
  for statement in 'select count(*) from t' 'insert into t values(9)'; do echo "while it runs: $(sqlite3 k.db "$statement" 2>&1)"; done
  kill -9 $!; wait $! 2>/dev/null
  echo "killed: $?"; sqlite3 k.db 'select count(*) from t; insert into t values(2); select count(*) from t; pragma integrity_check'
  python3 -c "
import os, sqlite3
c = sqlite3.connect('k.db'); c.execute('insert into t values(3)'); c.commit(); c.execute('insert into t values(4)'); os._exit(3)"
  echo "left: $?"; sqlite3 k.db 'select max(x) from t; pragma integrity_check'
  python3 -c "
import sqlite3
c = sqlite3.connect('k.db'); c.execute('delete from t where x = 3')
open('ready', 'w').close()
while True: c.execute('insert into t values(5)')" & read < ready
  kill $!; wait $! 2>/dev/null
  echo "ended: $?"; sqlite3 k.db 'select max(x) from t; delete from t where x > 1; pragma integrity_check'
done
sqlite3 k.db 'pragma journal_mode=delete'; rm ready; ls -A . | sort; ls -A /tmp | sed -n '/^\.sqlite/p' | wc -l
