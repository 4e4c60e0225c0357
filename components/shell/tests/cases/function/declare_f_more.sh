g() { local x=1; while read l; do case $l in a|b) echo 1;; *) break;; esac; done < /dev/null; [[ -n $x && $x == 1 ]] && (( x++ )) || { echo n; }; ( cd / ) 2>/dev/null & wait; cat <<EOF
body $x
EOF
}
declare -f g
