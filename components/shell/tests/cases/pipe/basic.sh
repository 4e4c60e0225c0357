echo hello | cat; printf 'c\na\nb\n' | sort | head -2; echo x | cat | cat | cat
