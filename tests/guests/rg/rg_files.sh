cd "$(mktemp -d)" || exit 1
mkdir -p src/sub docs; printf 'fn main() {\n    println!("Hello World");\n    let hello = 1;\n}\n' > src/main.rs; printf 'hello again\nnothing\nHELLO\nx hello y hello\n' > src/sub/a.txt; printf '# Title\nhello docs\n' > docs/r.md; echo hello > .hid; echo "ignored.log" > .ignore; echo hello > ignored.log; printf 'a\0hello\n' > bin.dat
rg --files --sort path; rg --files --sort path src; rg --files --sort path -g '*.md'; rg --files --hidden --sort path; rg --files -u --sort path; rg --files --sort path --max-depth 1; rg --files nosuch > /dev/null 2>&1; echo $?
