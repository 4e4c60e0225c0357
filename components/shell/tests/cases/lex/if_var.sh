if=1; echo $if; for=x; echo $for; echo for in in; for in in a b; do echo $in; done
