"""What story.mjs tells, told to the official Python client over its three transports.

Argument: {url, sse, command, args} as JSON; without a command, those over HTTP. Writes "restart" when the server is to be restarted and reads "restarted".
"""

import asyncio
import json
import sys

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.sse import sse_client

TIMEOUT = 300


def connect(spec, transport, mode):
    server = {
        "http": lambda: spec["url"],
        "sse": lambda: sse_client(spec["sse"]),
        "stdio": lambda: StdioServerParameters(command=spec["command"], args=spec["args"]),
    }[transport]()
    return Client(server, mode=mode, read_timeout_seconds=TIMEOUT)


async def sources(client):
    listed = await client.call_tool("list_documents", {})
    return [document["source"] for document in json.loads(listed.content[0].text)["documents"]]


async def before(client, name, source):
    tools = [tool.name for tool in (await client.list_tools()).tools]
    assert "ingest_text" in tools, tools

    progress = []

    async def heard(done, total, message):
        progress.append(done)

    stored = await client.call_tool(
        "ingest_text",
        {"content": "Zebras have stripes. " * 400, "title": "Zebras", "source": source},
        progress_callback=heard,
    )
    assert not stored.is_error, stored
    assert progress and progress == sorted(progress), progress

    failure = await client.call_tool("get_document", {"doc_id": "there-is-none"})
    assert failure.is_error, failure

    with anyio.CancelScope() as scope:

        async def enough(done, total, message):
            scope.cancel()

        # Each sentence is another one, because texts that were embedded before take no time.
        endless = "".join(f"Sentence {number} of {name} takes its time to embed. " for number in range(8_000))
        await client.call_tool(
            "ingest_text",
            {"content": endless, "title": "Endless", "source": f"{name}-endless"},
            progress_callback=enough,
        )
    assert scope.cancelled_caught
    assert await sources(client) == [source]


async def restart():
    print("restart", flush=True)
    answer = await asyncio.to_thread(sys.stdin.readline)
    assert answer.strip() == "restarted", answer


async def after(client, source):
    found = await client.call_tool("search", {"query": "stripes"})
    assert source in found.content[0].text, found
    listed = await client.call_tool("list_documents", {})
    for document in json.loads(listed.content[0].text)["documents"]:
        await client.call_tool("delete_document", {"doc_id": document["doc_id"]})


async def story(spec, transport, mode, survives):
    name = f"py-{transport}-{mode}"
    source = f"{name}-zebra"
    try:
        async with connect(spec, transport, mode) as client:
            await before(client, name, source)
            await restart()
            if survives:
                await after(client, source)
    except* (OSError, anyio.ClosedResourceError, anyio.BrokenResourceError):
        # A session of the old server may end badly, but nothing else may go wrong.
        if survives:
            raise
    if not survives:
        async with connect(spec, transport, mode) as client:
            await after(client, source)
    print("ok", name, flush=True)


async def main():
    spec = json.loads(sys.argv[1])
    await story(spec, "http", "auto", True)
    await story(spec, "http", "legacy", True)
    await story(spec, "sse", "auto", False)
    if "command" in spec:
        await story(spec, "stdio", "auto", False)
        await story(spec, "stdio", "legacy", False)


asyncio.run(main())
