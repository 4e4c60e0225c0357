# names that are not UTF-8: each tool, uutils' or ours, does with them what it does with others, and none aborts
cd "$(mktemp -d)" || exit
bad=$(printf 'a\377')
echo hi > ok
for tool in cat base64 wc head tail sort md5sum od nl 'cut -c1' 'ls -d' stat rm touch mkdir 'cp ok' 'mv ok' rmdir 'ln -s x' chmod\ 644; do
  $tool "$bad" > out 2>&1 < /dev/null; status=$?
  echo "$tool: $([ $status -gt 0 ] && [ $status -lt 126 ] && echo refused || echo $status)"
done
ls -A | wc -l; cat "$bad"; base64 "$bad"
