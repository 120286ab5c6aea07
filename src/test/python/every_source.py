"""Searches all sources at once with the official Python client, in both eras, and reads every hit.

Argument: {url, query, backends: [name]} as JSON. Each backend has one document that the query finds, whose text says which backend it is of.
"""

import asyncio
import json
import sys

from mcp import Client


def structured(result):
    assert not result.is_error, result
    return json.loads(result.content[0].text)


async def search(spec, mode):
    async with Client(spec["url"], mode=mode, read_timeout_seconds=300) as client:
        found = structured(await client.call_tool("search_everywhere", {"query": spec["query"], "limit": 50}))
        silent = [source for source in found["sources"] if source["status"] != "ok"]
        assert not silent, silent
        by_backend = {hit["source"].split(":")[0]: hit for hit in found["results"]}
        assert sorted(by_backend) == sorted(spec["backends"]), sorted(by_backend)
        for backend, hit in by_backend.items():
            assert f"of {backend}" in hit["text"], hit
            document = structured(await client.call_tool("fetch_document", {"address": hit["address"]}))
            assert f"of {backend}" in document["text"], document
        listed = structured(await client.call_tool("list_sources", {}))
        assert len(listed["sources"]) >= len(spec["backends"]), listed
        print(f"ok {mode}", flush=True)


async def main():
    spec = json.loads(sys.argv[1])
    for mode in ("auto", "legacy"):
        await search(spec, mode)


asyncio.run(main())
