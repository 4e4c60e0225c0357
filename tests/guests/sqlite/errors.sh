# Messages and statuses, for statements from the command line, from standard input and from files.
cd "$(mktemp -d)"
sqlite3 t.db "create table t(a integer primary key, b not null); insert into t values(1,'x');"
try() { sqlite3 "$@" 2>&1 | sed "s# (17)##"; echo "status ${PIPESTATUS[0]}"; } # 3.40 adds the number of a second attempt
try t.db 'select nope from t'
try t.db 'select * frm t'
try t.db 'select nofn(1)'
try t.db 'select * from missing'
try t.db "select 'abc"
try t.db 'select a from t where'
try t.db "insert into t values(1,'q')"
try t.db "insert into t values(2,null)"
try t.db 'create table t(a)'
try t.db 'select 1 where 0; selec 2; select 3;'
try t.db 'selec 1' 'select 2'
try -readonly t.db "insert into t values(9,'z')"
try -readonly none.db 'select 1'
try /nonexistent/x.db 'select 1'
try -nonsense t.db
try t.db .nonsense
try t.db '.mode zz'
try t.db '.read nofile'
try t.db '.import nofile t'
try t.db .separator
echo garbagegarbagegarbagegarbagegarbage > g.db
try g.db 'select * from x'
printf 'selec 2;\nselect 3;\n' | try
printf 'selec 2;\nselect 3;\n' | try -bail
printf "insert into t values(1,'a');\n" | try t.db
printf "select 'open\n" | try t.db
printf '.exit 5\n' | try t.db
printf '.quit\nselect 1;\n' | try t.db
printf 'select 1\n' | try t.db
