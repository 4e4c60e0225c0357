//! Snippets of control flow: where `set -e` ends a shell, traps, functions and their variables, descriptors.

use super::generate::Chance;

/// Functions call only functions defined after them: `f` may call `g`, and no function calls itself.
fn within_main(text: &str) -> String {
    text.replace('@', "")
}

fn within_f(text: &str) -> String {
    text.replace("@f", "g").replace('@', "")
}

fn within_g(text: &str) -> String {
    text.replace("@f", "false").replace("@g", "true")
}

impl Chance {
    pub(super) fn control(&mut self) -> String {
        match self.below(9) {
            0..=2 => self.errexit(),
            3 | 4 => self.traps(),
            5 | 6 => self.function(),
            _ => self.descriptors(),
        }
    }

    /// A command that succeeds or fails, of some form.
    fn command(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self
                .pick(&[
                    "true",
                    "false",
                    "(exit 3)",
                    "@f",
                    "@g",
                    "! false",
                    "! true",
                    "t=$(false)",
                    "local t=$(false)",
                    "[[ $u ]]",
                    "(( n - n ))",
                    "echo \"s$?\"",
                    "return 4",
                    "break",
                    "continue",
                    "$u",
                    "test -n \"$u\"",
                    "eval false",
                    "command false",
                    "declare t=$(exit 2)",
                    ": ${u?gone}",
                    "echo e",
                    "exit 5",
                    "let 0",
                    "read t < /dev/null",
                    "nowhere_here",
                    "echo x > /nowhere/x",
                    "t=1 false",
                ])
                .to_owned();
        }
        let (one, other) = (self.command(depth - 1), self.command(depth - 1));
        match self.below(16) {
            0 => format!("{one} && {other}"),
            1 => format!("{one} || {other}"),
            2 => format!("if {one}; then {other}; fi"),
            3 => format!("{{ {one}; {other}; }}"),
            4 => format!("( {one}; {other} )"),
            5 => {
                // bash leaves a stage that is one builtin in ways of its own.
                let stage =
                    |text: &str| if text.contains("eval") || text.contains('?') { format!("{{ {text}; }}") } else { text.to_owned() };
                format!("{} | {}", stage(&one), stage(&other))
            }
            6 => format!("while (( ++c > 3 )) && break; {one}; do {other}; done"),
            7 => format!("for i in 1 2; do {one}; {other}; done"),
            8 => format!("echo \"$({one}; {other}; echo end)\""),
            9 => format!("! {{ {one}; {other}; }}"),
            10 => format!("case a in a) {one};; esac"),
            11 => format!("until (( ++c > 3 )) && break; {one}; do {other}; done"),
            12 => format!("eval '{}'", one.replace('\'', "")),
            13 => format!("{one}; {other}"),
            14 => format!("if ! {one}; then echo no; elif {other}; then echo elif; else echo else; fi"),
            _ => one,
        }
    }

    fn errexit(&mut self) -> String {
        let options = self.pick(&["-e", "-e", "-e", "-eE", "-u", "-eu", "+e", "-eT"]);
        let traps = self.pick(&[
            "",
            "trap 'echo \"err $? $BASH_SUBSHELL\"' ERR;",
            "trap 'echo \"exit $?\"' EXIT;",
            "trap 'echo err $?' ERR; trap 'echo exit $?' EXIT;",
        ]);
        let (f, g) = (within_f(&self.command(1)), within_g(&self.command(0)));
        let shopt = self.pick(&["", "", "shopt -s inherit_errexit;", "shopt -s lastpipe;"]);
        let (one, other) = (within_main(&self.command(2)), within_main(&self.command(2)));
        format!(
            "exec 2>/dev/null; {shopt} set {options}; {traps}\nf() {{ {f}; echo \"f$?\"; }}; g() {{ {g}; }}\n{one}\necho \"then $?\"\n{other}\necho \"last $? ${{#PIPESTATUS[@]}}\""
        )
    }

    fn traps(&mut self) -> String {
        let action = self.pick(&[
            "echo \"T $?\"",
            "echo \"T ${FUNCNAME[0]}\"",
            "false",
            "return 7",
            "trap - ERR DEBUG RETURN EXIT; echo off",
            "exit 9",
            "echo \"$LINENO\"",
            "(exit 6)",
        ]);
        let signal = self.pick(&["EXIT", "ERR", "RETURN", "DEBUG", "USR1", "ERR EXIT", "RETURN ERR", "USR1 TERM", "0"]);
        // bash does not return from some traps that fail within a trap.
        let action =
            if signal.contains("RETURN") || signal.contains("DEBUG") { self.pick(&["echo \"T $?\"", "echo trapped"]) } else { action };
        let set = self.pick(&["", "set -E;", "set -T;", "set -ET;"]);
        let (one, other, within) = (within_g(&self.command(1)), within_main(&self.command(1)), within_g(&self.command(0)));
        let send = if signal.contains("USR1") { "kill -USR1 $BASHPID; echo sent;" } else { "" };
        format!(
            "exec 2>/dev/null; {set} trap '{action}' {signal}\nf() {{ {within}; }}; g() {{ trap 'echo inner' {signal}; {one}; }}\n{send} {other}\nf; echo \"$?\"; g\n( trap -p; {one} )\ntrap -p; {within}"
        )
    }

    fn function(&mut self) -> String {
        let flags = self.pick(&["", "-i", "-a", "-A", "-u", "-l", "-r", "-x", "-n", "-ai", "-I", "-g"]);
        let keyword = self.pick(&["local", "declare", "local", "typeset", "local -I"]);
        let value = match flags {
            "-a" | "-ai" => format!("({})", self.state_words(2)),
            "-A" => format!("([k]={} [q]=1)", self.state_word(1)),
            "-n" => self.pick(&["x", "arr", "arr[1]", "map", "u", "y"]).to_owned(),
            _ => self.state_word(1),
        };
        let names: &[&str] = if flags == "-n" { &["t", "v1"] } else { &["x", "t", "arr", "u", "v1", "int"] };
        let name = self.pick(names);
        let inner = match self.below(9) {
            0 => format!("g {}", self.state_words(2)),
            1 => format!("unset {name}; p \"${{{name}-gone}}\""),
            2 => format!("{name}={}", self.state_word(1)),
            3 => "local -p".to_owned(),
            4 => "shift; p \"$@\"; set -- a b; p \"$#\" \"$*\"".to_owned(),
            5 => "local -; set -f; p *.c; echo \"${-//[!fe]}\"".to_owned(),
            6 => format!("{name}+={}", self.state_word(1)),
            7 => "p \"${FUNCNAME[@]}\" \"${#BASH_LINENO[@]}\"; return 3".to_owned(),
            _ => format!("local {name}; p \"${{{name}-un}}\"; {name}=w"),
        };
        let within = self.pick(&[
            "unset x",
            "x=gx",
            "local x=lx; h",
            "declare -g x=gg",
            "arr+=(g)",
            "p \"$x\" \"$1\"",
            "export x",
            "h; return 2",
            "local -n r=$1; r=ref",
        ]);
        format!(
            "h() {{ p h \"$x\" \"${{arr[@]}}\"; x=hx; }}; g() {{ {within}; }}\nf() {{ {keyword} {flags} {name}={value}; {inner}; declare -p {name}; }}\nf {}; echo $?; declare -p x arr t u v1; declare -f f",
            self.state_words(2)
        )
    }

    fn descriptors(&mut self) -> String {
        let word = self.state_word(1);
        match self.below(12) {
            0 => format!("{{ p {word}; echo b >&2; }} 2>&1 >f1 | cat -A; cat f1"),
            1 => format!("exec 3>f1 4>&3; p {word} >&4; echo two >&3; exec 3>&- 4>&-; cat f1; echo x >&3"),
            2 => format!("exec {{fd}}>f1; p {word} >&$fd; echo $((fd > 9)); exec {{fd}}>&-; cat f1; echo y >&$fd"),
            3 => format!("printf '%s\\n' {word} two three >f1; exec 5<f1; read -u 5 t; read -r s <&5; p \"$t\" \"$s\"; cat <&5; exec 5<&-"),
            4 => format!("set -C; p {word} >f1; echo again >f1; echo $?; echo over >|f1; cat f1; echo more >>f1; cat <f1"),
            5 => format!("p {word} &>f1; {{ echo o; echo e >&2; }} &>>f1; cat f1"),
            6 => format!("cat <<A - <<B 3<<C <&3\n{}\nA\nb\nB\n$x\nC", self.pick(&["$y", "a", "${arr[@]}"])),
            7 => format!("p {word} 1<>f1; cat f1; while read -r t; do p \"$t\"; done <f1 3<&0; read -t 0 <f1; echo $?"),
            8 => format!("f() {{ p {word}; echo e >&2; }} >f1 2>&1; f; cat f1; declare -f f"),
            9 => {
                "for i in 1 2; do echo $i; echo e$i >&2; done >f1 2>f2; cat f2 f1; if read t; then echo \"$t\"; fi <f1; (( 1 )) >f2; cat f2"
                    .to_owned()
            }
            10 => format!("exec 3>&1; t=$(p {word} >&3; echo in); p \"$t\"; exec 3>&-; t=$(echo e 2>&1 >&2); p \"$t\""),
            _ => format!(
                "echo {word} >$u; echo $?; echo a >{}; echo $?; cat <nofile; echo $?",
                self.pick(&["''", "f*", "\"$em\"", "{a,b}", "a b"])
            ),
        }
    }
}
