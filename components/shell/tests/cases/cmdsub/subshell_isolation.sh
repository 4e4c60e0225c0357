x=1; y=$(x=2; echo $x); echo $x $y; $(exit 3); echo $?; cd /; z=$(cd /tmp; pwd); pwd; echo $z
