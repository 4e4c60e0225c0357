# Every output mode, with and without column names.
cd "$(mktemp -d)"
sqlite3 t.db "create table t(a integer primary key, b text not null, c real);
insert into t values(1,'x',0.5),(2,'y y',1e100),(3,'it''s',1.0/3),(4,'a'||char(10)||'b',null);"
for mode in ascii box column csv html insert json line list markdown quote table tabs; do
    echo "== $mode"
    sqlite3 -cmd ".mode $mode" t.db 'select * from t; select b from t where a < 3'
    sqlite3 -header -cmd ".mode $mode" t.db 'select * from t'
done
for option in -csv -json -line -column -table -markdown -list -html -quote -box -tabs; do
    echo "== $option"
    sqlite3 $option -nullvalue NULL t.db 'select * from t where a > 2'
done
sqlite3 -separator , -header t.db 'select * from t'
sqlite3 -column t.db 'select 1 where 0'; sqlite3 -json t.db 'select 1 where 0'
printf '.mode column\n.width 3 -10\nselect b,c from t;\n.width\n.headers off\nselect * from t;\n' | sqlite3 t.db
printf '.mode box --ww --wrap 7\nselect "hello world foo" x;\n.mode\n' | sqlite3
sqlite3 -csv t.db "select 'plain', 'a b', 'c,d', 'e\"f', '', null, 'é', 1.5"
sqlite3 -json t.db 'select 0.1 as x, 0.7 as y, 1e22 as z, 123.456 as w, 30000000000.0 as v, -3.3 as u, 9e999 as i'
sqlite3 t.db 'select 0.1+0.2, 1e15, 1e14, 1e-5, 0.0001, 100.0, 1.0/7'
