//! Suggestions for a command that failed because it names a file of the host which the sandbox does not have.

use std::fs;
use std::path::{Path, PathBuf};

use wisp::policy::Mount;
use wisp::{End, Outcome, Session};

use crate::{advice, args, invocation};

/// Programs whose status 1 is an answer and no failure.
const ANSWERS: &[&str] = &["[", "cmp", "diff", "egrep", "fgrep", "grep", "rg", "test", "zgrep"];

/// Programs whose word after `-c` is a script.
const SCRIPTED: &[&str] = &["bash", "python", "python3", "sh"];

/// Returns a suggestion if the command failed, and a word of it names a file of the host that the sandbox does not have by this name.
pub(crate) async fn suggestion(asked: &args::Run, session: &Session, outcome: &Outcome) -> Option<String> {
    let End::Exit { code } = outcome.end else { return None };
    let words: Vec<String> = asked.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let program = words.first()?;
    if code == 0 || (code == 1 && ANSWERS.contains(&program.as_str())) {
        return None;
    }
    let start = asked.workdir.as_deref().unwrap_or(".");
    for (at, word) in words.iter().enumerate().skip(1) {
        if is_script(&words, at) || !is_of_host(word) {
            continue;
        }
        let inside = if word.starts_with('/') { word.clone() } else { format!("{start}/{word}") };
        let found = session.files().stat(&inside).await;
        if found.is_err_and(|error| error.is_not_found()) {
            let (options, mounts) = (invocation::options(), &session.policy().filesystem().mounts);
            if asked.session.is_some() && within(word, mounts).is_none() {
                // A session keeps the policy that it began with: the next run of it has no other mount.
                return None;
            }
            return mounted(&options, word, &words, mounts);
        }
    }
    None
}

/// Returns whether a word of a command is the name of a file or folder of the host.
fn is_of_host(word: &str) -> bool {
    !word.is_empty() && !word.starts_with('-') && Path::new(word).exists()
}

/// Returns whether a word is the script of a shell or of Python. Where an agent's model writes it, a suggestion would tell the model whether
/// the host has a file of this name.
fn is_script(words: &[String], at: usize) -> bool {
    let option = at.checked_sub(1).and_then(|before| words.get(before));
    words.first().is_some_and(|program| SCRIPTED.contains(&program.as_str()))
        && option.is_some_and(|option| option.starts_with('-') && !option.starts_with("--") && option.ends_with('c'))
}

/// Returns what to type for a command of these `words`, so that `missing`, a file of the host, is there; nothing if no option mounts it.
fn mounted(options: &[String], missing: &str, words: &[String], mounts: &[Mount]) -> Option<String> {
    if let Some(inside) = within(missing, mounts) {
        let typed = advice::line(options, &renamed(words, |word| within(word, mounts)));
        return Some(format!("`{missing}` is `{inside}` in the sandbox: `{typed}`"));
    }
    let granted = mounts.iter().map(|mount| format!("{}:{}", mount.host.display(), mount.guest));
    let place = advice::place(&options.iter().cloned().chain(granted).collect::<Vec<_>>());
    // A folder is mounted itself, a file with those beside it.
    let (host, command) = if Path::new(missing).is_dir() {
        (missing.to_owned(), renamed(words, |word| (word == missing).then(|| place.to_owned())))
    } else {
        let host = folder(missing);
        let beside = |word: &str| {
            let name = Path::new(word).file_name()?.to_str()?;
            (folder(word) == host).then(|| format!("{place}/{name}"))
        };
        let command = renamed(words, beside);
        (host, command)
    };
    if host.contains(':') {
        // It would end there for the option.
        return None;
    }
    let options: Vec<String> = options.iter().cloned().chain(["--mount".to_owned(), format!("{host}:{place}")]).collect();
    Some(format!("`{missing}` is not in the sandbox; {}: `{}`", advice::MOUNT, advice::line(&options, &command)))
}

/// Returns a command in which those words that name files of the host have another name, if `name` gives them one.
fn renamed(words: &[String], name: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let word = |(at, word): (usize, &String)| {
        let inside = if at > 0 && !is_script(words, at) && is_of_host(word) { name(word) } else { None };
        inside.unwrap_or_else(|| word.clone())
    };
    words.iter().enumerate().map(word).collect()
}

/// Returns the folder of a file, as an option names it.
fn folder(file: &str) -> String {
    let folder = Path::new(file).parent().map(|folder| folder.to_string_lossy().into_owned()).filter(|folder| !folder.is_empty());
    folder.unwrap_or_else(|| ".".to_owned())
}

/// Returns the name in the sandbox of a file of the host, if a mount has it.
fn within(word: &str, mounts: &[Mount]) -> Option<String> {
    let path = fs::canonicalize(word).ok()?;
    mounts.iter().find_map(|mount| {
        let rest = path.strip_prefix(&mount.host).ok()?;
        // Component by component: to join an empty path adds a slash.
        let inside: PathBuf = Path::new(&mount.guest).components().chain(rest.components()).collect();
        inside.to_str().map(str::to_owned)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn files_of_one_folder_are_mounted_together() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        for name in ["a.py", "b.csv"] {
            fs::write(at(name), "").unwrap();
        }
        let (script, table) = (at("a.py"), at("b.csv"));
        let words = strings(&["python3", "-u", &script, &table, "/etc/passwd"]);
        let host = folder.path().to_str().unwrap();
        assert_eq!(
            mounted(&strings(&["--timeout", "5s"]), &script, &words, &[]).unwrap(),
            format!(
                "`{script}` is not in the sandbox; mount a file of the host to use it in the sandbox: `wisp run --timeout 5s --mount {host}:/mnt/input \
                 -- python3 -u /mnt/input/a.py /mnt/input/b.csv /etc/passwd`"
            )
        );
        // A folder is mounted itself; a place that is taken is left alone.
        let words = strings(&["ls", host]);
        let typed = mounted(&strings(&["--mount", "./x:/mnt/input"]), host, &words, &[]).unwrap();
        assert!(typed.ends_with(&format!("`wisp run --mount ./x:/mnt/input --mount {host}:/mnt/host -- ls /mnt/host`")), "{typed}");
        // No option mounts this one.
        let odd = at("a:b");
        fs::create_dir(&odd).unwrap();
        assert_eq!(mounted(&[], &odd, &strings(&["ls", &odd]), &[]), None);
    }

    #[test]
    fn a_script_is_no_file() {
        for (words, at) in [(&["sh", "-c", "/etc"] as &[&str], 2), (&["bash", "-xc", "/etc"], 2), (&["python3", "-u", "-c", "/etc"], 3)] {
            assert!(is_script(&strings(words), at), "{words:?}");
        }
        for words in [&["sh", "-x", "/etc"] as &[&str], &["head", "-c", "/etc"], &["sh", "--rc", "/etc"]] {
            assert!(!is_script(&strings(words), 2), "{words:?}");
        }
        assert!(!is_script(&strings(&["sh"]), 0));
        // What stands beside it keeps its own name, and so does the script.
        let words = strings(&["sh", "-c", "/", "/"]);
        assert_eq!(renamed(&words, |_| Some("/w".to_owned())), ["sh", "-c", "/", "/w"]);
    }
}
