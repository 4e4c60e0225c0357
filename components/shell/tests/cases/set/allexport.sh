set -a; FOO=bar; set +a; BAZ=no; sh -c 'echo $FOO $BAZ'
