p='a*'; case abc in $p) echo glob;; esac; case abc in "$p") echo lit;; *) echo notlit;; esac; case 'a*' in "$p") echo lit2;; esac
