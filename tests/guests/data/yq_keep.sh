# yq -i changes only the addressed values: it keeps comments, anchors, quotes, order and blank lines, or says that it cannot.
cd "$(mktemp -d)" || exit 1
cat > t.yml <<'END'
# top
name: web   # the name
base: &base
  image: 'nginx:1.25'
  ports: [80, 443] # both

prod:
  <<: *base
  replicas: 3
list:
  - one # first
  - two
note: "ü"
empty:
END
try() {
    cp t.yml f.yml
    printf '%s\n' "--- $1"
    yq -i "$1" f.yml 2>&1
    diff t.yml f.yml
}
try '.name = "api"'
try '.empty = 1'
try '.note = "a \"b\" #c"'
try '.list[1] = "zwei"'
try '.list += ["three", {"a": 1}]'
try 'del(.list[0])'
try 'del(.prod)'
try '.prod.env = {"A": "b"}'
try '.prod.replicas = 5 | .base.ports += [8080] | .prod.ports = .base.ports'
try '.new.deep = [1, 2]'
try .
try '.base.image = "nginx:1.27"'
echo '--- nothing to lose, nothing to say'
printf 'b: 1\na: 2\n' > p.yml; yq -i 'to_entries | sort_by(.key) | from_entries' p.yml; cat p.yml
printf '# one\na: 1\n---\na: 2 # two\n' > m.yml; yq -i '.a += 10' m.yml; cat m.yml
printf 'a: 1 # x\n' > i.yml; yq -i -I4 '.b.c = 1' i.yml 2>&1; cat i.yml
