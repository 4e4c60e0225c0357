# Read ini files into associative arrays, merge defaults with overrides, write the result sorted.
set -euo pipefail
cd "$(mktemp -d)"
cat > defaults.ini <<'EOF'
; defaults
[server]
host = 0.0.0.0
port = 8080
[log]
level = info
file = /var/log/app.log
EOF
cat > local.ini <<'EOF'
[server]
port=9090      # local
workers = 4
[log]
level = "debug"
[feature.x]
enabled = yes
broken line
EOF
load() {
    local -n into=$1
    local file=$2 section= line number=0 key val
    while IFS= read -r line || [[ -n $line ]]; do
        number=$((number + 1))
        line=${line%%[;#]*}
        line=${line#"${line%%[![:space:]]*}"}
        line=${line%"${line##*[![:space:]]}"}
        case $line in
            '') continue ;;
            \[*\]) section=${line:1:-1} ;;
            *=*)
                key=${line%%=*} val=${line#*=}
                key=${key%"${key##*[![:space:]]}"}
                val=${val#"${val%%[![:space:]]*}"}
                [[ $val == \"*\" ]] && val=${val:1:-1}
                into["$section.$key"]=$val ;;
            *) echo "$file:$number: not understood: $line" ;;
        esac
    done < "$file"
}
declare -A config=()
load config defaults.ini
before=${#config[@]}
load config local.ini
echo "$before settings, then ${#config[@]}"
previous=
while IFS= read -r name; do
    section=${name%.*}
    if [[ $section != "$previous" ]]; then
        echo "[$section]"
        previous=$section
    fi
    printf '%s = %s\n' "${name##*.}" "${config[$name]}"
done < <(printf '%s\n' "${!config[@]}" | sort) | tee merged.ini
for var in server.host server.missing; do
    echo "$var: ${config[$var]-not set}"
done
port=${config[server.port]}
[[ $port =~ ^[0-9]+$ ]] && ((port > 1024)) && echo "port ok"
declare -A again=()
load again merged.ini
for key in "${!again[@]}"; do
    [[ ${again[$key]} == "${config[$key]}" ]] || echo "differs: $key"
done
echo "round trip of ${#again[@]}"
