echo a;echo b&&echo c||echo d;(echo e);{ echo f;};echo g>f;cat<f;if true;then echo h;fi
