cd "$(mktemp -d)" || exit 1
echo '"héllo wörld"' | jq -c 'length,utf8bytelength,ascii_upcase,explode,(explode|implode),.[1:4],.[-3:],split(" "),test("WÖR";"i"),ltrimstr("h"),rtrimstr("d"),startswith("h"),endswith("x")'; jq -nc '"a,b,c"|split(","),(./","),index(","),rindex(","),indices(",")'; jq -nc '"ab"*3,"ab"*0,("ab"*-1)'; jq -nc '[.[]?]|join(",")'; jq -nc '[1,null,"a",true]|join("-")'
