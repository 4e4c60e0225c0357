"""`.import`: rows of a file into a table."""

import sqlite3

from . import values


def records(text, column, row, quotes):
    """The records of a text: lists of cells."""
    record, at, end = [], 0, len(text)
    while at < end:
        if quotes and text[at] == '"':
            parts, start = [], at + 1
            while True:
                close = text.find('"', start)
                if close < 0:
                    parts.append(text[start:])
                    at = end
                    break
                parts.append(text[start:close])
                if text[close + 1: close + 2] != '"':
                    at = close + 1
                    break
                parts.append('"')
                start = close + 2
            cell = "".join(parts)
            stop = at
            while stop < end and text[stop] not in (column, row):
                stop += 1
            at = stop
        else:
            stops = [found for found in (text.find(column, at), text.find(row, at)) if found >= 0]
            stop = min(stops, default=end)
            cell = text[at:stop]
            if quotes and cell.endswith("\r") and (stop == end or text[stop] == row):
                cell = cell[:-1]
            at = stop
        record.append(cell)
        if at >= end or text[at] == row:
            yield record
            record = []
        elif at + 1 == end:
            record.append("")
            yield record
            record = []
        at += 1


def unique(names):
    """Names without repetition, and what was renamed."""
    counts, lowered = {}, [name.lower() for name in names]
    out, renamed = [], []
    for name in names:
        if lowered.count(name.lower()) > 1:
            counts[name.lower()] = counts.get(name.lower(), 0) + 1
            new = f"{name}_{counts[name.lower()]}"
            renamed.append((name, new))
            name = new
        out.append(name)
    return out, renamed


def load(shell, source, table, schema, separators, quotes, skip, verbose):
    """Read a file into a table, which is made if it is not there; answers the status."""
    try:
        if source.startswith("|"):
            import subprocess

            data = subprocess.run(source[1:], shell=True, stdout=subprocess.PIPE, check=False).stdout
        else:
            with open(source, "rb") as file:
                data = file.read()
    except OSError:
        shell.complain(f'Error: cannot open "{source}"')
        return 1
    text = data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    rows = enumerate(records(text, separators[0], separators[1], quotes), 1)
    for _ in range(skip):
        next(rows, None)
    database = shell.database
    full = (values.name(schema) + "." if schema else "") + values.name(table, True)
    info = database.execute(f"PRAGMA {values.name(schema) + '.' if schema else ''}table_info({values.name(table)})").fetchall()
    if not info:
        _, head = next(rows, (0, []))
        if not head:
            shell.complain(f"{source}: empty file")
            return 1
        head, renamed = unique([name or "?" for name in head])
        if renamed:
            shell.complain(f"Columns renamed during .import {source} due to duplicates:\n"
                           + ",\n".join(f'"{old}" to "{new}"' for old, new in renamed))
        columns = ", ".join(f"{values.name(name, True)} TEXT" for name in head)
        try:
            database.execute(f"CREATE TABLE {full}(\n{columns})")
        except sqlite3.Error as error:
            shell.complain(f"CREATE TABLE {full}(\n{columns}) failed:\n{error}")
            return 1
        width = len(head)
    else:
        width = len(info)
    statement = f"INSERT INTO {full} VALUES({','.join('?' * width)})"
    begin = not database.in_transaction
    if begin:
        database.execute("BEGIN")
    added = failed = 0
    for number, cells in rows:
        if len(cells) < width:
            shell.complain(f"{source}:{number}: expected {width} columns but found {len(cells)} - filling the rest with NULL")
            cells += [None] * (width - len(cells))
        elif len(cells) > width:
            shell.complain(f"{source}:{number}: expected {width} columns but found {len(cells)} - extras ignored")
        try:
            database.execute(statement, [c if c is None else _stored(c) for c in cells[:width]])
            added += 1
        except sqlite3.Error as error:
            shell.complain(f"{source}:{number}: INSERT failed: {error}")
            failed += 1
    if begin:
        database.execute("COMMIT")
    if verbose:
        shell.write(f"Added {added} rows with {failed} errors using {added + failed} lines of input\n")
    return 0


def _stored(cell):
    return cell.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
