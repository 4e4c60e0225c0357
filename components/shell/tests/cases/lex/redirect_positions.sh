> f echo first; cat f; echo >f second third; cat f; <f cat; 2>/dev/null ls /nope; echo a 1>f b; cat f
