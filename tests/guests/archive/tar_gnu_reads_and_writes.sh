cd "$(mktemp -d)" || exit 1
mkdir d; seq 300 > d/f; tar czf x.tgz d; gzip -dc x.tgz | tar tf -; tar cf - d | gzip -9 | tar xzOf - d/f | wc -l; tar cf - d | bzip2 | tar xjO d/f | wc -l; tar cf - d | xz | tar xJO d/f | wc -l
