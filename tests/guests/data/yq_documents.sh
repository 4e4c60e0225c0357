cd "$(mktemp -d)" || exit 1
printf 'a: 1\n---\na: 2\n' > f.yaml; yq '.a' f.yaml; yq '.a = 5' f.yaml; yq ea -o json -c '[.[].a]' f.yaml; printf 'b: 1\nc: {d: 1}\n' > g.yaml; printf 'c: {e: 2}\n' > h.yaml; yq eval-all 'select(fileIndex == 0) * select(fileIndex == 1)' g.yaml h.yaml; yq ea '. as $item ireduce ({}; . * $item)' g.yaml h.yaml; yq -N '.a' f.yaml
