cd "$(mktemp -d)" || exit 1
jq -nc '1 # one
+ 2 # two'; jq -nc '{and:1}|.and'; jq -nc '. as $if|[$if]'; printf '# comment\n.a\n' > p.jq; echo '{"a":5}' | jq -f p.jq; printf '#!/usr/bin/jq -f\ndef f: .a;\nf' > q.jq; echo '{"a":6}' | jq -f q.jq; jq -n --from-file q.jq; echo '[1]' | jq -cf /dev/stdin 2>/dev/null; echo $?
