fn() { local IFS=,; echo "$*"; }; fn a b c; echo "$IFS" | od -An -c | head -1
