cd "$(mktemp -d)" || exit 1
printf 'a:b:c\nd:e:f\n' > f; cut -d: -f2 f; cut -d: -f1,3 f; cut -c1-2 f; cut -d: -f2- f; cut -d: -f1 --output-delimiter=- f; printf 'nodelim\n' | cut -d: -f2; printf 'nodelim\n' | cut -s -d: -f2; cut -b1 f; cut --complement -d: -f1 f; paste f f; paste -d, f f; paste -s f; seq 4 | paste - -; seq 4 | paste -sd+
