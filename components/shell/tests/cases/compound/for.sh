for i in a "b c" d; do echo "$i"; done; for i; do echo never; done; set -- x y; for i; do echo $i; done; for i in; do echo no; done; echo $?
