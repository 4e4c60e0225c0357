# Every tool takes a name that is not UTF-8: it reads such a file, and where there is none it says so under its bytes; none aborts.
n=$(printf 'in\351'); no=$(printf 'no\351'); printf 'b 2\na 1\n' > "$n"
for t in cat sort tac rev head tail nl uniq 'wc -l' 'cut -c1' 'sed s/a/X/' 'awk {print$2}' 'grep a' 'grep -c a' 'grep -H a' 'rg -N a' 'xxd -p' 'iconv -f utf8' less column 'diff /dev/null' \
  'strings -n1' expand paste base64 'file -b' file 'jq -R .' 'xargs -a' 'cmp /dev/null' 'stat -c %s:%n' basename 'find' 'du -b' 'ls -1' 'ls --quoting-style=shell-escape' 'ls -b' 'tail -v'; do
  printf '%s: ' "$t"; $t "$n" 2>&1 < /dev/null | od -An -c | tr -s ' \n' ' '; echo
done
dd status=none if="$n" of="$(printf 'out\377')"; cmp "$n" "$(printf 'out\377')" && rm "$(printf 'out\377')"; printf '1p\nq\n' | ed -s "$n"; gzip -c "$n" | gunzip | wc -c
find . -name "$(printf '*\351')" -newer /dev/null 2>&1 | od -An -c; grep -rl a . | od -An -c; ls -d i* | xargs cat
for t in cat 'sed p' 'awk 1' 'cmp /dev/null' column xxd 'grep a' unzip iconv rev head; do
  printf '%s: ' "$t"; $t "$no" 2>&1 < /dev/null | od -An -tx1 | tr -d ' \n' | grep -o '6e6fe9\|275c333531' | head -1
done
for t in cat sort rev head tail 'wc -l' 'sed p' 'awk 1' 'grep a' 'rg a' xxd iconv less column strings 'cmp x' 'diff x' unzip 'tar xf' bc dc hexdump dos2unix more zipinfo gawk python3 bash sh ls 'cp x' 'mv x' rm chmod 'chmod 1' stat file 'jq .' gunzip bunzip2 unxz unzstd patch find 'xargs -a' csplit 'join x' 'comm x' od 'curl -s' 'timeout 1' nice env 'yq .' cksum md5sum 'split -n' tac nl fold paste expand uniq cut tr shuf factor realpath readlink basename dirname mkfifo\ -z \
  'test -e' 'sqlite3 -readonly' 'ln -s x /nosuch/' 'iconv -f' 'date -f' 'date -d' 'printf %d' 'expr 1 +' 'kill -s' 'sleep' 'seq' 'numfmt' 'tput' 'getopt' 'env -u' 'which' 'man' 'ps -p' 'stty' 'getent passwd' 'id' 'install x' 'truncate -s1 /nosuch/x' 'djpeg' 'cjpeg'; do
  timeout 20 $t "$no" < /dev/null > /dev/null 2>&1; r=$?
  [ $r -lt 126 ] || [ $r = 127 ] || echo "$t: $r"
done
