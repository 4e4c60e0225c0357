"""The contents of a database: `.tables`, `.schema`, `.dump` and similar commands."""

import re
import sqlite3

from . import values


def in_columns(words, write):
    """Names in columns for a screen of 80 characters."""
    if not words:
        return
    longest = max(map(len, words))
    across = max(1, 80 // (longest + 2))
    down = (len(words) + across - 1) // across
    for row in range(down):
        write("  ".join(word.ljust(longest) for word in words[row::down]) + "\n")


def databases(shell):
    """The names of the attached databases."""
    return [row[1] for row in shell.database.execute("PRAGMA database_list") if row[1] != "temp" or _has(shell, "temp")]


def _has(shell, database):
    return shell.database.execute(f"SELECT count(*) FROM {database}.sqlite_schema").fetchone()[0] > 0


def tables(shell, pattern):
    """`.tables`."""
    found = []
    for database in databases(shell):
        query = (f"SELECT name FROM {values.name(database)}.sqlite_schema WHERE type IN ('table','view')"
                 " AND name NOT LIKE 'sqlite__%' ESCAPE '_' AND name LIKE ?")
        prefix = "" if database == "main" else database + "."
        found += [prefix + row[0] for row in shell.database.execute(query, (pattern or "%",))]
    in_columns(sorted(found), shell.write)


def indexes(shell, pattern):
    """`.indexes`."""
    found = []
    for database in databases(shell):
        query = f"SELECT name FROM {values.name(database)}.sqlite_schema WHERE type='index' AND tbl_name LIKE ?"
        found += [row[0] for row in shell.database.execute(query, (pattern or "%",))]
    in_columns(sorted(found), shell.write)


def created(sql):
    """A CREATE TABLE statement that can be run again."""
    return re.sub(r"""^CREATE TABLE (?=['"])""", "CREATE TABLE IF NOT EXISTS ", sql)


def schema(shell, pattern, indent=False, system=True, columns=True):
    """`.schema`."""
    masters = ("sqlite_master", "sqlite_schema")
    if pattern and pattern.lower() in masters:
        shell.write(f"CREATE TABLE {pattern} (\n  type text,\n  name text,\n  tbl_name text,\n  rootpage integer,\n  sql text\n);\n")
        return
    for database in databases(shell):
        query = f"SELECT type, name, tbl_name, sql FROM {values.name(database)}.sqlite_schema WHERE sql NOTNULL"
        arguments = ()
        if pattern:
            left, _, right = pattern.rpartition(".")
            if left and left != database:
                continue
            like = "GLOB" if re.search(r"[*?\[]", right) else "LIKE"
            query, arguments = query + f" AND lower(tbl_name) {like} ?", (right.lower(),)
        if not system:
            query += " AND name NOT LIKE 'sqlite__%' ESCAPE '_'"
        for kind, name, _, sql in shell.database.execute(query + " ORDER BY rowid", arguments).fetchall():
            sql = created(sql)
            if database != "main":
                sql = re.sub(r"^(CREATE (?:TEMP )?(?:TABLE|VIEW|INDEX|TRIGGER) )", rf"\g<1>{database}.", sql)
            if columns and (kind == "view" or sql.upper().startswith("CREATE VIRTUAL")):
                sql += _columns_of(shell, database, name)
            shell.write((_indented(sql) if indent and kind == "table" else sql) + ";\n")


def _columns_of(shell, database, name):
    try:
        rows = shell.database.execute(f"PRAGMA {values.name(database)}.table_info({values.name(name)})").fetchall()
    except sqlite3.Error:
        return ""
    return f"\n/* {values.name(name)}({','.join(values.name(row[1]) for row in rows)}) */" if rows else ""


def _indented(sql):
    """Put each column on a line of its own, if the columns are plain."""
    match = re.fullmatch(r"(CREATE TABLE [^(]*\()(.*)(\)[^)]*)", sql, re.DOTALL)
    if not match or "\n" in sql or "--" in sql or len(sql) < 79:
        return sql
    parts, depth, start, quoted = [], 0, 0, ""
    body = match[2]
    for at, char in enumerate(body):
        if quoted:
            quoted = "" if char == quoted else quoted
        elif char in "'\"`":
            quoted = char
        elif char in "()":
            depth += 1 if char == "(" else -1
        elif char == "," and not depth:
            parts.append(body[start:at])
            start = at + 1
    if not parts:
        return sql
    parts.append(body[start:])
    return match[1] + "\n  " + ",\n  ".join(part.strip() for part in parts) + "\n" + match[3]


def dump(shell, patterns, data_only=False, row_ids=False):
    """`.dump`."""
    write, database = shell.write, shell.database
    if not data_only:
        write("PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n")
    where = " OR ".join("name LIKE ?" for _ in patterns) or "1"
    writable = False
    try:
        query = (f"SELECT name, sql FROM sqlite_schema WHERE sql NOTNULL AND type='table' AND ({where})"
                 " ORDER BY tbl_name='sqlite_sequence', rowid")
        for name, sql in database.execute(query, patterns).fetchall():
            if name == "sqlite_sequence":
                write("" if data_only else "DELETE FROM sqlite_sequence;\n")
            elif name.startswith("sqlite_stat"):
                write("" if data_only else "ANALYZE sqlite_schema;\n")
            elif name.startswith("sqlite_"):
                continue
            elif sql.upper().startswith("CREATE VIRTUAL"):
                if not writable and not data_only:
                    write("PRAGMA writable_schema=ON;\n")
                    writable = True
                write("INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)"
                      f"VALUES('table',{values.literal(name)},{values.literal(name)},0,{values.literal(sql)});\n")
                continue
            elif not data_only:
                write(created(sql) + ";\n")
            _rows(shell, name, row_ids)
        if not data_only:
            query = f"SELECT sql FROM sqlite_schema WHERE sql NOTNULL AND type IN ('index','trigger','view') AND ({where}) ORDER BY rowid"
            for (sql,) in database.execute(query, patterns).fetchall():
                write(sql + ";\n")
    except sqlite3.DatabaseError as error:
        write(f"/**** ERROR: ({error.sqlite_errorcode & 255}) {error} *****/\n")
        write("ROLLBACK; -- due to errors\n")
        return
    if writable:
        write("PRAGMA writable_schema=OFF;\n")
    if not data_only:
        write("COMMIT;\n")


def _rows(shell, name, row_ids):
    info = shell.database.execute(f"PRAGMA table_xinfo({values.name(name)})").fetchall()
    columns = [row[1] for row in info if not row[6]]
    head = f"INSERT INTO {values.name(name)}"
    if row_ids and not any(row[5] and row[2].upper() == "INTEGER" for row in info):
        columns.insert(0, "rowid")
    if row_ids or len(columns) != len(info):
        head += "(" + ",".join(map(values.name, columns)) + ")"
    query = f"SELECT {','.join(values.name(c) for c in columns)} FROM {values.name(name)}"
    for row in shell.database.execute(query):
        shell.write(f"{head} VALUES({','.join(values.literal(v, True) for v in row)});\n")
