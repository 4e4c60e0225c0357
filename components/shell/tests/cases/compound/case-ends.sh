# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
case abc in a*) echo 1;;& *c) echo 2;& x) echo 3;; *) echo 4;; esac; case "a b" in "a b") echo q;; esac; case x in [!a-w]) echo neg;; esac; case '' in '') echo e;; esac; x=b; case b in $x) echo var;; esac; case '*' in '*') echo star;; esac
END_OF_SCRIPT
)
bash -c "$script" 2>&1
