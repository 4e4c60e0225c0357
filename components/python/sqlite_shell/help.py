"""The texts of `-help` and `.help`."""

USAGE = """Usage: sqlite3 [OPTION]... [FILE [SQL]...]
SQLite's shell over the sqlite3 module of python3. Without FILE the database is in memory, without SQL
the statements and commands come from standard input.

   -ascii               output mode ascii
   -bail                stop at the first error
   -batch               take standard input for a file
   -box                 output mode box
   -cmd COMMAND         run COMMAND before anything else
   -column              output mode column
   -csv                 output mode csv
   -echo                print each statement before it runs
   -header, -noheader   print the names of the columns, or do not
   -help                print this help
   -html                output mode html
   -init FILE           read FILE first
   -interactive         take standard input for a person
   -json                output mode json
   -line                output mode line
   -list                output mode list
   -markdown            output mode markdown
   -newline SEP         what ends a row
   -nullvalue TEXT      what is printed for NULL
   -quote               output mode quote
   -readonly            open the database for reading only
   -separator SEP       what stands between columns
   -table               output mode table
   -tabs                output mode tabs
   -version             print SQLite's version

Not here: .archive, .recover, .session, .expert and what debugs SQLite; -A, -zip, -deserialize.
"""

_TEXT = """\
backup ?DB? FILE|Copy a database (main) into FILE
bail on|off|Stop at the first error
cd DIRECTORY|Change the working directory
changes on|off|Print how many rows a statement changed
databases|List the attached databases
dump ?TABLE...?|Print the database as SQL. --data-only, --preserve-rowids
echo on|off|Print statements before they run
eqp on|off|Print the plan of each query
exit ?CODE?|End with a status
explain ?on|off|auto?|How EXPLAIN is printed
fullschema|Print the schema and the contents of sqlite_stat tables
headers on|off|Print the names of the columns
help ?COMMAND?|Print this help
import FILE TABLE|Read rows of FILE into TABLE, which is made from the first row if it is not there. \
--csv, --ascii, --skip N, --schema S, -v; a FILE that begins with | is a command
indexes ?TABLE?|List the indexes
mode MODE ?TABLE?|Output mode: ascii box column csv html insert json line list markdown qbox quote table tabs tcl. \
--wrap N, --wordwrap on|off, --ww, --quote, --noquote
nullvalue TEXT|What is printed for NULL
once ?FILE?|Send the output of the next statement to FILE or |COMMAND
open ?--new? ?--readonly? ?FILE?|Open another database
output ?FILE?|Send output to FILE or |COMMAND, or to standard output again
parameter CMD|set NAME VALUE, list, unset NAME, clear: values for :NAME, @NAME, $NAME, ?N
print TEXT...|Print words
prompt MAIN CONTINUE|The prompts
quit|End
read FILE|Run the lines of FILE or |COMMAND
restore ?DB? FILE|Copy FILE into the database
save FILE|Copy the database into FILE
schema ?PATTERN?|Print the CREATE statements. --indent, --nosys
separator COL ?ROW?|What stands between columns and behind rows
shell COMMAND...|Run a command
show|Print the settings
system COMMAND...|Run a command
tables ?PATTERN?|List tables and views
timeout MS|Wait so long for a lock
timer on|off|Print how long statements take
width N...|Least widths of columns; negative ones align to the right"""


def _entries():
    for line in _TEXT.splitlines():
        for cut in range(1, line.count("|") + 1):
            parts = line.split("|")
            about = "|".join(parts[cut:])
            if about[:1].isupper() or about.startswith("set NAME"):
                yield "|".join(parts[:cut]), about
                break


#: The names in the order in which an abbreviation is looked up.
ORDER = [usage.split()[0] for usage, _ in _entries()]


def overview():
    """All commands."""
    return "".join(f".{usage:<32} {about}\n" for usage, about in _entries())


def about(name):
    """The lines of the commands with this prefix; nothing if there is none."""
    name = name.lstrip(".")
    return "".join(f".{usage:<24} {about}\n" for usage, about in _entries() if usage.split()[0].startswith(name))
