case $- in *i*) echo inter;; *) echo script;; esac; echo ${-//[^eux]/}; set -u; echo ${-//[^eux]/}; set +u
