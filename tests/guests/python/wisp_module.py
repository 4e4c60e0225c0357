import wisp, os
os.makedirs(wisp.output_directory(), exist_ok=True)
with open("/output/chart.svg", "w") as f: f.write("<svg/>")
print(wisp.artifact("/output/chart.svg", title="Chart", mime_type="image/svg+xml"))
for arguments in (("/tmp/x",), ("/output/x", "t" * 2000), ("/output/x", None, "nonsense")):
    try: wisp.artifact(*arguments); print("accepted", arguments[0])
    except wisp.ArtifactError as e: print(type(e).__name__, str(e)[:60])
limits = wisp.limits(); print(limits._fields, limits.memory > 0, limits.processes > 0)
print(wisp.policy(), wisp.deterministic(), "sh" in wisp.tools(), "python3" in wisp.tools(), wisp.mounts()["/"], wisp.mounts()["/mnt/cases"])
print(any("/mnt/cases" in grant for grant in wisp.grants()), wisp.usage().max_bytes > 0)
print([p.name for p in wisp.processes() if p.pid == os.getpid()], len(wisp.__all__) >= 10)
os.chdir("/output"); print(wisp.artifact("relative.txt"))
