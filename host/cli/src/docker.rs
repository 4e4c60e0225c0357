//! Options of `docker run` that people type out of habit, and what says the same here.

mod habits;

use std::collections::VecDeque;
use std::path::Path;

use clap::CommandFactory;

use crate::args;
use habits::{HABITS, Habit};

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
