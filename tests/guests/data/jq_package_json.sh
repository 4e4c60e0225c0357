cd "$(mktemp -d)" || exit 1
cat > p.json <<'J'
{"name":"x","version":"1.2.3","scripts":{"b":"make","a":"run"},"deps":{"z":"^1","y":"~2"}}
J
jq -r '.scripts|keys[]' p.json; jq -r '.deps|to_entries[]|"\(.key)@\(.value)"' p.json; jq '.version|=(split(".")|map(tonumber)|.[2]+=1|map(tostring)|join("."))' p.json; jq -S 'del(.deps.z)|.scripts.c="new"' p.json; jq -e '.missing' p.json; echo $?; jq -r '[.name,.version]|join("-")' p.json; jq '.deps|length' p.json; jq -c '.scripts|with_entries(select(.key>"a"))' p.json
