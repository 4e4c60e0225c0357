echo a b c; echo $_
