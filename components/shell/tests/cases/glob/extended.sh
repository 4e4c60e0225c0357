# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
shopt -s extglob; x=foobar; echo ${x/@(foo|bar)/Z} ${x//+(o)/0} ${x##*(f|o)} ${x%%+(a|r)}; [[ abc == a+(b|x)c ]] && echo y; [[ x.txt == !(*.log) ]] && echo n; case file.c in *.@(c|h)) echo src;; esac; touch a.txt b.txt c.log; echo !(*.txt) *.?(l)og; shopt -s nullglob; echo *.none; shopt -u nullglob; shopt -s dotglob; touch .h; echo *; shopt -s globstar; mkdir -p d/e; touch d/e/f.txt; echo **/*.txt; shopt -s nocaseglob; echo A*; shopt -s failglob; echo *.zzz; echo after
END_OF_SCRIPT
)
bash -c "$script" 2>&1
