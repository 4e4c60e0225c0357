# quoting styles, control characters, headings
cd "$(mktemp -d)" || exit
exec 2>&1
mkdir 'p q' 'c:d' $'n\nl' $'t\tb'; touch $'bell\a' "it's" 'plain'
for s in literal shell shell-always shell-escape shell-escape-always c escape locale; do
  echo "== $s"; ls --quoting-style=$s; ls -q --quoting-style=$s 'p q' 'c:d' $'n\nl'
done
QUOTING_STYLE=c ls plain; QUOTING_STYLE=foo ls plain; ls -T x; ls --classify=foo >/dev/null 2>&1; echo $?
ls --block-size=1x; ls --block-size=0; ls -l --time-style=foo | head -1
vdir -1 plain; vdir --zero plain | tr '\0' '!'; dir -N 'p q' | tr '\t' ' '
