# A small test framework: discovers test_ functions, isolates each in a subshell, reports like TAP.
set -u
cd "$(mktemp -d)"
assert_equal() { [[ $1 == "$2" ]] || { echo "wanted '$1', got '$2'"; return 1; }; }
assert_status() { local want=$1; shift; "$@" > /dev/null 2>&1; local got=$?; ((got == want)) || { echo "status $got, wanted $want"; return 1; }; }
assert_match() { [[ $2 =~ $1 ]] || { echo "'$2' does not match $1"; return 1; }; }
skip() { echo "skipped: $*"; exit 77; }
setup() { fixture=$(mktemp -d); echo data > "$fixture/file"; }
teardown() { rm -rf "$fixture"; }

test_addition() { assert_equal 4 $((2 + 2)); }
test_fixture() { assert_equal data "$(cat "$fixture/file")"; }
test_broken() { assert_equal 5 $((2 + 2)); }
test_status() { assert_status 3 bash -c 'exit 3' && assert_status 127 no-such-command-here; }
test_match() { assert_match '^[0-9]+-[a-z]+$' 12-abc; }
test_skipped() { skip "not on this machine"; }
test_exit() { exit 9; }
test_isolation_one() { LEAK=1; cd /; assert_equal 1 "$LEAK"; }
test_isolation_two() { assert_equal "" "${LEAK-}"; }

mapfile -t tests < <(declare -F | cut -d' ' -f3 | grep '^test_' | sort)
echo "1..${#tests[@]}"
declare -A result=([ok]=0 [failed]=0 [skipped]=0)
number=0
for name in "${tests[@]}"; do
    output=$(setup; trap teardown EXIT; "$name" 2>&1)
    status=$?
    case $status in
        0) word=ok kind=ok ;;
        77) word="ok" kind=skipped ;;
        *) word="not ok" kind=failed ;;
    esac
    ((result[$kind]++))
    printf '%s %d - %s' "$word" "$((++number))" "${name#test_}"
    [[ $kind == skipped ]] && printf ' # SKIP'
    echo
    [[ -n $output ]] && while IFS= read -r line; do echo "# $line"; done <<< "$output"
done
echo "# ${result[ok]} ok, ${result[failed]} failed, ${result[skipped]} skipped"
exit $((result[failed] > 0))
