# Summarize an access log: statuses, busiest clients, bytes per path, slow requests.
set -euo pipefail
cd "$(mktemp -d)"

cat > access.log <<'EOF'
10.0.0.1 - - [21/Nov/2026:10:00:01 +0000] "GET /index.html HTTP/1.1" 200 5120 0.012
10.0.0.2 - - [21/Nov/2026:10:00:02 +0000] "GET /api/users?page=2 HTTP/1.1" 200 812 0.230
10.0.0.1 - - [21/Nov/2026:10:00:02 +0000] "POST /api/login HTTP/1.1" 401 64 0.051
10.0.0.3 - - [21/Nov/2026:10:00:05 +0000] "GET /static/app.js HTTP/1.1" 304 0 0.003
10.0.0.1 - - [21/Nov/2026:10:00:09 +0000] "POST /api/login HTTP/1.1" 200 128 0.049
10.0.0.4 - - [21/Nov/2026:10:01:11 +0000] "GET /missing HTTP/1.1" 404 312 0.004
10.0.0.2 - - [21/Nov/2026:10:01:12 +0000] "GET /api/users?page=3 HTTP/1.1" 500 96 1.920
10.0.0.5 - - [21/Nov/2026:10:01:14 +0000] "GET /index.html HTTP/1.1" 200 5120 0.010
malformed line without the usual fields
10.0.0.2 - - [21/Nov/2026:10:02:30 +0000] "DELETE /api/users/7 HTTP/1.1" 204 0 0.088
10.0.0.1 - - [21/Nov/2026:10:02:31 +0000] "GET /index.html HTTP/1.1" 200 5120 0.011
EOF

re='^([0-9.]+) [^[]*\[([^]]+)\] "([A-Z]+) ([^ ]+) [^"]*" ([0-9]{3}) ([0-9]+) ([0-9]+)\.([0-9]+)$'
declare -A by_status=() by_client=() bytes=() minute=()
declare -a slow=()
total=0 bad=0

while IFS= read -r line; do
    if [[ ! $line =~ $re ]]; then
        bad=$((bad + 1))
        continue
    fi
    client=${BASH_REMATCH[1]} when=${BASH_REMATCH[2]} method=${BASH_REMATCH[3]}
    path=${BASH_REMATCH[4]%%\?*} status=${BASH_REMATCH[5]} size=${BASH_REMATCH[6]}
    millis=$((10#${BASH_REMATCH[7]} * 1000 + 10#${BASH_REMATCH[8]}))
    total=$((total + 1))
    by_status[$status]=$((${by_status[$status]:-0} + 1))
    by_client[$client]=$((${by_client[$client]:-0} + 1))
    bytes[$path]=$((${bytes[$path]:-0} + size))
    key=${when#*:}
    key=${key%:* *}
    minute[$key]=$((${minute[$key]:-0} + 1))
    ((millis > 200)) && slow+=("$millis $method $path")
done < access.log

echo "requests: $total, unreadable: $bad"
echo "== by status class"
declare -A classes=()
for status in "${!by_status[@]}"; do
    class=${status:0:1}xx
    classes[$class]=$((${classes[$class]:-0} + by_status[$status]))
done
for class in $(printf '%s\n' "${!classes[@]}" | sort); do
    printf '  %s %3d %5.1f%%\n' "$class" "${classes[$class]}" "$((classes[$class] * 1000 / total))e-1"
done
echo "== busiest clients"
for client in "${!by_client[@]}"; do
    printf '%d %s\n' "${by_client[$client]}" "$client"
done | sort -k1,1nr -k2,2 | head -n 3
echo "== bytes by path"
for path in "${!bytes[@]}"; do printf '%s\t%s\n' "${bytes[$path]}" "$path"; done | sort -k1,1nr -k2,2 | while IFS=$'\t' read -r n p; do
    printf '%8d  %s\n' "$n" "$p"
done
echo "== per minute"
for key in $(printf '%s\n' "${!minute[@]}" | sort); do
    bar=$(printf '%*s' "${minute[$key]}" '')
    echo "$key ${bar// /#}"
done
echo "== slow"
printf '%s\n' "${slow[@]}" | sort -rn
grep -c ' 200 ' access.log
cut -d' ' -f1 access.log | grep -E '^[0-9]' | sort | uniq -c | sort -k1,1nr -k2 | tr -s ' '
