//! `ps`: the processes of this session.

use super::process_table::{self, Process};
use super::ps_columns::{Column, Facts, is_command};
use super::ps_options::{Asked, Tree};
use crate::{sys, text};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;

const HELP: &str = "Usage: ps [OPTION]...
List the processes of this session.

  -A, -e, ax                   all processes
  -a, -d, a, x, T, r           those of a terminal, and others, as in procps
  -p, -C, -u, -t, -s, --ppid   those of these ids, names, users, terminals, sessions, parents
  -N, --deselect               the others
  -f, -F, -l, -j, u, l, j, v   more columns
  -o, -O, o, --format=COLUMNS  these columns: pid,ppid,args, pid=,comm=TITLE, comm:20
  --sort=KEYS, k               in this order: -rss,pid
  f, --forest, -H              as a tree
  --no-headers, h              without the line of titles
  ww                           lines of any length at a terminal
      --help                   print this help and exit
";

const HINT: &str = "
Usage:
 ps [options]

 Try 'ps --help <simple|list|output|threads|misc|all>'
  or 'ps --help <s|l|o|t|m|a>'
 for additional help text.

For more details see ps(1).
";

/// The least width of a line with `w`.
const WIDE: usize = 132;

/// Runs `ps`.
pub(crate) fn ps(args: Vec<OsString>) -> u8 {
    let words: Vec<String> = args.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    match words.first().map(String::as_str) {
        Some("--help") => {
            print!("{HELP}");
            return 0;
        }
        Some("-V" | "--version" | "V") => {
            println!("ps from wisp, compatible with procps-ng, {}", env!("CARGO_PKG_VERSION"));
            return 0;
        }
        _ => {}
    }
    let asked = match Asked::read(words) {
        Ok(asked) => asked,
        Err(message) => {
            eprint!("error: {message}\n{HINT}");
            return 1;
        }
    };
    match process_table::all().and_then(|all| Ok((all, Facts::read()?))) {
        Ok((all, facts)) => print(&asked, all, &facts),
        Err(error) => {
            text::complain("ps", error);
            1
        }
    }
}

/// Prints what a command line asks for; returns the exit status.
fn print(asked: &Asked, all: Vec<Process>, facts: &Facts) -> u8 {
    let own = all.iter().find(|process| process.pid == sys::pid()).map_or(0, |process| process.terminal);
    let mut chosen: Vec<Process> = all.into_iter().filter(|process| is_meant(asked, process, own) != asked.inverse).collect();
    for (key, down) in asked.sort.iter().rev() {
        chosen.sort_by(|one, other| {
            let order = facts.rank(key, one).cmp(&facts.rank(key, other));
            if *down { order.reverse() } else { order }
        });
    }
    let rows = match asked.tree {
        Some(tree) => arranged(chosen, tree),
        None => chosen.into_iter().map(|process| (String::new(), process)).collect(),
    };
    let columns = asked.columns();
    let width = match (sys::is_terminal(1), asked.wide) {
        (false, _) | (true, 2..) => usize::MAX,
        (true, wide) => sys::terminal::window().1.max(if wide == 1 { WIDE } else { 1 }),
    };
    let mut out = String::new();
    let mut add = |cells: &[String]| {
        let line = line(cells, &columns);
        out.extend(line.chars().take(width));
        out.push('\n');
    };
    if !asked.headless && columns.iter().any(|column| !column.title.is_empty()) {
        add(&columns.iter().map(|column| column.title.clone()).collect::<Vec<_>>());
    }
    for (before, process) in &rows {
        let cell = |column: &Column| {
            let value = facts.value(column.key, process);
            if is_command(column.key) || matches!(column.key, "comm" | "ucmd") { format!("{before}{value}") } else { value }
        };
        add(&columns.iter().map(cell).collect::<Vec<_>>());
    }
    if let Err(error) = std::io::stdout().write_all(out.as_bytes()) {
        text::complain("ps", format!("write error: {}", text::reason(&error)));
        return 1;
    }
    u8::from(rows.is_empty())
}

/// Returns whether a process is one that the options name. `own` is the terminal of this one; every process has the same user.
fn is_meant(asked: &Asked, process: &Process, own: u64) -> bool {
    let terminal = process.terminal_name();
    let listed = asked.pids.contains(&process.pid)
        || asked.parents.contains(&process.parent)
        || asked.sessions.contains(&process.session)
        || asked.names.contains(&process.name)
        || asked.user
        || asked.terminals.iter().any(|name| terminal.as_ref().map_or(name == "-" || name == "?", |own| own == name));
    let (leads, here) = (process.session == process.pid, process.terminal != 0);
    let simple = [
        (asked.all, true),
        (asked.posix_has('a'), here && !leads),
        (asked.posix_has('d'), !leads),
        (asked.bsd_has('x'), true),
        (asked.bsd_has('a'), here),
        (asked.bsd_has('T'), process.terminal == own),
    ];
    let named = if asked.has_list || simple.iter().any(|(given, _)| *given) {
        listed || simple.iter().any(|(given, fits)| *given && *fits)
    } else {
        process.terminal == own
    };
    named && (!asked.bsd_has('r') || process.state == 'R')
}

/// Returns the processes with their children after them, and what stands before the name of each.
fn arranged(chosen: Vec<Process>, tree: Tree) -> Vec<(String, Process)> {
    let ids: Vec<u32> = chosen.iter().map(|process| process.pid).collect();
    let mut children: BTreeMap<u32, Vec<Process>> = BTreeMap::new();
    for process in chosen {
        // The others are at the top, under a number that no process has.
        let above = if ids.contains(&process.parent) && process.parent != process.pid { process.parent } else { 0 };
        children.entry(above).or_default().push(process);
    }
    let mut rows = Vec::new();
    // What stands before the children, and those that are left at each level.
    let mut levels = vec![(String::new(), children.remove(&0).unwrap_or_default().into_iter())];
    while let Some((before, left)) = levels.last_mut() {
        let Some(process) = left.next() else {
            levels.pop();
            continue;
        };
        let (before, last) = (before.clone(), left.as_slice().is_empty());
        let below = children.remove(&process.pid).unwrap_or_default().into_iter();
        let top = levels.len() == 1;
        let (own, next) = match tree {
            Tree::Blanks => (before.clone(), format!("{before}  ")),
            Tree::Lines if top => (String::new(), before),
            Tree::Lines => (format!("{before} \\_ "), format!("{before}{}", if last { "    " } else { " |  " })),
        };
        rows.push((own, process));
        levels.push((next, below));
    }
    rows
}

/// Returns a line of cells, each in its column. What is too wide moves the rest; a column at the right makes up for that.
fn line(cells: &[String], columns: &[Column]) -> String {
    let (mut text, mut length, mut start) = (String::new(), 0, 0);
    for (at, (cell, column)) in cells.iter().zip(columns).enumerate() {
        let last = at + 1 == columns.len();
        let most = if is_command(column.key) && !last { column.width } else { usize::MAX };
        let cell: String = cell.chars().take(most).collect();
        let size = cell.chars().count();
        let least = if at == 0 { 0 } else { length + 1 };
        let begin = least.max(if column.right && size <= column.width { start + column.width - size } else { start });
        text.extend(std::iter::repeat_n(' ', begin - length));
        text += &cell;
        length = begin + size;
        start += column.width + 1;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(pid: u32, parent: u32) -> Process {
        Process {
            pid,
            parent,
            group: 2,
            session: 2,
            terminal: 0,
            foreground: -1,
            state: 'S',
            name: format!("p{pid}"),
            arguments: Vec::new(),
            used: 0,
            began: 0,
            priority: (20, 0),
            threads: 1,
            size: 0,
            resident: 0,
        }
    }

    #[test]
    fn cells_stand_in_their_columns() {
        let columns = Asked::read(["-o", "user,pid,comm,stat,args"].map(str::to_owned)).unwrap().columns();
        let row = |cells: [&str; 5]| line(&cells.map(str::to_owned), &columns);
        assert_eq!(row(["USER", "PID", "COMMAND", "STAT", "COMMAND"]), "USER       PID COMMAND         STAT COMMAND");
        assert_eq!(row(["user", "7", "sleep", "Ss+", "sleep 9"]), "user         7 sleep           Ss+  sleep 9");
        assert_eq!(row(["a-long-name", "7", "sleep", "S", ""]), "a-long-name  7 sleep           S    ");
        assert_eq!(row(["user", "1234567", "x", "S", "y"]), "user     1234567 x             S    y");
    }

    #[test]
    fn a_tree_has_children_below_their_parents() {
        let all = || [(1, 0), (2, 1), (3, 1), (4, 2), (5, 9)].map(|(pid, parent)| process(pid, parent)).to_vec();
        let shown = |tree| arranged(all(), tree).into_iter().map(|(before, process)| before + &process.name).collect::<Vec<_>>();
        assert_eq!(shown(Tree::Lines), ["p1", " \\_ p2", " |   \\_ p4", " \\_ p3", "p5"]);
        assert_eq!(shown(Tree::Blanks), ["p1", "  p2", "    p4", "  p3", "p5"]);
    }

    #[test]
    fn options_choose_processes() {
        let pids = |line: &str| {
            let asked = Asked::read(line.split(' ').map(str::to_owned)).unwrap();
            let mut all = [(2, 1), (3, 2), (4, 2)].map(|(pid, parent)| process(pid, parent));
            all[2].terminal = 34816;
            let meant = all.iter().filter(|process| is_meant(&asked, process, 0) != asked.inverse);
            meant.map(|process| process.pid).collect::<Vec<_>>()
        };
        for (line, meant) in [
            ("-f", vec![2, 3]),
            ("-e", vec![2, 3, 4]),
            ("aux", vec![2, 3, 4]),
            ("a", vec![4]),
            ("-a", vec![4]),
            ("-d", vec![3, 4]),
            ("-p 3", vec![3]),
            ("-N -p 3", vec![2, 4]),
            ("--ppid 2", vec![3, 4]),
            ("-C p2", vec![2]),
            ("-t pts/0", vec![4]),
            ("-s 2", vec![2, 3, 4]),
        ] {
            assert_eq!(pids(line), meant, "{line}");
        }
    }
}
