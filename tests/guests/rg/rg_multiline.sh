cd "$(mktemp -d)" || exit 1
mkdir -p src/sub docs; printf 'fn main() {\n    println!("Hello World");\n    let hello = 1;\n}\n' > src/main.rs; printf 'hello again\nnothing\nHELLO\nx hello y hello\n' > src/sub/a.txt; printf '# Title\nhello docs\n' > docs/r.md; echo hello > .hid; echo "ignored.log" > .ignore; echo hello > ignored.log; printf 'a\0hello\n' > bin.dat
rg -U 'main\(\) \{\n.*Hello' src/main.rs; rg -U --multiline-dotall 'fn.*\}' -c src/main.rs; rg -nU 'hello again\nnothing' src --sort path; rg 'a\nb' src > /dev/null 2>&1; echo $?
