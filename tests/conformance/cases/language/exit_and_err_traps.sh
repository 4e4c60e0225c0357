exec 2>&1
trap 'echo EXIT $?' EXIT; trap 'echo ERR $LINENO' ERR; false; (exit 3); ! true; false || true; if false; then :; fi; f() { false; }; f; set -E; f; echo done; exit 4
