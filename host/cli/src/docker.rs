//! Options of `docker run` that people type out of habit, and what says the same here.

use std::collections::VecDeque;
use std::path::Path;

use clap::CommandFactory;

use crate::args;

/// An option of docker's, and its like.
struct Habit {
    /// How it is written.
    names: &'static [&'static str],
    /// Whether it has a value.
    value: bool,
    /// Returns the option that says the same, for this value; none if nothing is to be said.
    here: fn(&str) -> Option<(&'static str, String)>,
    /// What is told to who typed it.
    told: &'static str,
}

/// Returns no option.
fn nothing(_: &str) -> Option<(&'static str, String)> {
    None
}

const HABITS: &[Habit] = &[
    Habit {
        names: &["-v", "--volume", "--bind"],
        value: true,
        here: |value| Some(("--mount", mount(value))),
        told: "`--mount HOST:GUEST` mounts for reading; `:write` after it lets the sandbox change the host's files",
    },
    Habit {
        names: &["-e"],
        value: true,
        here: |value| Some(("--env", if value.contains('=') { value.to_owned() } else { format!("{value}=VALUE") })),
        told: "`--env NAME=VALUE` sets a variable; nothing is inherited",
    },
    Habit {
        names: &["--env-file"],
        value: true,
        here: nothing,
        told: "`--env NAME=VALUE` sets a variable, once for each; `[env.vars]` of a policy has many",
    },
    Habit {
        names: &["-w", "--cwd", "--chdir", "--working-dir"],
        value: true,
        here: |value| Some(("--workdir", value.to_owned())),
        told: "`--workdir DIR` starts the command in this directory of the sandbox",
    },
    Habit { names: &["--rm"], value: false, here: nothing, told: "leave it out: nothing is kept without `--session NAME`" },
    Habit {
        names: &["-m", "--memory"],
        value: true,
        here: |value| Some(("--set", format!("limits.memory={}", size(value)))),
        told: "`--set limits.memory=SIZE` limits the memory of all processes together",
    },
    Habit {
        names: &["--memory-swap", "--memory-reservation", "--shm-size"],
        value: true,
        here: nothing,
        told: "`--set limits.memory=SIZE` limits the memory of all processes together, and there is no other",
    },
    Habit {
        names: &["--network", "--net"],
        value: true,
        here: |value| (value != "none").then(|| ("--allow", "https://example.com/".to_owned())),
        told: "there is no network without `--allow URL`, which lets programs read below that address",
    },
    Habit {
        names: &["-p", "--publish", "--expose"],
        value: true,
        here: nothing,
        told: "leave it out: nothing outside connects to a sandbox; a server and its clients run in one command, at `localhost`; \
               `--allow URL` lets programs send requests",
    },
    Habit {
        names: &["-P", "--publish-all"],
        value: false,
        here: nothing,
        told: "leave it out: nothing outside connects to a sandbox; a server and its clients run in one command, at `localhost`",
    },
    Habit {
        names: &["-c", "--cpus", "--cpu-shares", "--cpuset-cpus"],
        value: true,
        here: nothing,
        told: "leave it out: a process has one processor; `--set limits.cpu=30s` limits the processor time of a command, and \
               `--set limits.processes=1` the processes",
    },
    Habit {
        names: &["--pids-limit"],
        value: true,
        here: |value| Some(("--set", format!("limits.processes={value}"))),
        told: "`--set limits.processes=N` limits the processes at once",
    },
    Habit {
        names: &["--ulimit"],
        value: true,
        here: nothing,
        told: "`--set limits.open_files=N`, and the other keys of `[limits]`, are such limits; `ulimit` in the shell lowers them",
    },
    Habit {
        names: &["--stop-timeout"],
        value: true,
        here: |value| Some(("--timeout", format!("{value}s"))),
        told: "`--timeout TIME` ends the command after this time",
    },
    Habit {
        names: &["--name"],
        value: true,
        here: |value| Some(("--session", value.to_owned())),
        told: "`--session NAME` keeps files and state for the next run of this name",
    },
    Habit {
        names: &["-d", "--detach"],
        value: false,
        here: nothing,
        told: "leave it out: `wisp run` ends with its command; `--resident --session NAME` keeps a session open between commands",
    },
    Habit { names: &["-u", "--user"], value: true, here: nothing, told: "leave it out: a sandbox has one user, who is not root" },
    Habit {
        names: &["--read-only"],
        value: false,
        here: nothing,
        told: "leave it out: /usr and /etc are read only, and all other files are in memory; `--mount HOST:GUEST` mounts for reading",
    },
    Habit {
        names: &["--tmpfs"],
        value: true,
        here: nothing,
        told: "leave it out: /tmp and all other files of a sandbox are in memory; `--set filesystem.quota=SIZE` limits them",
    },
    Habit {
        names: &["--privileged", "--init"],
        value: false,
        here: nothing,
        told: "leave it out: a sandbox has nothing of the kernel; `wisp explain` shows what it has",
    },
    Habit {
        names: &["--cap-add", "--cap-drop", "--security-opt", "--device", "--gpus"],
        value: true,
        here: nothing,
        told: "leave it out: a sandbox has no device and nothing of the kernel; `wisp explain` shows what it has",
    },
    Habit {
        names: &["--add-host", "--dns", "--hostname"],
        value: true,
        here: nothing,
        told: "leave it out: the host looks names up, for requests to what `--allow URL` lists",
    },
    Habit {
        names: &["--platform", "--pull"],
        value: true,
        here: nothing,
        told: "leave it out: there is no image; the programs are wisp's, and `--tool NAME=FILE` adds one of yours",
    },
    Habit { names: &["--entrypoint"], value: true, here: nothing, told: "the program and its arguments stand after `--`" },
    Habit {
        names: &["--verbose", "--debug"],
        value: false,
        here: nothing,
        told: "`--events FILE` writes what happens, `--receipts FILE` what is decided",
    },
    // They are options here too, but fail elsewhere than at a terminal.
    Habit { names: &["-i", "-t"], value: false, here: nothing, told: "leave it out: at a terminal, it is so anyway" },
];

/// Short options without a value, which can share a word.
const FLAGS: &str = "itdP";

/// Images that are no programs of wisp.
const IMAGES: &[&str] = &["alpine", "busybox", "debian", "fedora", "node", "ubuntu"];

/// Returns what to tell who typed the option `asked`, and what to type: `words` are those after `wisp run`, which become the options and
/// the command of the result.
pub(crate) fn habit(words: &[String], asked: &str) -> Option<(&'static str, Vec<String>, Vec<String>)> {
    let told = of(asked)?.told;
    let (mut options, mut words) = (Vec::new(), VecDeque::from(words.to_vec()));
    while words.front().is_some_and(|word| word.starts_with('-') && word != "--") {
        let word = words.pop_front().unwrap_or_default();
        let (word, more) = apart(&word);
        if let Some(more) = more {
            words.push_front(more);
        }
        let (name, mut value) = match word.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (word.clone(), None),
        };
        match of(&name) {
            Some(habit) => {
                if habit.value && value.is_none() {
                    value = words.pop_front();
                }
                let said = (habit.here)(&value.unwrap_or_default());
                options.extend(said.into_iter().flat_map(|(name, value)| [name.to_owned(), value]));
            }
            None => {
                let follows = value.is_none() && takes_value(&name);
                options.push(word);
                options.extend(if follows { words.pop_front() } else { None });
            }
        }
    }
    if words.front().is_some_and(|word| is_image(word)) {
        words.pop_front();
    }
    if words.front().is_some_and(|word| word == "--") {
        words.pop_front();
    }
    if words.is_empty() {
        words.push_back("sh".to_owned());
    }
    Some((told, options, words.into()))
}

fn of(name: &str) -> Option<&'static Habit> {
    HABITS.iter().find(|habit| habit.names.contains(&name))
}

/// Returns the first option of a word and, as another word, those that follow it: `-itv.:/w` is `-i` and `-tv.:/w`, `-v.:/w` is `-v=.:/w`.
fn apart(word: &str) -> (String, Option<String>) {
    let letters = word.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
    let Some((flag, rest)) = letters.and_then(|letters| letters.chars().next().map(|flag| (flag, &letters[flag.len_utf8()..]))) else {
        return (word.to_owned(), None);
    };
    if FLAGS.contains(flag) && !rest.is_empty() {
        return (format!("-{flag}"), Some(format!("-{rest}")));
    }
    let joined = if rest.is_empty() || rest.starts_with('=') { "" } else { "=" };
    (format!("-{flag}{joined}{rest}"), None)
}

/// Returns whether a word in the place of the command is an image of docker's.
fn is_image(word: &str) -> bool {
    let tagged = word.split_once(':').is_some_and(|(name, tag)| !name.is_empty() && !tag.is_empty() && !tag.starts_with('/'));
    (tagged || IMAGES.contains(&word)) && !Path::new(word).exists()
}

/// Returns whether the value of this option of `wisp run` is the next word.
fn takes_value(name: &str) -> bool {
    let command = args::Arguments::command();
    let Some(run) = command.find_subcommand("run") else { return false };
    let long = name.strip_prefix("--");
    run.get_arguments()
        .any(|option| long.is_some() && option.get_long() == long && option.get_action().takes_values() && !option.is_require_equals_set())
}

/// Returns a mount as `--mount` takes it. Without `rw` it is for reading, which docker's is not.
fn mount(value: &str) -> String {
    let mut parts = value.split(':');
    match (parts.next().unwrap_or_default(), parts.next(), parts.next()) {
        (guest, None, _) => format!("HOST:{guest}"),
        (host, Some(guest), Some(modes)) if modes.split(',').any(|mode| mode == "rw") => format!("{host}:{guest}:write"),
        (host, Some(guest), _) => format!("{host}:{guest}"),
    }
}

/// Returns a size as a policy writes it: docker's `1g` is `1GiB`.
fn size(value: &str) -> String {
    let number: String = value.chars().take_while(char::is_ascii_digit).collect();
    let unit = match value[number.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => "B",
        "k" | "kb" => "KiB",
        "m" | "mb" => "MiB",
        "g" | "gb" => "GiB",
        _ => return value.to_owned(),
    };
    format!("{number}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(line: &str, asked: &str) -> String {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let (_, options, command) = habit(&words, asked).unwrap();
        format!("{} -- {}", options.join(" "), command.join(" "))
    }

    #[test]
    fn a_line_of_docker_s_becomes_one_of_wisp_s() {
        for (line, asked, expected) in [
            ("--rm -it -v .:/w -e A=1 -w /w python:3 python3 x.py -v", "--rm", "--mount .:/w --env A=1 --workdir /w -- python3 x.py -v"),
            ("-v.:/w:rw,z --policy fetch -- ls -l", "-v", "--mount .:/w:write --policy fetch -- ls -l"),
            ("-itd --memory=1g --timeout=5s ls", "-d", "--set limits.memory=1GiB --timeout=5s -- ls"),
            ("-m 512m --cpus 2 ubuntu", "-m", "--set limits.memory=512MiB -- sh"),
            ("--network none ls", "--network", " -- ls"),
            ("--net=host --pids-limit 5 -p 80:80 ls", "--net", "--allow https://example.com/ --set limits.processes=5 -- ls"),
            ("--volume data -e HOME --name x -- env", "--volume", "--mount HOST:data --env HOME=VALUE --session x -- env"),
        ] {
            assert_eq!(typed(line, asked), expected, "{line}");
        }
        assert!(habit(&[], "--polcy").is_none());
    }

    #[test]
    fn every_option_that_is_suggested_exists() {
        for habit in HABITS {
            if let Some((option, _)) = (habit.here)("1") {
                assert!(takes_value(option), "{option}");
            }
            for option in habit.told.split('`').filter(|word| word.starts_with("--") && word.len() > 2) {
                let name = option.split(' ').next().unwrap_or_default();
                assert!(takes_value(name) || name == "--resident", "{option}");
            }
        }
    }
}
