cd "$(mktemp -d)" || exit 1
cat > f.yaml <<'Y'
t: yes
b: true
n: ~
i: 007
h: 0x1F
f: 1.50
e: 1e3
s: '123'
d: 2024-01-02
m: |
  one
  two
w: >
  folded
  text
q: "tab\there"
"k k": v
inf: .inf
Y
yq -o json . f.yaml; yq . f.yaml
