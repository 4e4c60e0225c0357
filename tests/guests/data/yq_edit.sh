cd "$(mktemp -d)" || exit 1
printf 'a: 1\nb:\n  - x\n  - y: z\n' > f.yaml; yq '.a = 2' f.yaml; yq -i '.b[0] = "new" | .c.d = true' f.yaml; cat f.yaml; yq 'del(.b)' f.yaml; V=hi yq '.e = strenv(V) | .n = env(V)' f.yaml; yq '.b += ["more"]' f.yaml; yq '.a |= . + 1' f.yaml; yq --arg v text '.a = $v' f.yaml
