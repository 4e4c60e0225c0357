# A local of a function that was called with `x=… f` takes the place of that assignment: unsetting both uncovers the global one.
f() { local x=3; unset x; echo ${x-unset}; g; }
g() { unset x; echo "g ${x-unset}"; x=q; }
x=glob; x=tmp f; echo ${x-unset}
f() { local x; echo "f ${x-unset}"; g; echo "f ${x-unset}"; }
x=glob; x=tmp f; echo ${x-unset}
f() { g; echo "f ${x-unset}"; }
x=glob; x=tmp f; echo ${x-unset}
a=(1 2); a[0]=5 echo run 2> /dev/null; declare -p a
f() { local x=in; }; x=glob; x=tmp eval 'f; echo $x'; echo $x
