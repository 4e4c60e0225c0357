select_() { local PS3=; select o in a b; do echo "o=$o"; break; done; }; echo 2 | select_ 2>/dev/null
