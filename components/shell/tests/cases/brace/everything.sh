# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
echo {a,b}{1,2} {1..5} {5..1..2} {a..e} {01..10..3} x{,y}z {a,{b,c}} {1..3}{a..b} "{a,b}" {a} {a,} pre{-1..1}post {Z..X} {a..f..2} $(echo {1,2}) {1..2}$'\n' \{a,b}
END_OF_SCRIPT
)
bash -c "$script" 2>&1
