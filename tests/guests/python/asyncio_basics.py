import asyncio
async def work(name, delay):
    await asyncio.sleep(delay); return name
async def main():
    print(await asyncio.gather(work("a", 0.02), work("b", 0.01), work("c", 0)))
    try: await asyncio.wait_for(asyncio.sleep(100), 0.01)
    except TimeoutError: print("timeout")
    queue = asyncio.Queue(); 
    async def producer():
        for i in range(3): await queue.put(i)
        await queue.put(None)
    task = asyncio.create_task(producer()); got = []
    while (item := await queue.get()) is not None: got.append(item)
    print(got, task.done())
    async with asyncio.TaskGroup() as group: tasks = [group.create_task(work(i, 0)) for i in range(3)]
    print([t.result() for t in tasks])
    lock = asyncio.Lock()
    async with lock: print(lock.locked())
    async for x in agen(): print(x)
    print(await asyncio.to_thread(lambda: "from a thread"))
    return "result"
async def agen():
    yield 1
print(asyncio.run(main()))
with asyncio.Runner() as runner: print(runner.run(work("runner", 0)))
loop = asyncio.new_event_loop(); print(loop.run_until_complete(work("loop", 0))); loop.close()
