x=g; f() { local x=l y; echo $x [$y]; g; }; g() { echo "dyn $x"; x=changed; }; f; echo $x
