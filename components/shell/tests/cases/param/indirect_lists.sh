# Parts of lists that are reached through a name in a variable.
x=(p q r s); y='1 2 3'; names=(x[@] y x x[1] @ none)
echo "${!names[0]:1}"; echo "${!names[0]:1:2}" "${!names[1]:2}" "${!names[2]:0:1}" "${!names[3]:0}"
set -- one two three
echo "${!names[4]:2}"
i=5; echo "${!names[i++]:-default}" $i; i=0; echo "${!names[i++]:+there}" $i
i=0; echo "${names[i++]:1}" $i
to='x[@]'; echo "${!to: -2}" "${!to:1:1}"; to=@; echo "${!to:2}" "${!to:1:1}"; to='x[*]'; echo "${!to:2}"; to=y; echo "${!to:1:3}"
f() { local -n r=x; echo "${!r:0}" "${r[@]:1:2}"; }; f
