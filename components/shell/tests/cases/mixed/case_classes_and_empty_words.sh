var="x"; case "$var" in [[:alpha:]]) echo alpha;; esac; case "" in "") echo empty;; esac; case "-n" in -*) echo dash;; esac
