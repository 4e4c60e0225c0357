cd "$(mktemp -d)" || exit 1
cat > f.yaml <<'Y'
base: &b
  x: 1
  y: 2
one:
  <<: *b
  y: 3
list: [*b, *b]
Y
yq -o json -c . f.yaml; yq '.one' f.yaml; yq '.list[0].x' f.yaml
