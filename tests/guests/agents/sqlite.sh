# sqlite3, compared with the real programs. Each line runs on the same files; sqlite.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
cat > t.sql <<'SQL'
create table t(a integer primary key, b text, c real);
insert into t values(1,'x',1.5),(2,NULL,2.0),(3,'it''s, "q"',-3e10);
create view v as select a from t;
create index i on t(b);
SQL
while IFS= read -r line; do try "$line"; done <<'END'
sqlite3 a.db 'create table t(a,b); insert into t values(1,2); select * from t'; ls a.db
sqlite3 a.db < t.sql; sqlite3 a.db .tables
sqlite3 a.db < t.sql; sqlite3 a.db .schema
sqlite3 a.db < t.sql; sqlite3 a.db '.schema t'
sqlite3 a.db < t.sql; sqlite3 a.db '.schema nosuch'
sqlite3 a.db < t.sql; sqlite3 -header -csv a.db 'select * from t'
sqlite3 a.db < t.sql; sqlite3 -csv a.db 'select * from t'
sqlite3 a.db < t.sql; sqlite3 -json a.db 'select * from t'
sqlite3 a.db < t.sql; sqlite3 -json a.db 'select * from t where 0'
sqlite3 a.db < t.sql; sqlite3 -column a.db 'select * from t'
sqlite3 a.db < t.sql; sqlite3 -column -header a.db 'select * from t'
sqlite3 a.db < t.sql; sqlite3 -box a.db 'select * from t'
sqlite3 a.db < t.sql; sqlite3 -table a.db 'select * from t'
sqlite3 a.db < t.sql; sqlite3 -markdown a.db 'select * from t'
sqlite3 a.db < t.sql; sqlite3 -line a.db 'select * from t'
sqlite3 a.db < t.sql; sqlite3 -list a.db 'select * from t'
sqlite3 a.db < t.sql; sqlite3 -html a.db 'select * from t'
sqlite3 a.db < t.sql; sqlite3 -quote a.db 'select * from t'
sqlite3 a.db < t.sql; sqlite3 -tabs a.db 'select * from t'
sqlite3 a.db < t.sql; sqlite3 -ascii a.db 'select * from t' | xxd
sqlite3 a.db < t.sql; sqlite3 -separator ' ; ' a.db 'select * from t'
sqlite3 a.db < t.sql; sqlite3 -separator '\t' a.db 'select * from t'
sqlite3 a.db < t.sql; sqlite3 -nullvalue NULL a.db 'select * from t'
sqlite3 a.db < t.sql; sqlite3 -newline '|' a.db 'select * from t'
sqlite3 a.db < t.sql; sqlite3 -cmd '.mode json' a.db 'select a from t'
sqlite3 a.db < t.sql; sqlite3 -cmd '.headers on' -cmd '.mode csv' a.db 'select a from t'
sqlite3 a.db < t.sql; sqlite3 a.db .dump
sqlite3 a.db < t.sql; sqlite3 a.db '.dump t'
sqlite3 a.db < t.sql; sqlite3 a.db '.mode insert' 'select * from t'
sqlite3 a.db < t.sql; sqlite3 a.db '.mode insert x' 'select * from t'
sqlite3 a.db < t.sql; sqlite3 a.db '.headers on' '.mode column' '.width 3 10' 'select * from t'
sqlite3 a.db < t.sql; sqlite3 a.db .indexes
sqlite3 a.db < t.sql; sqlite3 a.db .databases | sed 's,/[^ ]*/,,'
sqlite3 a.db < t.sql; sqlite3 a.db .fullschema
sqlite3 a.db < t.sql; sqlite3 a.db 'pragma table_info(t)'
sqlite3 a.db < t.sql; sqlite3 a.db 'explain query plan select * from t where b=1'
sqlite3 :memory: '.mode csv' '.import data.csv d' 'select * from d'
sqlite3 :memory: '.import --csv data.csv d' '.schema' 'select count(*) from d'
sqlite3 :memory: '.import --csv --skip 1 data.csv d' '.schema' 'select count(*) from d'
sqlite3 :memory: 'create table d(a,b)' '.import --csv data.csv d' 'select * from d'
sqlite3 :memory: '.mode tabs' '.import data.tsv d' '.mode csv' 'select * from d'
sqlite3 :memory: '.import nosuch.csv d'
sqlite3 :memory: '.separator ,' '.import data.csv d' '.tables'
sqlite3 :memory: '.read t.sql' 'select count(*) from t'
sqlite3 :memory: '.read nosuch.sql'
sqlite3 :memory: < t.sql
sqlite3 < t.sql
echo 'select 1+1;' | sqlite3
echo 'select 1+1' | sqlite3
printf '.mode box\nselect 1 as a, 2 as b;\n' | sqlite3
sqlite3 :memory: 'select * from nosuch'
sqlite3 :memory: 'selec 1'
sqlite3 :memory: 'select 1; selec 2; select 3'
printf 'select 1;\nselec 2;\nselect 3;\n' | sqlite3
printf 'select 1;\nselec 2;\nselect 3;\n' | sqlite3 -bail
printf '.bail on\nselect 1;\nselec 2;\nselect 3;\n' | sqlite3
printf 'select 1;\n.nope\nselect 3;\n' | sqlite3
sqlite3 :memory: .nope
sqlite3 :memory: '.mode nope'
sqlite3 -nope :memory: 'select 1'
sqlite3 /nonexist/a.db 'select 1'
sqlite3 words.txt 'select * from x'
sqlite3 -readonly a.db 'create table t(a)'
sqlite3 -readonly nosuch.db 'select 1'
sqlite3 a.db 'create table t(a unique); insert into t values(1); insert into t values(1)'
sqlite3 a.db 'create table t(a not null); insert into t values(null)'
sqlite3 a.db 'select 1/0, 1/2, 1/2.0, 10%3, 2||3, null is null'
sqlite3 a.db "select date('2024-01-31','+1 month'), strftime('%Y', '2024-05-06'), julianday('2000-01-01')"
sqlite3 a.db "select x'414200', 'a'||char(10)||'b', 1e100, 0.1+0.2, 1.0, 123456789012345678"
sqlite3 -json a.db "select x'414200' as b, 'a'||char(10)||'b\"' as c, 1e100 as d, 0.1+0.2 as e, null as f, 'é' as g"
sqlite3 -csv a.db "select x'4142', 'a'||char(10)||'b', '', ' ', '\"', 'a b'"
sqlite3 -box a.db "select 'é' as x, 'a'||char(10)||'b' as yy"
sqlite3 a.db "select json_extract('{\"a\":[1,2]}','\$.a[1]'), json_group_array(value) from json_each('[1,2]')"
sqlite3 a.db "with recursive c(x) as (select 1 union all select x+1 from c where x<5) select group_concat(x) from c"
sqlite3 a.db "select row_number() over (order by value desc), value from json_each('[3,1,2]')"
sqlite3 a.db "select printf('%05.2f|%s|%d', 3.14159, 'x', 7), substr('hello',2,3), instr('hello','l'), replace('aa','a','b')"
sqlite3 a.db '.print hello "a b"'
sqlite3 a.db '.echo on' 'select 1'
printf '.echo on\nselect 1;\n' | sqlite3
sqlite3 a.db '.output x.txt' 'select 1' '.output' 'select 2'; cat x.txt
sqlite3 a.db '.once x.txt' 'select 1' 'select 2'; cat x.txt
sqlite3 a.db '.changes on' 'create table t(a)' 'insert into t values(1),(2)'
sqlite3 a.db < t.sql; sqlite3 a.db '.backup b.db'; sqlite3 b.db .tables
sqlite3 a.db < t.sql; sqlite3 a.db '.save b.db'; sqlite3 b.db .tables
sqlite3 a.db < t.sql; sqlite3 b.db "attach 'a.db' as x; select count(*) from x.t"
sqlite3 a.db < t.sql; sqlite3 b.db "attach 'a.db' as x" .tables .databases | sed 's,/[^ ]*/,,'
sqlite3 a.db < t.sql; sqlite3 a.db '.tables %v%'
printf 'create table t(a);\nbegin;\ninsert into t values(1);\nrollback;\nselect count(*) from t;\n' | sqlite3
printf 'select 1 as a,\n 2 as b\n;\n' | sqlite3 -header
printf -- '-- comment\nselect /* c */ 1; -- x\n' | sqlite3
printf 'select "a;b", 1;\n' | sqlite3
printf "select 'a\nb';\n" | sqlite3
printf '.mode csv\n.headers on\n.output o.csv\nselect 1 a;\n.quit\nselect 2;\n' | sqlite3; cat o.csv
printf '.exit 3\n' | sqlite3
printf '.quit\n' | sqlite3
printf '.parameter set @x 5\nselect @x;\n' | sqlite3
printf '.separator "," "\\n"\nselect 1,2;\n' | sqlite3
printf '.nullvalue NIL\nselect null;\n' | sqlite3
printf '.cd d1\n.shell ls\n' | sqlite3
printf '.system echo hi\n' | sqlite3
sqlite3 :memory: 'create table a(x); create table bb(x); create table ccc(x); create table dddd(x)' .tables
sqlite3 :memory: 'create table "a b"(x); insert into "a b" values(1)' .dump
sqlite3 :memory: 'create table t(a int, b text default "x", primary key(a,b)) without rowid; create trigger g after insert on t begin select 1; end' .schema
sqlite3 :memory: 'create table t(a, b, c, foreign key(a) references u(x))' '.schema --indent'
sqlite3 :memory: -batch 'select 1'
sqlite3 -init /dev/null :memory: 'select 1'
sqlite3 -echo :memory: 'select 1'
sqlite3 a.db 'create table t(a);' 'insert into t values(1);' 'select * from t;' 'select 2'
sqlite3 a.db < t.sql; sqlite3 a.db 'select * from t limit 1' -header
sqlite3 a.db < t.sql; sqlite3 a.db -cmd '.mode line' 'select * from t limit 1'
sqlite3 a.db < t.sql; sqlite3 -line a.db 'select a, b as longname from t limit 2'
sqlite3 a.db < t.sql; sqlite3 a.db '.mode quote' 'select * from t' '.mode list' 'select * from t'
sqlite3 a.db < t.sql; sqlite3 a.db "select typeof(a), typeof(b), typeof(c) from t; select quote(b) from t"
sqlite3 a.db "select regexp('a','b')"
sqlite3 a.db "select 'abc' regexp 'b', 'abc' like 'A%', 'abc' glob 'a*'"
sqlite3 a.db "select sqrt(4), pow(2,3), pi(), ceil(1.2), log(10), ln(2.718281828459045)"
sqlite3 a.db "select readfile('nonl'), length(readfile('bin.dat')), writefile('w.txt','hi')"; cat w.txt
sqlite3 nosuchdir/a.db .tables
sqlite3 a.db 'create table t(a); create table t(a)'
printf 'create table t(a);\n\ncreate table t(a);\n' | sqlite3 a.db
printf 'select\n1,\nfoo(2);\n' | sqlite3 a.db
printf "select 'unterminated\n" | sqlite3 a.db
printf "select (1\n" | sqlite3 a.db
sqlite3 a.db "select 'unterminated"
sqlite3 a.db 'drop table nosuch'
sqlite3 a.db 'insert into nosuch values(1)'
sqlite3 a.db 'create table t(a); select b from t'
sqlite3 a.db 'create table t(a,b); insert into t values(1)'
sqlite3 a.db 'select count(*) from sqlite_master; select * from sqlite_schema'
sqlite3 a.db .eqp
sqlite3 a.db '.eqp on' 'select 1'
sqlite3 a.db '.headers'
sqlite3 a.db '.open b.db' 'create table z(a)'; sqlite3 b.db .tables
sqlite3 a.db '.mode csv' '.once out.csv' 'select 1,2'; od -c out.csv
sqlite3 -csv a.db 'select 1,2' | od -c
END
