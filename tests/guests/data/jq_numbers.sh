cd "$(mktemp -d)" || exit 1
echo '[100000000000000000000,1.000,1e2,1E-5,0.10,-0,1e1000,00012,3.0e5]' > f; jq -c . f; jq -c 'map(.+0)' f; jq -c 'map(tojson)' f; jq -nc '[1e17+0,1e15+0,0.0001+0,0.00001+0,1/3,1e308*10,-1e308*10,0.1+0.2,5%3,-5%3,1e19%7]'; jq -nc '[nan,infinite,-infinite]|.,map(isnan),map(isinfinite)'; jq -nc '100000000000000001 == 100000000000000002, 1.0 == 1'
