# Generate files from templates with here-documents, then check them.
set -eu
cd "$(mktemp -d)"
service() {
    local name=$1 port=$2 replicas=${3:-1}
    cat <<EOF
apiVersion: v1
kind: Service
metadata:
  name: ${name}
  labels: {app: "${name//_/-}", tier: '${4-backend}'}
spec:
  replicas: $((replicas * 2))
  port: $port
  command: ["sh", "-c", "echo \$HOME \`date\` \\\\"]
$(for i in $(seq "$replicas"); do
    printf '  - replica: %s-%d\n' "$name" "$i"
done)
EOF
}
service web_app 8080 2 > web.yaml
service db 5432 > db.yaml
cat web.yaml db.yaml
cat <<-'INDENTED' > script.sh
	#!/bin/sh
	echo "literal $NOT_EXPANDED: $#"
	for i in "$@"; do
		echo "arg $i"
	done
	INDENTED
chmod +x script.sh
sh ./script.sh "a b" c
sed_free() {
    local line
    while IFS= read -r line; do
        while [[ $line =~ (.*)@([A-Z_]+)@(.*) ]]; do
            local -n ref=${BASH_REMATCH[2]}
            line=${BASH_REMATCH[1]}${ref}${BASH_REMATCH[3]}
            unset -n ref
        done
        printf '%s\n' "$line"
    done
}
USER_NAME='Ada L.' CITY=London
sed_free <<'EOF'
Dear @USER_NAME@,
welcome to @CITY@ (@CITY@).
EOF
wc -l < web.yaml | tr -d ' '
grep -c replica web.yaml
cat << 'A' - << 'B'
first
A
second
B
read -r -d '' block <<'EOF' || true
line one
line two
EOF
printf '%s|\n' "$block"
EOF_COUNT=$(grep -c '^' <<< "$block")
echo "$EOF_COUNT"
