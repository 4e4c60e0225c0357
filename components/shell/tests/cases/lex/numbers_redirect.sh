echo 2>f; cat f; echo 2 >f; cat f; echo a2>f; cat f
