up() { tr a-z A-Z; }; gen() { echo one; echo two; }; gen | up; gen | up | while read l; do echo "- $l"; done
