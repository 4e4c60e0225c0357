cd "$(mktemp -d)" || exit 1
cat nope 2>&1; head nope 2>&1; wc nope 2>&1; rm nope 2>&1; cp nope x 2>&1; mv nope x 2>&1; ls nope 2>&1; grep x nope 2>&1; chmod 644 nope 2>&1; sort nope 2>&1; mkdir a; cat a 2>&1; grep x a 2>&1; rm a 2>&1; rmdir nope 2>&1; tail nope 2>&1; cp a b 2>&1; touch no/f 2>&1; du nope 2>&1; tac nope 2>&1; ln -s x a/b; cat a/b 2>&1; cut -f1 nope 2>&1
