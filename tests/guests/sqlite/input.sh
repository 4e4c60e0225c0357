# Files in and out, settings that last, parameters, scripts.
cd "$(mktemp -d)"
printf 'x,y\n1,"a,b"\n2,"c ""q"""\n' > i.csv
printf '.mode csv\n.import i.csv n\nselect * from n;\n.schema n\n.import --skip 1 i.csv n\nselect count(*) from n;\n' | sqlite3 t.db
sqlite3 t.db '.import --csv --skip 1 i.csv m' '.schema m' 'select * from m'
printf 'a|b\nc|d\n' > plain.txt
sqlite3 t.db '.import plain.txt p' 'select * from p'
sqlite3 t.db '.output o.txt' 'select 1' '.output' 'select 2' '.once o2.txt' 'select 3' 'select 4'; cat o.txt o2.txt
sqlite3 t.db '.output |cat -n' 'select 1'
printf 'select 1;\nselect 2;\n' > r.sql
sqlite3 t.db '.read r.sql' 'select 7'
sqlite3 t.db < r.sql
sqlite3 -init r.sql t.db 'select 8'
printf '.headers on\n.mode column\nselect 1 as one;\n.nullvalue none\nselect null as n;\n' | sqlite3
printf -- '-- c\nselect 1; -- d\n/* x\n;*/ select 2;\nselect\n3\n;\nselect 4\n/\n' | sqlite3
sqlite3 t.db '.param set :a 5' 'select :a' '.param list'
sqlite3 t.db '.print hello "wo rld"'
sqlite3 t.db 'select 1;select 2' 'select 3' .tables
sqlite3 t.db 'explain query plan select * from n order by x'
printf '.changes on\ncreate table c(b);\ninsert into c values(1),(2);\n' | sqlite3
printf '.echo on\nselect 1;\n' | sqlite3
sqlite3 t.db "select 'b' regexp '^b', json_extract('{\"a\":[1,2]}','\$.a[1]'), group_concat(x, '-') from n"
sqlite3 t.db ".once '|wc -l'" 'select x from n'
