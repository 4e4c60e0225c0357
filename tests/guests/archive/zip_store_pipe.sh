cd "$(mktemp -d)" || exit 1
seq 300 > f; zip -0 s.zip f; echo f | zip -q n.zip -@; unzip -Z1 n.zip; echo data | zip -q p.zip -; unzip -p p.zip; zip -q - f > o.zip; unzip -p o.zip | tail -1; zip -9q x.zip f; unzip -tq x.zip
