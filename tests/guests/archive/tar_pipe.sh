cd "$(mktemp -d)" || exit 1
mkdir d; echo x > d/f; tar cf - d | tar tf -; mkdir o; tar c d | (cd o && tar x); cat o/d/f; cat d/f | tar cf - d/f | tar xOf -
