echo() { builtin echo "my $*"; }; echo hi; unset -f echo; echo hi; ls() { command ls "$@" | wc -l; }; touch a b; ls
