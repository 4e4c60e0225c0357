"""`.import`: inserts the rows of a file into a table."""

import sqlite3

from . import values


def records(text, column, row, quotes):
    """The records of a text: lists of cells."""
    at, end = 0, len(text)
    while at < end:
        stop = text.find(row, at)
        if stop < 0:
            stop = end
        line = text[at:stop]
        if quotes and '"' in line:
            record, at = _quoted(text, at, column, row)
        else:
            record, at = line.split(column), stop + 1
            if quotes and line.endswith("\r"):
                record[-1] = record[-1][:-1]
        yield record


def _quoted(text, at, column, row):
    """The record at an offset of the text where some cells are quoted, and the offset after it."""
    record, end = [], len(text)
    while True:
        if text[at: at + 1] == '"':
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
        else:
            stops = [found for found in (text.find(column, at), text.find(row, at)) if found >= 0]
            stop = min(stops, default=end)
            cell = text[at:stop]
            if cell.endswith("\r") and (stop == end or text[stop] == row):
                cell = cell[:-1]
        record.append(cell)
        at = stop + 1
        if stop >= end or text[stop] == row:
            return record, at


def unique(names):
    """Names without repetition, and the names that were changed."""
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
    """Read a file into a table, which is created if it does not exist; return the status."""
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
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
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
    number = taken = failed = 0

    def filled():
        nonlocal number, taken
        for number, cells in rows:
            if len(cells) < width:
                shell.complain(f"{source}:{number}: expected {width} columns but found {len(cells)} - filling the rest with NULL")
                cells += [None] * (width - len(cells))
            elif len(cells) > width:
                shell.complain(f"{source}:{number}: expected {width} columns but found {len(cells)} - extras ignored")
                cells = cells[:width]
            yield cells
            taken += 1

    lines = filled()
    while True:
        try:
            database.executemany(statement, lines)
            break
        except sqlite3.Error as error:
            # That row was not inserted; the next call continues with the row after it.
            shell.complain(f"{source}:{number}: INSERT failed: {error}")
            failed += 1
    added = taken - failed
    if begin:
        database.execute("COMMIT")
    if verbose:
        shell.write(f"Added {added} rows with {failed} errors using {added + failed} lines of input\n")
    return 0
