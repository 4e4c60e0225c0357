cd "$(mktemp -d)" || exit 1
cat > log <<'L'
{"t":"2024-01-01T00:00:00Z","lvl":"info","ms":12,"path":"/a"}
{"t":"2024-01-01T00:00:05Z","lvl":"error","ms":250,"path":"/b"}
{"t":"2024-01-01T00:00:09Z","lvl":"info","ms":31,"path":"/a"}
L
jq -s 'group_by(.path)|map({path:.[0].path,n:length,avg:(map(.ms)|add/length),errors:map(select(.lvl=="error"))|length})' log; jq -r 'select(.ms>20)|[.t,.path,.ms]|@tsv' log; jq -r '"\(.t|fromdate) \(.lvl|ascii_upcase)"' log; jq -sc 'map(.ms)|{min:min,max:max,p:sort[length/2|floor]}' log; jq -n '[inputs.lvl]|group_by(.)|map({(.[0]):length})|add' log
