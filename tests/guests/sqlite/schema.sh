# Listing the contents of a database, and dumping it.
cd "$(mktemp -d)"
sqlite3 t.db <<'SQL'
create table t(a integer primary key, b text not null, c real);
create table "odd name"(x unique, "my col" blob);
create table s(id integer primary key autoincrement, n);
create index i on t(b);
create view v as select a, b from t;
create trigger tr after insert on t begin insert into s(n) values(';'); update s set n=n; end;
insert into t values(1,'it''s',2.5);
insert into t values(2,'two
lines',null);
insert into "odd name" values(x'00ff', -5);
SQL
sqlite3 t.db .tables
sqlite3 t.db '.tables t%'
sqlite3 t.db .schema
sqlite3 t.db '.schema t'
sqlite3 t.db '.schema --indent s'
sqlite3 t.db .indexes '.indexes t'
sqlite3 t.db .dump
sqlite3 t.db '.dump t'
sqlite3 t.db .fullschema
sqlite3 t.db .dump | sqlite3 copy.db && sqlite3 copy.db 'select count(*) from t'
sqlite3 t.db '.backup saved.db'; sqlite3 saved.db 'select count(*) from s'
printf "attach ':memory:' as aux1;\ncreate table aux1.q(z);\n.tables\n" | sqlite3 t.db
sqlite3 t.db 'pragma table_info(t)'
