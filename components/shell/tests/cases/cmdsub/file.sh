echo content > f; echo $(<f); x="$(< f)"; echo "$x"; echo $(<nope) 2>/dev/null; echo $?
