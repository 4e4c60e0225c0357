cd "$(mktemp -d)" || exit 1
echo '{"a":{"b":[1,{"c":2}]}}' > f; jq -c '.a.b[1].c,.a?.x?.y?,.a.b[5].z?,.["a"]["b"][0],.a["b"][],.a.b.[1].c,.a|.b' f; jq -c '.a.b[]?.c?' f; jq -c '[.a.b[]|.c?]' f; jq -c '.x.y.z,.a.b[-1]' f; jq -c '."a"."b"[0]' f; jq -c '.a."b"' f; jq -c '..|.c?//empty' f
