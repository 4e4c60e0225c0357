exec 2>&1
trap 'echo DEBUG $BASH_COMMAND' DEBUG; echo a; x=1; for i in 1 2; do :; done; [[ a ]]; ((1)); f() { echo in; }; f; trap - DEBUG; trap
