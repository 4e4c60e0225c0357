set -e; false && true; echo survived; true && (exit 0); for i in 1; do false && true; done; echo loop; f() { false && true; }; f || true; f; echo not reached
