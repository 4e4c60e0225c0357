exec 2>&1
case in in in) echo a;; esac; case x in esac; case a in (a) echo p;; esac
