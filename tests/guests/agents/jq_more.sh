# jq, compared with the real programs. Each line runs on the same files; jq_more.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
cat > data.json <<'J'
{"users":[{"id":1,"name":"Ann","age":30,"ok":true,"tags":["a","b"]},{"id":2,"name":"Bob","age":9,"ok":false,"tags":["b","c"]},{"id":3,"name":"Céd","age":null,"ok":true,"tags":[]}],"meta":{"total":3,"pages":1.50,"next":null}}
J
while IFS= read -r line; do try "$line"; done <<'END'
jq . data.json
jq -c . data.json
jq -S -c . data.json
jq -j '.users[].name' data.json
jq -a . data.json | head -20
jq --tab '.users[0]' data.json
jq --indent 1 '.users[0]' data.json
jq --indent 9 . data.json
jq --indent x . data.json
jq -C '.users[0]' data.json
jq -M '.users[0]' data.json
jq --seq -c '.users[0].id' data.json | od -c
jq --stream -c . lines.json
jq -c --stream-errors . lines.json
jq -n '[inputs]' lines.json -c
jq -n input lines.json -c
jq -s -c . lines.json
jq -s 'map(.a)|add' lines.json
jq -R . nonl
jq -Rn '[inputs]' nonl -c
jq -Rr 'split(",")|.[1]' data.csv
jq -e '.users[0].ok' data.json
jq -e '.users[1].ok' data.json
jq -e '.nope' data.json
jq -e 'empty' data.json
jq -e '.users[].ok' data.json
jq 'error("x")' data.json
jq -e 'error("x")' data.json
jq 'error(null)' data.json
jq -n '"a"|error'
jq --arg x 1 -n '$x'
jq --argjson x '{"a":1}' -nc '$x'
jq --argjson x '{bad' -n '$x'
jq --slurpfile x lines.json -nc '$x'
jq --rawfile x nonl -n '$x'
jq --slurpfile x nosuch -n '$x'
jq --rawfile x nosuch -n '$x'
jq -nc '$ARGS' --args a b
jq -nc '$ARGS.positional' --args 'a b' c
jq -nc '$ARGS.positional' --jsonargs 1 '{"x":2}' null
jq -nc '$ARGS.positional' --jsonargs '{bad'
jq -nc --arg x 1 '$ARGS.named, $__prog_args'
jq -nc --arg x 1 '$ARGS.named'
jq -n --arg x
jq -n --arg x 1
jq -n '$nope'
jq -n 'nope'
jq -n '.a.b.c'
jq -n '1 +'
jq -n '{'
jq -n '}'
jq -n '[1,2'
jq -n '.[' 
jq -n 'if 1 then 2'
jq -n 'if 1 then 2 end'
jq -n '. as $x | $x'
jq -n '.foo bar'
jq -n '%'
jq -n '@nope'
jq -n 'def f: 1; f'
jq -n 'def f: 1'
jq '.a' <<< '{"a":1'
jq '.a' <<< '{"a":1}}'
jq '.a' <<< '{a:1}'
jq . <<< "{'a':1}"
jq . <<< '[1,2,]'
jq . <<< '{"a":1,}'
jq . <<< '"a'
jq . <<< 'nul'
jq . <<< '1 2 x 3'
jq . <<< '01'
jq . <<< 'NaN'
jq . <<< '[nan]' -c
jq . <<< '1e1000'
jq . <<< '100000000000000000000'
jq . <<< '1.000'
jq '.+0' <<< '1.000'
jq . <<< '-0'
jq . <<< '1E5'
jq . <<< '"\u0000\u001f\u007f"'
jq . <<< '"\x"'
jq . <<< $'"a\tb"'
jq . <<< '# comment'
jq . < /dev/null
jq -e . < /dev/null
jq . words.txt
jq . nosuch
jq . nosuch lines.json -c
jq -f <(echo '.a') lines.json
jq -f nosuch lines.json
jq --from-file <(printf '# c\n.a # d\n| .+1\n') lines.json
jq -L d1 -n 'include "nosuch"; 1'
jq -n 'import "nosuch" as x; 1'
echo 'def f: 42;' > d1/m.jq; jq -L d1 -n 'include "m"; f'
echo 'def f: 42;' > d1/m.jq; jq -L d1 -n 'import "m" as m; m::f'
jq .a.b lines.json
jq '.a[0]' lines.json
jq '.l.x' lines.json
jq '.[0]' lines.json
jq '.a|keys' lines.json
jq '.a|length, (.l|length)?' lines.json
jq 'keys, length' -c lines.json | head -2
jq 'has("a"), has("z")' lines.json | head -2
jq 'has(0)' lines.json
jq '.a + .l' lines.json
jq '.a - .l' lines.json
jq '.l * 2' lines.json | head -1
jq '.l / "x"' -c lines.json | head -1
jq '.a / 0' lines.json
jq '.a % 0' lines.json
jq -n '5 % -2, -5 % 2, 5.9 % 2, 1e19 % 7'
jq -n '1/3, 10/2, 1e1, 1.5e300*1e10, 3.0, 1e17, 1e-5, 0.00001, 123456789012'
jq -n '[1,[2]]|flatten, add?' -c
jq -n '[3,1,2]|sort, min, max, unique, reverse, first, last, index(1)' -c
jq -n '[{"a":2},{"a":1}]|sort_by(.a), group_by(.a), unique_by(.a), min_by(.a)' -c
jq -n '"abc"|test("B";"i"), match("b").offset, sub("b";"X"), gsub("[ac]";"<\(.)>"), ascii_downcase, length, utf8bytelength, explode, ltrimstr("a"), rtrimstr("c"), startswith("a"), split(""), .[1:2]' -c
jq -n '"a,b, c"|split(", *";null), [splits(", *")], ascii, tojson' -c
jq -n '"2015-03-05T23:51:47Z"|fromdate, (fromdate|todate), strptime("%Y-%m-%dT%H:%M:%SZ"), (strptime("%Y-%m-%dT%H:%M:%SZ")|mktime)' -c
jq -n '1425599621|strftime("%A, %B %d, %Y"), todate, gmtime' -c
jq -n 'now|type, (now>1000)'
jq -n '[limit(3;range(10))], [range(0;10;3)], first(range(5)), [.[]?], until(.>4;.+1)?' -c
jq -n '[1,2,3]|IN(2), any(.>2), all(.>0), contains([1]), inside([1,2,3,4]), indices(2), del(.[0]), to_entries' -c
jq -n '$ENV.LANG, env.LANG'
jq -n 'input_filename, input_line_number, $__loc__' -c
jq -n '"\(1+2) \("x")", @base64 "x\("y")", @uri "a=\("b c")", @csv "\([1,"a\"b"])", @tsv "\(["a\tb"])", @html "<\("<&>")>", @sh "x \("a b")", @json "\([1])", @text "\(1)", @base64d "\("eA==")"'
jq -n '[1,"a",null,true,{}]|map(type), map(tostring), (map(tojson)|join(","))' -c
jq -n '"1","x"|try tonumber catch .'
jq -n 'try error("x") catch ., try (1|keys) catch ., (.a.b|=1), [.[]?]' -c
jq -n '"x"|ascii_downcase|@text|ltrimstr(1)|test("")'
jq -n '{a:1}|.b=2|.a+=1|.c//=5|del(.a)|.d|=null' -c
jq -n '{"a":1} * {"a":{"b":2}} * {"a":{"c":3}}' -c
jq -n '[1,2,3] - [2], [1,2]+[3], {} + {"a":1}, null + 1, "a" + "b", [[1,2],[3,4]][1][0]' -c
jq -n 'reduce range(5) as $i (0;.+$i), [foreach range(5) as $i (0;.+$i;[$i,.])], [recurse(if .<3 then .+1 else empty end)]?' -c
jq -n 'def fac: if . <= 1 then 1 else . * (. - 1 | fac) end; 10 | fac'
jq -n '[1,2,3] as [$a,$b] | {a:$a,$b}, ({"x":[1]} as {x:[$z]} | $z), ([[1]] as [[$q]] ?// $q | $q)' -c
jq -n 'label $f | 1, break $f, 2'
jq -n 'input' < /dev/null
jq -n '[splits("a")]'
jq -n '"x" as $x | "y" as $y | [$x,$y,$__prog_name]' 
jq -n 'ltrimstr("a"), getpath(["a"]), tojson, infinite, -infinite, nan|tostring'
jq -n '[nan]|sort, (nan < nan), ([nan,1]|min)' -c
jq -n '"é"|@uri, ascii_downcase, explode, length, utf8bytelength, @json' -c
jq -n '[1,2]|combinations?' -c
jq -n '[[1,2],[3,4]]|[combinations], transpose, (.[0]|tojson), flatten, add' -c
jq -n '"abc"|.[1:], .[:-1], .[-1:]' -c
jq -n '[1,2,3,4]|.[1:3], .[-2:], .[:1], (.[1:3]=["x"]), .[1.5]' -c
jq -n '{"a b":1}|."a b", .["a b"], (keys_unsorted|@sh)'
jq -n '{(1|tostring):2, "x":3, @base64 "y":4, $__loc__}' -c
jq -n '{a:(1,2), b:(3,4)}' -c
jq -n '1 as $x | 2 as $y | {$x,$y,"z":$x}' -c
jq -n '[.] | tojson, @json, tostring' 
jq -n 'splits' 
jq -n '"a" | test("(")'
jq -n '{} | .a.b.c' 
jq -n '{} | .[0]' 
jq -n '[] | .["a"]'
jq -n '[] | .a'
jq -n '"x" | .[0]'
jq -n 'null | implode'
jq -n '{} | sort'
jq -n '"abc" | join(",")'
jq -n '[1,{}] | join(",")'
jq -n '{} | tonumber'
jq -n '[] | ascii_downcase'
jq -n '1 | test("a")'
jq -n '1 | split(",")'
jq -n '{} | range(.)'
jq -n '"a" | ltrimstr("a") | tonumber'
jq -n '1 | fromjson'
jq -n '"{a" | fromjson'
jq -n '[1] | implode'
jq -n '{} | keys | first'
jq -n '[1] | first, last, nth(0), nth(5)'
jq -n 'nth(-1; 1,2)'
jq -n 'halt' 
jq -n '"bye\n"|halt_error'
jq -n '{"a":1}|halt_error(3)'
jq -n '1|halt_error("x")'
jq -n '"x"|debug' -c
jq -n '"x"|debug("m \(.)")' -c
jq -n '[1,2]|stderr|length' -c
jq -n 'input_line_number'
jq -n '$__prog_args'
jq -n 'getpath(["a",0,"b"])'
jq -n 'splits("a";"b";"c";"d")'
jq -n '[1,2,3]|pick(.[1]), (.[1]|=empty), debug(.[0]), scan("x")?, error?' -c
jq -n '"test"|[match("t";"g").offset], [scan("(t)(.)?")], capture("(?<a>t)(?<b>e)"), splits("e")' -c
jq -n '"aXbxc"|ascii_downcase|split("x"), ("aXb"|split("x";"i"))' -c
jq -n '[1,[2,[3]]]|flatten(1), getpath([1,1,0]), tostream' -c
jq -n 'input|.a' lines.json
jq 'input' -c lines.json
jq -c '[.,input]' lines.json
jq 'select(.a>1)|.l' lines.json
jq -r '[.a,.l]|@tsv' lines.json
jq -r '[.a,.l]|@csv' lines.json
jq -r '.|to_entries|map("\(.key)=\(.value)")|join("&")' lines.json
jq --arg a 2 'select(.a==($a|tonumber))' -c lines.json
jq 'limit(1;.a)' lines.json
jq -c 'del(.a)' lines.json
jq -c '.a|=.+1' lines.json
jq -cr '.l' lines.json nonl
jq -rj '.a, " ", .l, "\n"' lines.json
jq --raw-output0 .l lines.json | od -c
jq -n --stream '[inputs]|length' lines.json
jq -c 'tostream' lines.json | head -3
jq -n '[inputs|.a]|add/length' lines.json
jq -ns '[inputs]' lines.json -c
jq --unbuffered .a lines.json
jq --exit-status .a lines.json
jq --nope .a lines.json
jq -Z .a lines.json
jq -ncr '"a"'
jq -sR 'split("\n")|length' words.txt
jq -rn '@text "a\(1)b"'
jq '.users[] | {name, age}' -c data.json
jq '.users | length' data.json
jq '[.users[] | select(.age != null and .age > 10)] | length' data.json
jq '.users | group_by(.ok) | map({ok: .[0].ok, n: length})' -c data.json
jq '.users | INDEX(.id) | keys' -c data.json
jq '.users[] | .tags | join("+")' data.json
jq '.users | map(.tags[]) | unique' -c data.json
jq '.users[] |= . + {x:1} | .users[0]' -c data.json
jq '.meta | to_entries[] | [.key, .value] | @tsv' -r data.json
jq '.users | sort_by(-.id) | .[].name' -r data.json
jq '..|numbers' data.json
jq '[..|strings]' -c data.json
jq '.users[1:] | .[].name' data.json
jq '.users | map(select(.tags | index("b"))) | .[].name' data.json
jq '.users | any(.ok), all(.ok)' data.json
jq '.users[] | if .age == null then "n" elif .age > 10 then "old" else "young" end' data.json
jq 'path(.users[0].tags[1])' -c data.json
jq '[paths(type=="number")]' -c data.json
jq '.users[0] | keys_unsorted' -c data.json
jq '.meta.pages' data.json
jq '.users | @json' data.json
jq -r '(.users[0]|keys_unsorted) as $k | $k, (.users[]|[.[$k[]]|tostring]) | @csv' data.json
jq 'getpath(["users",0,"name"]), ([paths]|length)' data.json
jq '.users as [$a, $b] | $a.name + $b.name' data.json
jq 'limit(2; .users[]) | .id' data.json
jq 'first(.users[]|select(.ok|not)) | .name' data.json
jq '.users | map(.age // 0) | add' data.json
jq '.users[] | "\(.name) is \(.age // "unknown")"' data.json
jq '.users[2].name | explode' -c data.json
jq 'ltrimstr(1) | type' data.json
jq '.users[0].name | ascii_upcase | .[0:1]' data.json
jq 'with_entries(select(.key != "users"))' -c data.json
jq 'del(.users[] | select(.id == 2)) | .users | length' data.json
jq 'tojson | length' data.json
jq 'splits("x")?' data.json
jq '@base64 "\(.meta)"' data.json
jq 'input_filename' data.json
jq '.users[] | select(.name | test("^[AB]"))|.id' data.json
jq 'env | type' data.json
jq 'getpath(["a","b"]) = 5 | .a' -c data.json
jq 'to_entries | from_entries == .' data.json
jq 'map_values(type)' -c data.json
jq 'map(type)' -c data.json
jq '.[] | type' -c data.json
jq 'add' -c data.json | head -c 20
jq 'any' data.json
jq 'flatten' data.json
jq 'ascii' data.json
jq 'implode' data.json
jq '.users | .[0] as {name: $n, tags: [$t]} | [$n, $t]' -c data.json
jq 'reduce .users[] as {$id, $name} ({}; .[$name] = $id)' -c data.json
jq '.users | length as $n | map(.id) | add / $n' data.json
jq 'limit(0; .users[])' data.json
jq '.users | [.[] | .id] | @sh' -r data.json
jq 'getpath(["users"]) | first | .name' data.json
jq '.users[] | [.id, (.tags|length)] | select(.[1] > 0)' -c data.json
jq '$__loc__' -c data.json
jq 'ltrimstr("x") == .' data.json
jq '.users.[0].id' data.json
jq '.users[]?.id?' data.json
jq '.["users"][0]["id"]' data.json
jq '.users | .[0,2].id' data.json
jq '."users"[0]' -c data.json
jq '.users?' -c data.json | head -c 10
jq '..|.name?' data.json | head -4
jq 'tojson|fromjson|.meta' -c data.json
jq 'getpath(["users",5,"x"])' data.json
jq '[.users[].age]|@csv' -r data.json
jq '.users|map({key:.name,value:.id})|from_entries' -c data.json
jq 'sort_keys' data.json
jq -S .users[0] data.json -c
jq '.meta|.total,.pages|floor' data.json
jq '[.users[].age|values]|length' data.json
jq '.users|map(.name)|@text' data.json
jq --arg v 'a"b' '.meta.total = $v | .meta' -c data.json
jq 'limit(3; repeat(1))' <<< 1
jq -n 'range(3)|select(.==1)|not'
jq -n '[range(5)]|.[2:4] = []' -c
jq -n '"\u00e9" == "é"'
jq -n '"a\nb" | @json, @sh' -r
jq -n 'ltrimstr' 
jq -n '[1,2,3] | .[1] = null | map(values)' -c
jq -n 'getpath(1)' 
jq -n '{} | has(1)'
jq -n '[] | has("a")'
jq -n '{a:1} | to_entries' -c
jq -n '[{name:"a",value:1},{k:"b",v:2},{key:null}]|from_entries' -c
jq -n '@json "x\(1,2)"'
jq -n '[.[]?]|length, ([]|add), ([]|min), ([]|first?), ([]|last)' -c
jq -n '"abc" | sub("(?<x>b)"; "[\(.x)]"), sub("";"x"), gsub("";"-"), gsub("^";">"), gsub("$";"<")' 
jq -n '"a.b.c" | split("."), (split(".")|join("/")), gsub("\\.";"_")' -c
jq -n 'splits("a")' 
jq -n '$x' --arg y 1
jq -n 'getpath(["a"];1)'
jq -n 'tojson(1)'
jq -n '1 | . as [$a] | $a'
jq -n '"a" | . as {b:$c} | $c'
jq -n 'error({"a":1}) '
jq -n '{} | error'
jq -n 'try error({"a":1}) catch .a'
jq -n '.a[1:2] = 5'
jq -n '{} | .a += 1 | .b -= 1 | .c *= 2 | .d /= 2' -c
jq -n '{} | .a += 1 | .c *= 2' -c
jq -n '[1,2,3] | to_entries | map(select(.value > 1)) | from_entries' 
jq -n '@csv "\([1,{}])"'
jq -n '[[1]]|@csv'
jq -n '[{}]|@tsv'
jq -n '[[1]]|@sh'
jq -n '1|@csv'
jq -n '"x"|@base64d'
jq -n '"!!"|@base64d'
jq -n '"a"|strptime("%Y")'
jq -n '"a"|fromdate'
jq -n '1|strptime("%Y")'
jq -n '"a"|strftime("%Y")'
jq -n '[]|strftime("%Y")'
jq -n '"a"|mktime'
END
