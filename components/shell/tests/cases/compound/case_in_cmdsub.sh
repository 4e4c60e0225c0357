echo $(case x in x) echo inner;; esac); echo "$(case y in (y) echo p;; esac)"
