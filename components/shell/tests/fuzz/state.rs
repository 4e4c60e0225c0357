//! Random scripts of words and state: expansions within expansions over variables of every kind, and the commands that
//! read, split, keep and print them. `control.rs` has the snippets about control flow: descriptors, traps, functions.

use super::generate::Chance;

/// Values that variables, elements and arguments have.
const VALUES: [&str; 24] = [
    "'a b  c'",
    "''",
    "'*'",
    "$'t\\tn\\nl'",
    "'Mixed Case'",
    "/usr/lib/x.tar.gz",
    "a:b::c:",
    "' lead'",
    "'trail '",
    "'\\'",
    "'[ab]*'",
    "\"it's\"",
    "'\"q\"'",
    "'$x'",
    "aXbXc",
    "5",
    "-3",
    "'a\\b'",
    "é1",
    "'?'",
    "::",
    "' '",
    "x",
    "abcabc",
];

/// Plain variables: random ones, `em`, which is empty, `u`, which is not set, and some with attributes.
const SCALARS: [&str; 12] = ["x", "y", "z", "n", "em", "u", "int", "up", "low", "nr", "ne", "ex"];
const LISTS: [&str; 12] = ["arr[@]", "arr[*]", "sp[@]", "sp[*]", "map[@]", "map[*]", "@", "*", "none[@]", "none[*]", "na[@]", "x[@]"];
const ELEMENTS: [&str; 14] = [
    "arr[0]",
    "arr[1]",
    "arr[-1]",
    "arr[n]",
    "arr[9]",
    "sp[7]",
    "sp[-2]",
    "map[k]",
    "map[$x]",
    "map[\"a b\"]",
    "1",
    "2",
    "arr",
    "arr[$((n-4))]",
];
const IFSES: [&str; 14] = [
    "",
    "IFS=",
    "IFS=:",
    "IFS=' :'",
    "IFS=b",
    "IFS=$'\\n'",
    "IFS=': '",
    "unset IFS",
    "IFS=X",
    "IFS='a '",
    "IFS=' '",
    "IFS=/",
    "IFS=':X'",
    "",
];
const PATTERNS: [&str; 26] = [
    "a",
    "*",
    "?",
    "[a-c]",
    "*b",
    "a*",
    "[!a]",
    "+(a|b)",
    "!(a)",
    "?(x)y",
    "*(?)",
    "@(a|x*)",
    "\\*",
    "'*'",
    "[[:space:]]",
    "[[:upper:]x]",
    "*/",
    "$y",
    "\"$y\"",
    "+([[:alpha:]])",
    "[^[:alnum:]]",
    "*( )",
    "\\\\",
    ":",
    "[]a]",
    "${em}X",
];

impl Chance {
    /// A script of words and state.
    pub(crate) fn state_script(&mut self) -> String {
        let mut text = "shopt -s extglob; touch a.c b.c 'x y'\np() { printf '%d' $#; printf '<%s>' \"$@\"; echo; }\n".to_owned();
        text.push_str(&self.variables());
        for number in 0..8 {
            let ifs = self.pick(&IFSES);
            let snippet = if self.below(3) == 0 { self.control() } else { self.state() };
            text.push_str(&format!("(\n{ifs}\n{snippet}\n) 2>&1; echo \"#{number} $?\"\n"));
        }
        text
    }

    fn value(&mut self) -> &'static str {
        self.pick(&VALUES)
    }

    fn values(&mut self, most: usize) -> String {
        let count = self.below(most + 1);
        (0..count).map(|_| self.value()).collect::<Vec<_>>().join(" ")
    }

    /// The variables that a script begins with.
    fn variables(&mut self) -> String {
        let (x, y, z) = (self.value(), self.value(), self.value());
        let n = self.below(4);
        let mut text = format!("x={x} y={y} z={z} n={n} em= ref=x\nunset u none\narr=({}) na=()\n", self.values(4));
        let (two, seven) = (self.value(), self.value());
        text.push_str(&format!("sp=([2]={two} [7]={seven}); declare -A map=([k]={} ['a b']={} [x]=)\n", self.value(), self.value()));
        text.push_str(&format!("declare -i int=n+2; declare -u up={}; declare -l low={}; export ex={}\n", self.value(), self.value(), z));
        let (whole, element) = (self.pick(&["x", "arr", "map", "u"]), self.pick(&["arr[1]", "map[k]", "sp[2]"]));
        text.push_str(&format!("declare -n nr={whole} ne={element}\nset -- {}\n", self.values(4)));
        text
    }

    fn state(&mut self) -> String {
        match self.below(16) {
            0..=3 => format!("p {}", self.state_words(3)),
            4 => format!("p \"{}\" {}", self.quoted_inner(3), self.state_word(2)),
            5 => self.assigns(),
            6 => format!("[[ {} ]]; echo $?; p \"${{BASH_REMATCH[@]}}\"", self.test(2)),
            7 => format!(
                "case {} in {}) echo 1;; {} | {}) echo 2;;& {}) echo 3;& *) echo 4;; esac",
                self.state_word(2),
                self.pattern_word(),
                self.pattern_word(),
                self.pattern_word(),
                self.pattern_word()
            ),
            8 => self.here(),
            9 => self.reads(),
            10 => self.maps(),
            11 => self.prints(),
            12 => format!("p $(( {} )) \"$n\" \"$int\"; declare -p arr n", self.sum(3)),
            13 => format!("for i in {}; do p \"$i\" {}; done", self.state_words(2), self.state_word(1)),
            14 => format!("set -- {}; shift {}; p \"$@\"; p $*; p \"$*\"", self.state_words(3), self.below(3)),
            _ => format!("{}; declare -p x arr sp map int up low nr ne u", self.assigns()),
        }
    }

    pub(super) fn state_words(&mut self, most: usize) -> String {
        let count = 1 + self.below(most);
        (0..count).map(|_| self.state_word(3)).collect::<Vec<_>>().join(" ")
    }

    pub(super) fn state_word(&mut self, depth: usize) -> String {
        let count = 1 + self.below(3);
        (0..count).map(|_| self.state_piece(depth)).collect()
    }

    fn state_piece(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 4 } else { 12 }) {
            0 => {
                self.pick(&["a", "b", "-", "\\ ", "\\\\", "'q r'", "''", "\"\"", "$'\\t'", "X", ":", "*.c", "\\*", "=", "{a,b}"]).to_owned()
            }
            1 => format!("${}", self.pick(&SCALARS)),
            2 => format!("\"${}\"", self.pick(&["x", "y", "@", "*", "z", "u", "1", "#"])),
            3 => self.pick(&["$@", "$*", "${arr[@]}", "\"${arr[@]}\"", "\"${arr[*]}\"", "${map[*]}", "\"${@}\""]).to_owned(),
            4 | 5 => format!("\"{}\"", self.quoted_inner(depth - 1)),
            6 => format!("$(({}))", self.sum(depth - 1)),
            7 => format!("$(p {})", self.state_word(depth - 1)),
            _ => self.parameter(depth - 1, false),
        }
    }

    /// The inside of double quotes.
    fn quoted_inner(&mut self, depth: usize) -> String {
        let count = 1 + self.below(3);
        (0..count)
            .map(|_| match self.below(8) {
                0 => self.pick(&["a b", "*", "\\\"", "\\$x", "\\\\", "'", "\\a", " ", ":", "~"]).to_owned(),
                1 => format!("${}", self.pick(&["x", "y", "@", "*", "z", "u", "nr", "int"])),
                2 => format!("$(printf %s {})", self.state_word(depth.saturating_sub(2))),
                _ => self.parameter(depth.saturating_sub(1), true),
            })
            .collect()
    }

    /// `${…}`, with anything that may be in it.
    fn parameter(&mut self, depth: usize, quoted: bool) -> String {
        let name = match self.below(9) {
            0..=2 => self.pick(&LISTS),
            3 | 4 => self.pick(&ELEMENTS),
            5 => self.pick(&["!ref", "!none", "!nr", "!ref", "!n"]),
            _ => self.pick(&SCALARS),
        };
        let word = match (depth, quoted) {
            (0, _) => self.pick(&["d", "$x", "\"$y\"", "$n", "*", "$*", "$@", "\"$@\""]).to_owned(),
            (_, true) => self.quoted_inner(depth - 1),
            (_, false) => self.state_word(depth - 1),
        };
        let pattern = self.pattern_word();
        match self.below(15) {
            0 | 1 => format!("${{{name}{}{word}}}", self.pick(&[":-", "-", ":+", "+"])),
            2 => format!("${{{name}{}{pattern}}}", self.pick(&["#", "##", "%", "%%"])),
            3 | 4 => {
                let with = self.pick(&["", "Z", "$x", "'q'", "\"$y\"", "&&", "[&]", "\\&", "\"&\"", "a b", "$@", "${u-&}", "\\\\"]);
                format!("${{{name}{}{pattern}/{with}}}", self.pick(&["/", "//", "/#", "/%"]))
            }
            5 | 6 => {
                let from = self.pick(&["0", "1", " -2", "n", "n-2", " -1", "(n=1)", "$#-1", "n?1:2", "${#x}-2", "arr", " -9", "9"]);
                let length = self.pick(&["", "", ":1", ":2", ":0", ": -1", ":n", ":n++", ":${#}", ":-2"]);
                format!("${{{name}:{from}{length}}}")
            }
            7 => format!("${{{name}{}}}", self.pick(&["^", "^^", ",", ",,", "^^[a-c]", ",,[[:upper:]]", "^?", "^^$y"])),
            8 if !name.starts_with('!') => format!("${{#{name}}}"),
            9 | 10 => format!("${{{name}@{}}}", self.pick(&["Q", "U", "u", "L", "E", "A", "a", "K", "k"])),
            11 => self
                .pick(&["${!arr[@]}", "${!map[*]}", "${!sp[*]}", "${!ar@}", "${!e*}", "${!nr}", "${!ne}", "${!none[@]}", "${!x[@]}"])
                .to_owned(),
            12 if self.below(3) == 0 => format!("${{{name}{}{word}}}", self.pick(&[":=", "=", ":?", "?"])),
            _ => format!("${{{name}}}"),
        }
    }

    fn pattern_word(&mut self) -> &'static str {
        self.pick(&PATTERNS)
    }

    /// Arithmetic, with assignments.
    fn sum(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self
                .pick(&[
                    "1",
                    "n",
                    "int",
                    "u",
                    "arr[0]",
                    "$n",
                    "${#x}",
                    "sp[7]",
                    "map[k]",
                    "n++",
                    "--int",
                    "(arr[n]=3)",
                    "em",
                    "$#",
                    "${n:-2}",
                    "7",
                ])
                .to_owned();
        }
        let (one, other) = (self.sum(depth - 1), self.sum(depth - 1));
        match self.below(8) {
            0..=2 => format!("{one} {} {other}", self.pick(&["+", "-", "*", "<<", "&", "<", "==", "&&", "||", ",", "%", "^"])),
            3 => format!("({one} ? {other} : {})", self.sum(0)),
            4 => format!("{}({one})", self.pick(&["-", "~", "!", "+"])),
            5 => format!(
                "({} {} {one})",
                self.pick(&["n", "arr[1]", "int", "sp[n+1]", "t", "map[z]", "ne"]),
                self.pick(&["=", "+=", "*=", "|=", "<<="])
            ),
            6 => format!("({one}) / ({other})"),
            _ => one,
        }
    }

    fn test(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 5 } else { 8 }) {
            0 => format!("{} {} {}", self.state_word(2), self.pick(&["==", "!=", "="]), self.pattern_word()),
            1 => {
                let regex =
                    self.pick(&["^a", "b$", "(.)(.)", "[[:upper:]]+", "\"a\"", "(a|b)*c", "^$", "$y", "\"$y\"", "x?(.*)", "\\*", "[.]"]);
                format!("{} =~ {regex}", self.state_word(1))
            }
            2 => format!(
                "{} {}",
                self.pick(&["-n", "-z", "-v", "-e"]),
                self.pick(&["\"$x\"", "$u", "arr[1]", "'map[k]'", "x", "arr", "none[@]", "$@", "nr", "map[$x]"])
            ),
            3 => format!(
                "{} {} {}",
                self.sum(0).replace("(arr[n]=3)", "n"),
                self.pick(&["-eq", "-lt", "-ge", "-ne"]),
                self.pick(&["1", "n", "int", "$n"])
            ),
            4 => format!("{} {} {}", self.state_word(1), self.pick(&["<", ">"]), self.state_word(1)),
            5 => format!("! {}", self.test(depth - 1)),
            6 => format!("( {} )", self.test(depth - 1)),
            _ => format!("{} {} {}", self.test(depth - 1), self.pick(&["&&", "||"]), self.test(depth - 1)),
        }
    }

    /// Assignments of every form, and their results.
    fn assigns(&mut self) -> String {
        let (word, other) = (self.state_word(2), self.state_word(2));
        match self.below(14) {
            0 => format!("t={word}; p \"$t\"; t+={other}; declare -p t"),
            1 => format!("t=({}); declare -p t", self.state_words(3)),
            2 => format!("arr+=({word} [5]={other} {}); declare -p arr", self.state_word(1)),
            3 => format!("arr[{}]={word}; declare -p arr", self.pick(&["n", "1", "-1", "n+=2", "$#", "5"])),
            4 => format!("map[{}]={word}; map[k]+={other}; declare -p map", self.pick(&["k", "\"$x\"", "$y", "'a b'", "n"])),
            5 => format!("declare t={word} s={other}; declare -p t s"),
            6 => format!(
                "declare {} t={word}; declare -p t; t={other}; declare -p t",
                self.pick(&["-i", "-u", "-l", "-x", "-a", "-r", "-c"])
            ),
            7 => format!(
                "export t={word} 's'; t={other} p \"$t\"; declare -p t s; f() {{ p \"$t\"; local t; p \"${{t-un}}\"; }}; t={other} f"
            ),
            8 => format!("nr={word}; ne={other}; declare -p x arr map sp nr ne u"),
            9 => format!(
                "unset {}; declare -p arr map sp x",
                self.pick(&["arr[1]", "'arr[0]'", "arr", "'map[k]'", "nr", "'sp[-1]'", "-n nr", "'arr[@]'", "ne", "-v x"])
            ),
            10 => {
                format!("declare -A t=([{}]={word} [z]={other}); declare -p t; p \"${{!t[@]}}\"", self.pick(&["$x", "a", "\"$y\"", "'*'"]))
            }
            11 => format!("t=([n]={word} {other} [1]+=q); declare -p t"),
            12 => format!("readonly t={word}; t={other}; p \"$t\""),
            _ => format!("let \"t={}\"; t+=1; p \"$t\"; (( {} )); echo $?", self.sum(1).replace(' ', ""), self.sum(2)),
        }
    }

    /// Here-documents and here-strings.
    fn here(&mut self) -> String {
        let (one, other) = (self.quoted_inner(2).replace('\'', "%"), self.quoted_inner(2).replace('\'', "%"));
        match self.below(4) {
            0 => format!("cat <<EOF\n{one} '$x' \\$x\n\\\\ {other}\nEOF"),
            1 => format!("cat <<'EOF'\n{one}\nEOF"),
            2 => format!("cat <<-EOF\n\t{one}\n \t{other}\n\tEOF"),
            _ => format!("cat <<<{}", self.state_word(3)),
        }
    }

    fn reads(&mut self) -> String {
        let options = self.pick(&["-r", "", "-r -d :", "-n 3", "-r -N 4", "-d ''", "-r -d b", "-rn 2"]);
        let source = self.state_word(2);
        match self.below(5) {
            0 | 1 => format!("read {options} t s <<< {source}; echo $?; declare -p t s"),
            2 => format!("read {options} -a t <<< {source}; echo $?; declare -p t"),
            3 => format!(
                "while {} read {options} t s; do p \"$t\" \"$s\"; done < <(printf '%s\\n' {source}); p \"$t\"",
                self.pick(&["IFS=:", "IFS=", "", "IFS=' X'"])
            ),
            _ => format!("read {options} <<< {source}; declare -p REPLY; IFS=, read -r t 'arr[1]' <<< 'a,b ,c'; declare -p t arr"),
        }
    }

    fn maps(&mut self) -> String {
        let options = self.pick(&["-t", "", "-t -n 2", "-s 1", "-t -d :", "-O 2", "-t -d ''", "-t -O 1 -n 1"]);
        format!(
            "mapfile {options} {} < <(printf '%s\\n' {}); declare -p arr",
            self.pick(&["arr", "arr", "-C 'p cb' -c 2 arr"]),
            self.state_words(3)
        )
    }

    fn prints(&mut self) -> String {
        let format = self.pick(&[
            "'<%s>'",
            "'%q '",
            "'%b|'",
            "'[%5s][%-5s]'",
            "'%d,'",
            "'%.2s;'",
            "'%x %o '",
            "'%c'",
            "'%*d|'",
            "'%s %s\\n'",
            "'%%%s'",
            "'%05d'",
            "'%+d '",
            "'%.3q '",
            "'%e '",
            "'\\x41\\t%s'",
            "'%i\\0'",
        ]);
        match self.below(3) {
            0 => format!("printf -v {} {format} {}; declare -p t arr map", self.pick(&["t", "'arr[1]'", "'map[q]'"]), self.state_words(2)),
            _ => format!("printf {format} {}; echo \" $?\"", self.state_words(3)),
        }
    }
}
