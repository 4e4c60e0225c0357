//! `hash`: where programs were found.

use super::getopt::Options;
use super::{find, text};
use crate::shell::{Run, Shell};
use std::rc::Rc;

pub(super) fn hash(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    if !shell.opts.has(b'h') {
        shell.error("hash: hashing disabled");
        return Ok(1);
    }
    if shell.vars.path_changed {
        shell.vars.path_changed = false;
        shell.programs.hash = Rc::default();
    }
    let (mut list, mut forget, mut delete, mut show, mut path) = (false, false, false, false, None);
    let mut options = Options::new(args, "dlp:rt", "[-lr] [-p pathname] [-dt] [name ...]");
    while let Some(letter) = options.next(shell)? {
        match letter {
            b'l' => list = true,
            b'r' => forget = true,
            b'd' => delete = true,
            b't' => show = true,
            b'p' => path = Some(options.value().to_vec()),
            _ => return Ok(2),
        }
    }
    if let Some(path) = path.as_ref().filter(|path| path.contains(&b'/') && shell.opts.restricted()) {
        shell.error(format!("hash: {}: restricted", text(path)));
        return Ok(1);
    }
    let names = options.rest();
    if forget {
        shell.programs.hash = Rc::default();
    }
    if names.is_empty() {
        if forget {
            return Ok(0);
        }
        if delete || show {
            shell.error(format!("hash: -{}: option requires an argument", if delete { 'd' } else { 't' }));
            return Ok(1);
        }
        return show_all(shell, list);
    }
    let mut status = 0;
    let mut out = Vec::new();
    for name in names {
        let known = shell.programs.hash.get(name).map(|(path, _)| path.clone());
        if show && let Some(entry) = Rc::make_mut(&mut shell.programs.hash).get_mut(name) {
            // A lookup counts as a use.
            entry.1 += 1;
        }
        if let Some(path) = &path {
            Rc::make_mut(&mut shell.programs.hash).insert(name.clone(), (path.clone(), 0));
            continue;
        }
        let missing = if delete {
            Rc::make_mut(&mut shell.programs.hash).remove(name).is_none()
        } else if show {
            match &known {
                Some(path) if list => out.extend_from_slice(&[b"builtin hash -p ", &path[..], b" ", name, b"\n"].concat()),
                Some(path) if names.len() > 1 => out.extend_from_slice(&[name, &b"\t"[..], path, b"\n"].concat()),
                Some(path) => out.extend_from_slice(&[&path[..], b"\n"].concat()),
                None => {}
            }
            known.is_none()
        } else {
            find(name).is_none() && !shell.definitions.functions.contains_key(name) && !remember(shell, name)
        };
        if missing {
            shell.error(format!("hash: {}: not found", text(name)));
            status = 1;
        }
    }
    shell.print("hash", &out)?;
    Ok(status)
}

fn remember(shell: &mut Shell, name: &[u8]) -> bool {
    if name.contains(&b'/') {
        return true;
    }
    Rc::make_mut(&mut shell.programs.hash).remove(name);
    let Some(path) = shell.search_path(name).into_iter().next() else { return false };
    Rc::make_mut(&mut shell.programs.hash).insert(name.to_vec(), (path, 0));
    true
}

fn show_all(shell: &mut Shell, list: bool) -> Run {
    let mut out = Vec::new();
    if shell.programs.hash.is_empty() {
        out.extend_from_slice(b"hash: hash table empty\n");
    } else if !list {
        out.extend_from_slice(b"hits\tcommand\n");
    }
    for (name, (path, hits)) in shell.programs.hash.iter() {
        let line = if list { format!("builtin hash -p {} {}\n", text(path), text(name)) } else { format!("{hits:4}\t{}\n", text(path)) };
        out.extend_from_slice(line.as_bytes());
    }
    shell.print("hash", &out)
}
