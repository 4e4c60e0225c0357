case a in a) echo 1;& b) echo 2;; c) echo 3;; esac; case a in a) echo 1;;& [a-c]) echo 2;;& x) echo 3;; *) echo 4;; esac
