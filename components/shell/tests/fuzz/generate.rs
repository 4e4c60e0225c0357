//! Random scripts: expansions, patterns, arithmetic and small commands, nothing that reaches outside of the shell.

/// A generator of numbers: xorshift, so that a seed always gives the same script.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        let mut chance = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            chance.next();
        }
        chance
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 11) as usize % limit
    }

    pub(crate) fn pick<'a>(&mut self, among: &[&'a str]) -> &'a str {
        among[self.below(among.len())]
    }
}

/// The beginning of every script: files to match, and variables of every kind.
const PROLOGUE: &str = r#"touch a.c b.c ab.h .hid 'x y' Z 2>/dev/null
x='a b  c'; y='*.c'; z=; n=7; w='Mixed Case'; p='/usr/lib/x.tar.gz'; q=$'tab\there\nnext'; s='a:b::c:'; v='[ab]*'; e='\*'
arr=(one 'two three' '' '*'); sparse=([2]=b [5]='e f'); declare -A map=([k]=v ['a b']='c d' [e]=); declare -i int=3; ref=x
set -- p1 'p 2' '' p4
shopt -s extglob
"#;

const NAMES: [&str; 12] = ["x", "y", "z", "n", "w", "p", "q", "s", "v", "e", "u", "int"];
const PATTERNS: [&str; 18] = [
    "a",
    "*",
    "?",
    "[a-c]",
    "*.c",
    "a*",
    "*b*",
    "[!a]",
    "+(a|b)",
    "!(a)",
    "?(x)y",
    "@(one|two*)",
    "\\*",
    "'*'",
    "\"?\"",
    "[[:space:]]",
    "*/",
    "$v",
];

impl Chance {
    /// A script: each of its snippets runs in a subshell, so that they do not affect each other.
    pub(crate) fn script(&mut self) -> String {
        let mut text = PROLOGUE.to_owned();
        for number in 0..10 {
            let snippet = self.snippet();
            text.push_str(&format!("(\n{snippet}\n) 2>/dev/null; echo \"#{number} $?\"\n"));
        }
        text
    }

    fn snippet(&mut self) -> String {
        match self.below(14) {
            0..=4 => format!("printf '<%s>' {}", self.words(3)),
            5 => format!("IFS={}; printf '<%s>' {}", self.pick(&["", ":", "' :'", "b", "$'\\n'", "': '", "/"]), self.words(2)),
            6 => format!("echo $(( {} ))", self.arith(3)),
            7 => format!("[[ {} ]]", self.condition(2)),
            8 => format!("case {} in {}) echo one;; {}) echo two;& *) echo other;; esac", self.word(2), self.pattern(), self.pattern()),
            9 => format!("for i in {}; do printf '<%s>' \"$i\"; done", self.words(2)),
            10 => format!("t={}; printf '<%s>' \"$t\" $t", self.word(2)),
            11 => format!("t=({}); printf '<%s>' \"${{#t[@]}}\" \"${{t[@]}}\"", self.words(3)),
            12 => format!("read -r t u2 <<< {}; printf '<%s>' \"$t\" \"$u2\"", self.word(2)),
            _ => format!("f() {{ local t={}; printf '<%s>' \"$t\" \"$#\" \"$@\"; }}; f {}; declare -f f", self.word(1), self.words(2)),
        }
    }

    fn words(&mut self, most: usize) -> String {
        let count = 1 + self.below(most);
        (0..count).map(|_| self.word(3)).collect::<Vec<_>>().join(" ")
    }

    /// A word: pieces next to each other.
    fn word(&mut self, depth: usize) -> String {
        let count = 1 + self.below(3);
        (0..count).map(|_| self.piece(depth)).collect()
    }

    fn piece(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.pick(&["a", "b*", "x", "-", "\\*", "'q r'", "\"$x\"", "$n", "~", "=", "1"]).to_owned();
        }
        match self.below(16) {
            0 => self
                .pick(&["a", "ab", "*", "?.c", "[ab].c", "\\ ", "\\\\", "'a  b'", "''", "\"\"", "$'\\t'", "~", "%", "a=b", "{"])
                .to_owned(),
            1 => format!("\"{}\"", self.inner(depth - 1)),
            2..=4 => format!("${}", self.pick(&NAMES)),
            5..=8 => self.param(depth - 1),
            9 => format!("$(({}))", self.arith(depth - 1)),
            10 => format!("$(echo {})", self.word(depth - 1)),
            11 => self.pick(&["{a,b}", "{1..3}", "{a..c}x", "{,z}", "{x,{y,z}}", "{03..05}", "{a}", "{c..a..2}"]).to_owned(),
            12 => self.pick(&["\"$@\"", "\"$*\"", "$@", "$*", "$#", "$1", "${2}", "\"${@:2}\"", "${*:1:2}"]).to_owned(),
            13 => self
                .pick(&[
                    "\"${arr[@]}\"",
                    "${arr[*]}",
                    "\"${sparse[@]}\"",
                    "${!sparse[@]}",
                    "${#arr[@]}",
                    "${map[k]}",
                    "\"${map['a b']}\"",
                    "${arr[-1]}",
                    "${arr}",
                ])
                .to_owned(),
            14 => self.pick(&["*.c", "a?.h", "*", ".h*", "[!a]*", "+(a|b).c", "!(*.c)"]).to_owned(),
            _ => format!("`echo {}`", self.pick(&["$x", "\\$n", "\"$y\"", "a  b"])),
        }
    }

    /// The inside of double quotes.
    fn inner(&mut self, depth: usize) -> String {
        let count = 1 + self.below(3);
        (0..count)
            .map(|_| match self.below(6) {
                0 => self.pick(&["a b", "*", "\\\"", "\\$", "\\\\", "'", "\\a", " "]).to_owned(),
                1 | 2 => format!("${}", self.pick(&NAMES)),
                3 | 4 => self.param(depth.saturating_sub(1)),
                _ => format!("$(printf %s {})", self.pick(&["a", "\"$x\"", "'b  c'", "$y"])),
            })
            .collect()
    }

    fn param(&mut self, depth: usize) -> String {
        let name = match self.below(8) {
            0 => "arr[@]".to_owned(),
            1 => "arr[*]".to_owned(),
            2 => self.pick(&["arr[1]", "sparse[5]", "map[k]", "arr[9]", "@", "*", "2"]).to_owned(),
            _ => self.pick(&NAMES).to_owned(),
        };
        let word = if depth == 0 { self.pick(&["d", "'e f'", "\"$x\"", "$n", "*"]).to_owned() } else { self.word(depth - 1) };
        let pattern = self.pattern();
        match self.below(12) {
            0 => format!("${{{name}{}{word}}}", self.pick(&[":-", "-", ":+", "+"])),
            1 => format!("${{{name}{}{pattern}}}", self.pick(&["#", "##", "%", "%%"])),
            2 | 3 => format!(
                "${{{name}{}{pattern}/{}}}",
                self.pick(&["/", "//", "/#", "/%"]),
                self.pick(&["", "X", "$n", "'q'", "\"$w\"", "&", "[&]", "\\&"])
            ),
            4 => format!("${{{name}:{}}}", self.pick(&["1", " -2", "0:2", "1:-1", "n-5", "2:n", " -3:2", "9"])),
            5 => format!("${{{name}{}}}", self.pick(&["^", "^^", ",", ",,", "^^[a-c]", ",,[A-Z]"])),
            6 => format!("${{#{name}}}"),
            7 => format!("${{{name}@{}}}", self.pick(&["Q", "U", "u", "L", "E", "A", "a"])),
            8 => self.pick(&["${!ref}", "${!u}", "${!arr[@]}", "${!sp*}", "${!ref#a}"]).to_owned(),
            9 => format!("${{{name}}}"),
            10 => format!("${{u:={word}}}"),
            _ => format!("${{{name}:-{word}}}"),
        }
    }

    fn pattern(&mut self) -> &'static str {
        self.pick(&PATTERNS)
    }

    fn arith(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.pick(&["1", "n", "int", "u", "0x1f", "010", "2#101", "$n", "-3", "${#x}", "sparse", "36#z"]).to_owned();
        }
        let (one, other) = (self.arith(depth - 1), self.arith(depth - 1));
        match self.below(9) {
            0..=4 => format!("{one} {} {other}", self.pick(&["+", "-", "*", "<<", "&", "|", "^", "<", ">=", "==", "&&", "||", ",", "!="])),
            5 => format!("({one} ? {other} : {})", self.arith(0)),
            6 => format!("{}({one})", self.pick(&["-", "~", "!", "+"])),
            7 => format!("({one}) {} ({other})", self.pick(&["/", "%", "**"])),
            _ => format!("(t {} {one})", self.pick(&["=", "+=", "-=", "|="])),
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 5 } else { 8 }) {
            0 => format!("{} {} {}", self.word(1), self.pick(&["==", "!=", "="]), self.pattern()),
            1 => format!(
                "{} {} {}",
                self.pick(&["$x", "\"$w\"", "abc", "$p"]),
                "=~",
                self.pick(&["^a", "b$", "(.)(.)", "[[:upper:]]", "\"a\"", "a|b", "^$", "x.t"])
            ),
            2 => format!("{} {}", self.pick(&["-n", "-z", "-v", "-e", "-f"]), self.pick(&["\"$x\"", "$z", "$u", "x", "arr[1]", "a.c"])),
            3 => format!("{} {} {}", self.arith(0), self.pick(&["-eq", "-lt", "-ge", "-ne"]), self.arith(0)),
            4 => format!("{} {} {}", self.word(1), self.pick(&["<", ">"]), self.word(1)),
            5 => format!("! {}", self.condition(depth - 1)),
            6 => format!("( {} )", self.condition(depth - 1)),
            _ => format!("{} {} {}", self.condition(depth - 1), self.pick(&["&&", "||"]), self.condition(depth - 1)),
        }
    }
}
