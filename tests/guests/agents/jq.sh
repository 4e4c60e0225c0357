# jq. Each line runs on the same files; jq.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
cat > data.json <<'J'
{"users":[{"id":1,"name":"Ann","age":30,"ok":true,"tags":["a","b"]},{"id":2,"name":"Bob","age":9,"ok":false,"tags":["b","c"]},{"id":3,"name":"Céd","age":null,"ok":true,"tags":[]}],"meta":{"total":3,"pages":1.50,"next":null}}
J
while IFS= read -r line; do try "$line"; done <<'END'
jq -r '.users[].name' data.json
jq '.users[] | select(.age>10) | .name' data.json
jq '.users | map({(.name): .id}) | add' data.json
jq -r '.users[] | "\(.id): \(.name|ascii_upcase)"' data.json
jq --arg n Ann '.users[]|select(.name==$n)' data.json
jq --argjson i 2 '.users[]|select(.id==$i).name' data.json
jq --rawfile s nonl -n '$s'
jq -n --args '$ARGS' a b
jq -n '[inputs.a]' lines.json
jq -e .nope data.json
jq -e '.meta.total' data.json
jq '.users[3]' data.json
jq 'to_entries[]|.key' data.json
jq '.meta|with_entries(.value|=tostring)' data.json
jq -c 'path(..)' lines.json
jq '.users|=map(select(.ok))|.users|length' data.json
jq '.users|min_by(.id).name, max_by(.id).name' data.json
jq '[.users[].tags[]]|unique|join(",")' data.json
jq 'if .meta.total>2 then "many" elif .meta.total==1 then "one" else "few" end' data.json
jq '.users.name' data.json
jq 'reduce .users[] as $u (0; .+$u.id)' data.json
jq '[foreach .users[] as $u (0; .+$u.id; [$u.name,.])]' -c data.json
jq 'def f(x): x*2; f(.meta.total)' data.json
jq '.users[]|try error("x") catch .' data.json
jq '.users[].name|sub("n+";"N")' data.json
jq -n '"a1b22"|[scan("[0-9]+")]' -c
jq -n '"test"|capture("(?<x>e)(?<y>s)")' -c
jq -n '0|strftime("%Y-%m-%d %H:%M:%S %A %j")'
jq -n '1700000000|gmtime|mktime'
jq -n '"10:20"|strptime("%H:%M")|.[3:5]' -c
jq -n '[1,2,3]|@json,@text,@html,@uri,@sh,@base64' 
jq -nr '["a b","c'"'"'d"]|@sh'
jq '.[0]+1' <<< '[9007199254740993]'
jq . empty
jq . <<< '"\ud83d\ude00 \u00e9 \t"'
printf '"caf\xe9"' | jq .
jq -Rs . nonl
jq -R 'split("\t")' -c data.tsv
jq -Rrs 'split("\n")|.[0]' words.txt
jq --tab . lines.json
jq --indent 8 . lines.json
jq --indent 0 . lines.json
jq -j .a lines.json
jq -cn 'fromstream(inputs|select(.))' --stream lines.json
jq 'foo' data.json
jq . nosuch lines.json
jq
jq --nope . lines.json
jq -k . lines.json
jq --argjson x '{' . lines.json
jq --slurpfile x nosuch . lines.json
jq -n 'error({a:1})'
jq -n '{a:1}|halt_error'
jq -n '{}|.[0]'
jq -n '"a"+1'
jq -n '{}-1'
jq -n '[]|implode'
jq -n '1 as [$a] | $a'
jq -n '[limit(3;range(10))], [first(range(5))], [range(0;10;3)]' -c
jq -n '[1,[2,[3]]]|flatten, flatten(1)' -c
jq -n '{"a":[1,2]}|getpath(["a",1]), (.a|indices(1)), (.a|index(2))' -c
jq -n '"abc"|ascii_downcase,ltrimstr("a"),rtrimstr("c"),startswith("a"),explode,length,utf8bytelength' -c
jq -n '[1,2,3]|IN(2), (.[]|IN(2,3))' -c
jq -n '[{"a":1,"b":2}]|map(has("a"))|.[0], ({"x":1}|has("y"))' -c
jq -n '"aXbX"|[splits("X")], ascii, @text' -c
jq 'input_filename' lines.json
jq -n '{a:1} | .b.c.d = 5 | .e += 1 | .a |= .+1' -c
jq -n '[1,2,3] | .[1:] = [9], .[5]=1' -c
jq -n 'label $out | 1, break $out, 2'
jq -n '[1,2]|combinations' 
jq -n '[[1,2],[3,4]]|[combinations]|length, transpose' -c
jq -n '[range(5)]|.[2:4], .[:-1], .[-2:]' -c
jq -n '@csv "x\([1,"a\"b"])"'
jq -n '"x"|@csv'
jq -n '[1,null,2]|map(values), map(nulls), (.[]|numbers)' -c
jq -n 'ltrimstr(1), ("a"|ascii_downcase), getpath(["a"]), splits("a")' -c
jq -n '[1,2,3,4]|.[length/2|floor], (add/length), (sort|.[0])'
jq -n '[1.5,2.5,-1.5]|map(round),map(floor),map(ceil),map(fabs),map(trunc)' -c
jq -n '"é"|@uri, utf8bytelength, length, explode' -c
jq -n 'walk(1), ([1,[2]]|walk(if type=="number" then .+1 else . end))' -c
jq -n '"a"|ascii(1)' 
jq -n 'splits("x"), tojson' -c
jq -n 'getpath(["a","b"]), ({"a":1}|try getpath(["a","b"]) catch .)' -c
jq -n '[1,1,2]|unique_by(.), group_by(.), (to_entries|map(.key))' -c
jq -n '$ENV|type, (env|type), ("1 2"|split(" +";null)), ("aAa"|ascii_downcase|gsub("a";"b"))' -c
jq -n '"abc"|test("B";"i"), [match("b").offset], gsub("(?<x>[a-z])";"\(.x)!"), sub("b";"x";"g")' -c
jq -n '"test"|ltrimstr("te")|.[0:1], (tojson|fromjson)' -c
jq -n 'getpath(1)'
jq -n '[1,2]|tostream' -c
jq -n 'splits(1)'
jq -n '{(1):2}'
jq '.users[] | {id, "n":.name, @base64 "x":1}' -c data.json
printf '.a # c\n' > f.jq; jq -f f.jq lines.json
printf 'def x: 5;' > m.jq; jq -n -L . 'import "m" as m; m::x'
jq -rn '"a\u0000b"' | od -c
jq -n --arg a 1 --arg b 2 '$a+$b, $ARGS.named, $named' -c
jq 'input' lines.json
jq -nc '@json "v=\([1,"x"])", ("1,2"|split(",")|map(tonumber)), ascii_downcase?'
jq -nc '"\u001f\u007f\u0080"'
jq -nc 'getpath(["x",0]), ([[1,2],[3]]|.[0][1]), ([1,2,3]|.[1:]|first), ({} | .["x"]="y")'
jq -nc 'splits(null)' 
jq -nc '"a-b_c"|gsub("[-_](?<l>[a-z])"; .l|ascii_upcase), [match("[a-z]";"g").string], ascii_upcase'
jq -nc '1 as $x | 2 as $y | [$x,$y,$__loc__.line]'
jq -nc '[1,2,3]|bsearch(2), bsearch(0), (tojson|@base64)'
jq -nc 'infinite|tostring, floor, (nan|isnan), ([nan]|sort), (nan<nan)'
jq -nc '[range(3)] | getpath([5]), .[1]|=empty'
jq -nc '5 % 0'
jq -nc '[1,2]|1/.[0], .[0]/0' 
END
