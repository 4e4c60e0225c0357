export LC_ALL=C
cd "$(mktemp -d)" || exit 1
ask() { printf '%s\n' "$1" | tr ' ' '\n' | "${@:2}" 2>&1; echo " [$?]"; ls -A | paste -sd' '; }
mkdir -p d/full d/none; echo x > d/full/f; : > ro; chmod 444 ro; : > plain
ask 'y n' rm -ri d/none plain
ask 'n' rm -ri d
ask 'y n' rm -ri d/full; ln -s gone l; ask 'n' rm -i l; rm l
ask 'n' rm ---presume-input-tty ro
ask 'y' rm -v ---presume-input-tty ro plain
: > a; : > b; : > c; : > e
ask 'n' rm -I a b c e
ask '' rm -I a b c
ask 'n' rm -rI e
ask 'n' rm --interactive=sometimes e
ask '' rm -if e
echo '# words'
: > -z; ask '' rm -z; rm ./-z
mkdir -p t/s; : > t/s/x; ask '' rm -rv t//; ask '' rm -d d; mkdir none; ask '' rm -dv none; ask '' rm d; ask '' rm -r . d/..; ask '' rm -rf / ; ask '' rm '' ; ask '' rm -f gone 'ro/x' ''; ask '' rm; ask '' rm -f; ask '' rm -r d gone; ask '' rm --no-pres d; : > f; ask '' rm f/
mkdir -p shut/in; : > shut/in/f; chmod 555 shut/in; ask '' rm -r shut; chmod 755 shut/in; rm -r shut

mkdir -p dots; ask '' rm -r dots/.//// dots/..//; : > list; ask '' wc --files0-from=list dots
