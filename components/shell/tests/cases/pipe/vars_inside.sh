x=outer; echo hi | { read y; x=inner; echo "$x $y"; }; echo $x
