touch 'a*b' axb; echo a\*b a*b "a*b" a[*]b
