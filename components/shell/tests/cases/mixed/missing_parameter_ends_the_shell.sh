printf "%s\n" "${HOME:?}" >/dev/null; echo ${undefined_thing?msg here} 2>/dev/null; echo not reached
