//! Random scripts of what is computed: arithmetic, whole and broken, subscripts, lists that refer to the array that they
//! are assigned to, name references, and variables that are unset in the functions above.

use super::generate::Chance;

const OPERANDS: [&str; 26] = [
    "1", "2", "3", "0", "-1", "x", "y", "z", "a[0]", "a[i]", "a[i++]", "a[x]", "a[-1]", "m[k]", "m[$k]", "x++", "--y", "$x", "$i", "(x=4)",
    "08", "(1+y)", "!x", "s", "$s", "u",
];
const OPERATORS: [&str; 29] = [
    "+", "-", "*", "/", "%", "**", "<<", ">>", "<", ">=", "==", "!=", "&", "|", "^", "&&", "||", ",", "? 1 :", "? x++ :", "=", "+=", "*=",
    "-", "+", "*", " ", "@", "? 2",
];
const PLACES: [&str; 9] = ["x", "y", "a[1]", "a[i++]", "a[x]", "m[k]", "m[$k]", "r", "a[-1]"];
const VALUES: [&str; 14] = [
    "1",
    "'b c'",
    "${a[0]}",
    "${a[1]-u}",
    "${#a[@]}",
    "$x",
    "${m[k]}",
    "${m[q]-u}",
    "${#m[@]}",
    "$((x++))",
    "$(echo ${a[1]})",
    "''",
    "q",
    "~",
];
const INDEXES: [&str; 12] = ["0", "1", "5", "-1", "x", "x++", "a[0]", "${a[0]}", "${#a[@]}", "i=3", "i", "2+1"];
const KEYS: [&str; 8] = ["k", "q", "$k", "${m[k]}", "'b c'", "\"$k\"", "${#m[@]}", "k.x"];
const LOOKS: [&str; 14] = [
    "${r}",
    "\"$r\"",
    "\"${r}\"",
    "${#r}",
    "${!r}",
    "\"${r[@]}\"",
    "\"${!r[@]}\"",
    "${r-u}",
    "${r:-d}",
    "${r:1}",
    "\"${r/2/x}\"",
    "${r@Q}",
    "\"${!p}\"",
    "\"${!p@Q}\"",
];
const TARGETS: [&str; 7] = ["a", "x", "a[1]", "m[k]", "'a[@]'", "'a[*]'", "none"];

impl Chance {
    /// A script of what is computed.
    pub(crate) fn compute_script(&mut self) -> String {
        let mut text = "p() { printf '%d' $#; printf '<%s>' \"$@\"; echo; }\nshow() { declare -p x y z i a m u 2>/dev/null; }\n\
                        x=2 y=3 z=0 i=1 s='1 + 2' k='b c' p='a[@]'; a=(1 2 3); declare -A m=([k]=1 ['b c']=2)\n"
            .to_owned();
        for number in 0..8 {
            let snippet = match self.below(8) {
                0..=2 => self.computed(),
                3 | 4 => self.listed(),
                5 => self.referred(),
                _ => self.unset_above(),
            };
            text.push_str(&format!("(\n{snippet}\nshow\n) 2>&1; echo \"#{number} $?\"\n"));
        }
        text
    }

    fn expression(&mut self, most: usize) -> String {
        let mut text = String::new();
        if self.below(3) == 0 {
            text = format!("{} {} ", self.pick(&PLACES), self.pick(&["=", "+=", "-=", "*="]));
        }
        text.push_str(self.pick(&OPERANDS));
        for _ in 0..self.below(most) {
            let (operator, operand) = (self.pick(&OPERATORS), self.pick(&OPERANDS));
            text.push_str(&format!(" {operator} {operand}"));
        }
        text
    }

    fn computed(&mut self) -> String {
        let expression = self.expression(4);
        match self.below(6) {
            0 | 1 => format!("(( {expression} ))\necho $?"),
            2 | 3 => format!("echo $(( {expression} ))\necho $?"),
            4 => format!("let '{expression}'\necho $?"),
            _ => format!("a[{}]=9\necho ${{a[{}]}}", self.pick(&INDEXES), self.pick(&INDEXES)),
        }
    }

    fn listed(&mut self) -> String {
        let assoc = self.below(2) == 0;
        let keyed = assoc && self.below(4) > 0;
        let count = 1 + self.below(4);
        let elements = (0..count).map(|_| {
            let value = self.pick(&VALUES);
            let equals = if self.below(5) == 0 { "+=" } else { "=" };
            match (assoc, self.below(3)) {
                (true, _) if keyed => format!("[{}]{equals}{value}", self.pick(&KEYS)),
                (false, 0 | 1) => format!("[{}]{equals}{value}", self.pick(&INDEXES)),
                _ => value.to_owned(),
            }
        });
        let elements = elements.collect::<Vec<_>>().join(" ");
        let equals = self.pick(&["=", "+="]);
        let name = if assoc { "m" } else { "a" };
        match self.below(4) {
            0 => format!("f() {{ local -{} {name}{equals}({elements}); declare -p {name}; }}; f", if assoc { "A" } else { "a" }),
            1 => format!("declare {name}{equals}({elements})"),
            _ => format!("{name}{equals}({elements})"),
        }
    }

    fn referred(&mut self) -> String {
        let target = self.pick(&TARGETS);
        let change = match self.below(6) {
            0 => "r=7",
            1 => "r+=7",
            2 => "((r++))",
            3 => "unset r",
            4 => "r=(7 8)",
            _ => ":",
        };
        format!("declare -n r={target}\np {}\n{change}; echo $?\np {}", self.pick(&LOOKS), self.pick(&LOOKS))
    }

    fn unset_above(&mut self) -> String {
        let step = |chance: &mut Self| {
            chance.pick(&[
                "unset x",
                "local x=l",
                "local x",
                "x=n",
                "echo ${x-u}",
                "export x",
                "declare -g x=g",
                "local -i x=2+3",
                "unset -v x",
            ])
        };
        let (one, two, three) = (step(self), step(self), step(self));
        let (four, five, six) = (step(self), step(self), step(self));
        let before = self.pick(&["", "", "x=t "]);
        let inner = self.pick(&["", "", "x=v "]);
        format!(
            "g() {{ {one}; echo g ${{x-u}}; {two}; echo g ${{x-u}}; {three}; }}\n\
             f() {{ {four}; {inner}g; echo f ${{x-u}}; {five}; g; echo f ${{x-u}}; {six}; }}\n{before}f"
        )
    }
}
