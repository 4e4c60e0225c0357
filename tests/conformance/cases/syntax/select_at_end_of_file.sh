exec 2>&1
select x in a; do
