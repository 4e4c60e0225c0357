# IGNORECASE and order; one letter as FS or RS keeps its case; the type of $0; NONFATAL; the ends of |&.
try() { gawk "$@" 2>&1; echo "status $?"; }
try 'function show(a, n,  i) { for (i = 1; i <= n; i++) printf "%s ", a[i]; print "" }
BEGIN { split("b A c B a C Zed apple 10 9", a, " "); IGNORECASE = 1; show(b, asort(a, b)); show(b, asort(a, b, "@val_str_desc"))
  for (i in a) k[a[i]]; show(b, asorti(k, b)); PROCINFO["sorted_in"] = "@ind_str_desc"; for (i in k) printf "%s ", i; print ""
  PROCINFO["sorted_in"] = "@val_num_asc"; for (i in a) printf "%s ", a[i]; print "" }'
try 'BEGIN { IGNORECASE = 1; FS = "c"; $0 = "aCb"; print NF; FS = "[c]"; $0 = "aCb"; print NF; print split("aCb", q, "c"), split("aCb", q, /c/) }'
echo 'aXbxc' | try 'BEGIN { IGNORECASE = 1; RS = "x" } { print }'
printf 'foo\nbar\n' | try 'BEGIN { RS = "()" } { print "<" $0 ">" RT }'
echo 10 | try '{ print typeof($0), ($0 < 9); $1 = $1; print typeof($0), ($0 < 9); $0 = 10; print typeof($0), ($0 < 9); $0 = "0"; print !$0, !$1 }'
try 'BEGIN { PROCINFO["NONFATAL"]; print "x" > "/nonexistent/file"; print ERRNO; printf "y" > "/nonexistent/file"; print "goes on" }'
try 'BEGIN { PROCINFO["/nonexistent/a", "NONFATAL"]; print "x" > "/nonexistent/a"; print "x" > "/nonexistent/b" }'
try 'BEGIN { c = "cat"; print "a" |& c; close(c, "to"); c |& getline x; print x; print close(c) }'
try 'BEGIN { c = "echo 1; echo 2"; c |& getline x; print x; close(c, "from"); c |& getline y; print y }'
try 'BEGIN { c = "cat >/dev/null"; print "a" |& c; close(c, "to"); print "b" |& c }'
try 'BEGIN { close("x", "both") }'
try 'BEGIN { if ("a---b" ~ /^[x---z]/) print "yes"; print match("a-b", /[x---z]/) }'
echo x | try '/\"/ || $0 ~ "\\q" { print "no" } /\"\y/ { print "no" }'
