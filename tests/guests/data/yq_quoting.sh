cd "$(mktemp -d)" || exit 1
yq -n '["true","1","a: b","- x","#c","","ok","it'"'"'s","@x","null"," p","a#b","x:","[y]"]'; yq -n '{"true":1,"a b":2,"1":3,"-":4,"a: b":5}'; yq -n '"multi\nline"'; yq -n '{"a":"multi\nline","b":" lead\nx"}'
