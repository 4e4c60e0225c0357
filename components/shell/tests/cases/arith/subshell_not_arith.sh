((echo a); (echo b)); echo $( (echo x) )
