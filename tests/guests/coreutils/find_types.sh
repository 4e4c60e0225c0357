cd "$(mktemp -d)" || exit 1
mkdir d; touch f; ln -s f l; ln -s d ld; ln -s no dang; find . -type f | sort; find . -type d | sort; find . -type l | sort; find . -type f,l | sort; find . -xtype f | sort; find . -xtype l | sort; find -L . -type l | sort; find -L . -type d | sort; find . -lname 'f' | sort; find ld; find -H ld; find ld/
