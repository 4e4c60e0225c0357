# A test runner like bats and shunit2: each test in a separate shell, failures found by the ERR trap, line numbers
# from the DEBUG trap, the test's output kept, a cleanup by the EXIT trap wherever the test ends.
set -uo pipefail
exec 3>&1
suite=$(mktemp -d)
trap 'rm -rf "$suite"' EXIT
: > "$suite/list"

test_add() { # NAME TAGS, its body on standard input
    local name=${1//[^a-zA-Z0-9]/_}
    printf 'test_%s() {\n%s\n}\n' "$name" "$(cat)" >> "$suite/tests.sh"
    printf '%s\t%s\t%s\n' "test_$name" "$2" "$1" >> "$suite/list"
}

assert_equal() {
    [[ $1 == "$2" ]] && return
    printf 'expected: %s\nactual:   %s\n' "$2" "$1" >&2
    return 1
}
run() {
    local flags=$-
    set +eET
    output=$("$@" 2>&1)
    status=$?
    set "-${flags//[cs]/}"
    mapfile -t lines <<< "$output"
}
skip() { skipped=${1:-no reason}; exit 0; }

on_debug() { last_line=${BASH_LINENO[0]} last_command=$BASH_COMMAND depth=${#FUNCNAME[@]}; }
on_error() {
    failed_at="${FUNCNAME[1]}:$((${BASH_LINENO[0]} - 1))"
    trap - DEBUG
}
on_exit() {
    local status=$? verdict=ok note=
    trap - ERR DEBUG EXIT
    teardown || status=9
    if [[ -n ${skipped-} ]]; then
        note=" # skip $skipped"
    elif ((status)) || [[ -z ${completed-} ]]; then
        verdict='not ok'
    fi
    printf '%s %d %s%s\n' "$verdict" "$number" "$title" "$note" >&3
    if [[ $verdict == 'not ok' ]]; then
        printf '# left with %d%s, local: %s\n' "$status" "${failed_at:+ at $failed_at}" "${where-none}" >&3
        sed "s,^,# ,; s,$suite/,," "$suite/out" >&3
    fi
    exit $((status ? 1 : 0))
}
teardown() { [[ ! -e $suite/bad-teardown ]]; }

one() ( # NUMBER FUNCTION TITLE
    number=$1 title=$3
    . "$suite/tests.sh"
    trap on_exit EXIT
    set -eET
    trap on_error ERR
    trap on_debug DEBUG
    { "$2"; } > "$suite/out" 2>&1
    completed=1
)

suite() { # [TAG]
    local name tags title number=0 failed=0 total
    total=$(awk -F '\t' -v tag="${1-}" '!tag || ("," $2 ",") ~ ("," tag ",")' "$suite/list" | wc -l)
    echo "1..$total"
    while IFS=$'\t' read -r name tags title <&4; do
        [[ ,$tags, == *,${1-},* || -z ${1-} ]] || continue
        # Not as a condition: there the ERR trap would not run.
        one $((++number)) "$name" "$title"
        ((failed += $? > 0))
    done 4< "$suite/list"
    echo "# $number run, $failed failed"
    return $((failed > 0))
}

test_add 'arithmetic' fast <<< '    assert_equal $((6 * 7)) 42'
test_add 'a failing comparison' fast <<'END'
    local where=here
    x=5
    [ "$x" -eq 6 ]
    echo "not reached"
END
test_add 'fails in a helper' fast,deep <<'END'
    inner() { false; }
    outer() { inner; }
    outer
END
test_add 'conditions' slow <<'END'
    [[ abc == a* ]]
    if [[ abc == b* ]]; then return 1; fi
    ! false
    (( 1 > 2 )) || true
    (( 1 > 2 ))
END
test_add 'run keeps status and lines' slow <<'END'
    noisy() { echo one; echo two >&2; return 3; }
    run noisy
    assert_equal "$status" 3
    assert_equal "${#lines[@]}" 2
    assert_equal "${lines[1]}" two
END
test_add 'exit inside' deep <<'END'
    local where=inside
    leaves() { local where=deeper; echo leaving; exit 4; }
    leaves > "$suite/elsewhere"
END
test_add 'an unset variable' deep <<'END'
    local where=inside
    echo "before"
    echo "$no_such_variable"
END
test_add 'skipped' slow <<'END'
    skip 'not here'
    false
END
test_add 'equality tells both' fast <<'END'
    assert_equal "a b" "a c"
END
test_add 'a pipeline' fast <<'END'
    printf '%s\n' c a b | sort | {
        read -r first
        assert_equal "$first" a
        cat > /dev/null
    }
    true | false | true
END
suite
echo "= $?"
suite deep
echo "= $?"
# The redirections of a program affect only that program; a line may be broken anywhere.
count=0
cat <<-END > "$suite/log.$((++count))"
	line ${missing:=default} of \
	several
END
cat "$suite"/log.* && ec\
ho "$count ${missing-unset}"
IFS=: read -r user rest <<< 'root:x:0:0:' && echo "$user|$rest"
