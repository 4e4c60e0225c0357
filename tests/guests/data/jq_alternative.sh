cd "$(mktemp -d)" || exit 1
jq -nc '[(false,null,1)//42],[empty//42],[(null,false)//(1,2)],(.a//"d"),[(false,null,1)|.//42]'; echo '[null,false,0,""]' | jq -c 'map(.//"x")'; echo '{"a":null}' | jq -c '.a//=3,.b//=4'
