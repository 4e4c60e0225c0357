exec 2>&1
set -e; trap 'echo ERR $?' ERR; trap 'echo EXIT $?' EXIT; f() { false; echo in; }; f || echo or; g() { false; }; (g; echo no) ; echo no2
