exec 2>&1
case x in (x|y) echo 1;& z) echo 2;;& *) echo 3;; esac; case "a b" in a\ b) echo q;; esac; case $u in "") echo empty;; esac; case abc in a?c) echo w;; esac; case ] in []]) echo br;; esac; case - in [a-]) echo dash;; esac; case x in [^a]) echo neg;; esac
