x=$(
# comment with ) paren
echo ok # trailing )
); echo $x
