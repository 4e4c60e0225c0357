import os
for i in range(300): os.makedirs(f"/tmp/t/{i % 10}", exist_ok=True); open(f"/tmp/t/{i % 10}/{i}", "w").close()
print(sum(len(f) for _, _, f in os.walk("/tmp/t")), len(list(os.scandir("/tmp/t"))))
print([sorted(d) for _, d, _ in os.walk("/tmp/t")][0])
os.removedirs("/tmp/none") if os.path.exists("/tmp/none") else None
print(os.path.isdir("/tmp/t"), os.path.isfile("/tmp/t"), os.path.ismount("/"), os.path.exists("/mnt/cases/files_walk.py"))
