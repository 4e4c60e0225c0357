cd "$(mktemp -d)" || exit 1
cat > f.yaml <<'Y'
# a comment
name: app
port: 8080
version: "1.10"
tags: [a, b]
db:
  host: localhost
  opts: {x: 1, y: null}
list:
  - name: one
    n: 1
  - name: two
Y
yq '.name' f.yaml; yq '.port' f.yaml; yq '.version' f.yaml; yq '.db' f.yaml; yq '.list[1].name' f.yaml; yq '.tags[]' f.yaml; yq '.list' f.yaml; yq -o json '.db' f.yaml; yq -o=json -c '.tags' f.yaml; yq '.missing' f.yaml; yq '.db.opts.y' f.yaml; yq f.yaml | head -3; yq -o json '.name' f.yaml; yq -r -o json '.name' f.yaml; yq '.list | length' < f.yaml
