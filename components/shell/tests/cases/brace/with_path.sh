mkdir -p d/{a,b}/{x,y}; echo d/*/*; touch f{1..3}.txt; ls
