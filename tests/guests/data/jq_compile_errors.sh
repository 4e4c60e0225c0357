cd "$(mktemp -d)" || exit 1
for p in '.a.' '1 +' '{' '.[' 'foo' '$x' '. as [$a] | $b' 'break $x' '{(1):2}' '"\(1' 'if 1 then 2' '%' '}' 'def f: 1' 'a,b' '1 as $x' '"a" "b"' '.a as' ; do jq -n "$p" 2>&1; echo "[$?]"; done
