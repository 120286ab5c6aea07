"""A session of the first generation of the official Python client, which goes on after a restart of the server.

Argument: {url} as JSON. Writes "restart" when the server is to be restarted and reads "restarted".
"""

import asyncio
import json
import sys

from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client


async def restart():
    print("restart", flush=True)
    answer = await asyncio.to_thread(sys.stdin.readline)
    assert answer.strip() == "restarted", answer


async def main():
    spec = json.loads(sys.argv[1])
    async with streamablehttp_client(spec["url"]) as (read, write, session_id):
        async with ClientSession(read, write) as session:
            await session.initialize()
            before = session_id()
            stored = await session.call_tool("ingest_text", {"content": "Zebras have stripes.", "source": "py1-zebra"})
            assert not stored.isError, stored
            await restart()
            found = await session.call_tool("search", {"query": "stripes"})
            assert "py1-zebra" in found.content[0].text, found
            assert session_id() == before
    print("ok py1-http", flush=True)


asyncio.run(main())
