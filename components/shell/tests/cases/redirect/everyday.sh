# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
exec 3>out.txt; echo hi >&3; exec 3>&-; cat out.txt; exec 4<out.txt; read -u 4 l; echo $l; exec 4<&-; { echo a; echo b >&2; } 2>&1 | sort; echo x > f; echo y >> f; cat < f; cat <<< "here $((1+1))"; cat <<-EOF
	tabbed
	EOF
cat <<'EOF'
no $expand
EOF
exec {fd}>v.txt; echo $((fd>=10)); echo var >&$fd; exec {fd}>&-; cat v.txt; echo e 2>/dev/null >&2; ls nonexist 2>&1 | grep -c nonexist; : > empty; [ -s empty ] || echo empty; exec 5<> rw; echo rw >&5; cat rw
END_OF_SCRIPT
)
bash -c "$script" 2>&1
