touch 'x y' '-n' '#z'; for f in *; do echo "[$f]"; done; echo x*
