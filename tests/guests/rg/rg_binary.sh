cd "$(mktemp -d)" || exit 1
mkdir -p src/sub docs; printf 'fn main() {\n    println!("Hello World");\n    let hello = 1;\n}\n' > src/main.rs; printf 'hello again\nnothing\nHELLO\nx hello y hello\n' > src/sub/a.txt; printf '# Title\nhello docs\n' > docs/r.md; echo hello > .hid; echo "ignored.log" > .ignore; echo hello > ignored.log; printf 'a\0hello\n' > bin.dat
rg hello bin.dat; rg -a -c hello bin.dat; rg --sort path -l hello; rg -c hello bin.dat; echo $?
