# Retry loops: back-off, a limit, a deadline counted in attempts, failures distinguished by status.
cd "$(mktemp -d)" || exit

retry() {
    local -r most=$1 delay=$2
    shift 2
    local attempt status
    for ((attempt = 1; attempt <= most; attempt++)); do
        "$@" && return 0
        status=$?
        if ((status == 2)); then
            echo "attempt $attempt: status 2, no use trying again" >&2
            return 2
        fi
        if ((attempt < most)); then
            local wait=$((delay * (1 << (attempt - 1))))
            echo "attempt $attempt of $most: status $status, next in ${wait}ms" >&2
        fi
    done
    echo "gave up after $most attempts" >&2
    return "$status"
}

echo 0 > count
flaky() {
    local n
    read -r n < count
    echo $((n + 1)) > count
    ((n + 1 >= $1))
}
fatal() { return 2; }
never() { return 7; }

{
    retry 5 10 flaky 3; echo "flaky: $?"
    retry 3 10 fatal; echo "fatal: $?"
    retry 3 10 never; echo "never: $?"
} 2>&1

until_ready() {
    local tries=0
    until [[ -e ready ]]; do
        tries=$((tries + 1))
        ((tries == 4)) && touch ready
        ((tries > 10)) && return 1
    done
    echo "ready after $tries"
}
until_ready

# The same with a lock directory.
lock() {
    local i
    for i in 1 2 3; do
        if mkdir lock.d 2>/dev/null; then
            trap 'rmdir lock.d' EXIT
            return 0
        fi
        echo "locked, try $i"
    done
    return 1
}
mkdir lock.d
lock; echo "lock: $?"
rmdir lock.d
lock; echo "lock: $?"
[[ -d lock.d ]] && echo held
