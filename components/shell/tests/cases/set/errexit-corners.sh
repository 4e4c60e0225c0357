# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
set -e; f() { false; echo no; }; f || echo caught; (set -e; false; echo no) || echo sub; x=$(false) || echo subst; if ! false; then echo neg; fi; false | true; echo pipe; { false; } || :; while false; do :; done; [[ a == b ]] || :; ((0)) || :; echo end; local_test() { local x=$(false); echo local ok; }; local_test; false; echo unreached
END_OF_SCRIPT
)
bash -c "$script" 2>&1
