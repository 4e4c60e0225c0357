printf 'a\\\nb\nc\n' | { read x; echo $x; read y; echo $y; }; while IFS= read -r l || [ -n "$l" ]; do echo "[$l]"; done < <(printf 'p\nq')
