case a in
a) echo 1
   echo 2 ;;
esac
case b in b) echo x
;; esac
