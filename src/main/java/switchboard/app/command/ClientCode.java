package switchboard.app.command;

import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import switchboard.call.Json;

/** Generates small programs and commands that connect and list the tools. */
final class ClientCode {
    /** The requirement of the Python program, as pip reads it. The names that it imports came with version 2. */
    static final String PYTHON_SDK = "mcp>=2.3,<3";

    /** The requirement of the LangChain program. */
    static final String LANGCHAIN_ADAPTERS = "langchain-mcp-adapters>=0.3,<0.4";

    private ClientCode() {}

    /** Inline script metadata (PEP 723), which uv and pipx read. */
    private static String requires(String requirement) {
        return """
            # /// script
            # requires-python = ">=3.10"
            # dependencies = ["%s"]
            # ///
            """.formatted(requirement);
    }

    static String typeScript(ServerEntry server) {
        String transport =
                switch (server) {
                    case ServerEntry.Url(URI url, boolean key) ->
                        """
                        import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

                        const transport = new StreamableHTTPClientTransport(new URL(%s)%s);
                        """.formatted(
                                        literal(url.toString()),
                                        key
                                                ? ", {\n"
                                                        + "  requestInit: { headers: { Authorization: `Bearer"
                                                        + " ${process.env."
                                                        + ServerEntry.KEY_VARIABLE + "}` } },\n}"
                                                : "");
                    case ServerEntry.Program program ->
                        """
                        import { Client } from '@modelcontextprotocol/client';
                        import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

                        const transport = new StdioClientTransport({ command: %s, args: %s });
                        """.formatted(literal(program.program()), literals(program.arguments()));
                };
        return transport + """
            const client = new Client({ name: 'example', version: '1' }, { versionNegotiation: { mode: 'auto' } });
            await client.connect(transport);
            console.log((await client.listTools()).tools.map(tool => tool.name));
            await client.close();
            """;
    }

    static String python(ServerEntry server) {
        return requires(PYTHON_SDK) + pythonConnection(server) + """


            async def main():
                async with Client(server) as client:
                    print([tool.name for tool in (await client.list_tools()).tools])


            asyncio.run(main())
            """;
    }

    /** The code that sets {@code server}. */
    private static String pythonConnection(ServerEntry server) {
        return switch (server) {
            case ServerEntry.Url(URI url, boolean key)
            when key -> """
                        import asyncio
                        import os

                        import httpx2
                        from mcp import Client
                        from mcp.client.streamable_http import streamable_http_client

                        headers = {"Authorization": f"Bearer {os.environ['%s']}"}
                        server = streamable_http_client(%s, http_client=httpx2.AsyncClient(headers=headers, timeout=300))
                        """.formatted(ServerEntry.KEY_VARIABLE, literal(url.toString()));
            case ServerEntry.Url(URI url, boolean _) -> """
                        import asyncio

                        from mcp import Client

                        server = %s
                        """.formatted(literal(url.toString()));
            case ServerEntry.Program program ->
                """
                        import asyncio

                        from mcp import Client, StdioServerParameters

                        server = StdioServerParameters(command=%s, args=%s)
                        """.formatted(literal(program.program()), literals(program.arguments()));
        };
    }

    static String langChain(ServerEntry server) {
        String connection =
                switch (server) {
                    case ServerEntry.Url(URI url, boolean key) ->
                        "{\"transport\": \"streamable_http\", \"url\": " + literal(url.toString())
                                + (key
                                        ? ", \"headers\": {\"Authorization\": f\"Bearer {os.environ['"
                                                + ServerEntry.KEY_VARIABLE + "']}\"}"
                                        : "")
                                + "}";
                    case ServerEntry.Program program ->
                        "{\"transport\": \"stdio\", \"command\": " + literal(program.program()) + ", \"args\": "
                                + literals(program.arguments()) + "}";
                };
        return requires(LANGCHAIN_ADAPTERS) + """
            import asyncio
            import os

            from langchain_mcp_adapters.client import MultiServerMCPClient

            client = MultiServerMCPClient({"%s": %s})


            async def main():
                print([tool.name for tool in await client.get_tools()])


            asyncio.run(main())
            """.formatted(ServerEntry.NAME, connection);
    }

    static String curl(ServerEntry server) {
        return switch (server) {
            case ServerEntry.Url(URI url, boolean key) ->
                """
                curl -s %s \\
                  -H 'Content-Type: application/json'%s \\
                  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}'
                """.formatted(url, key ? " \\\n  -H \"Authorization: Bearer $" + ServerEntry.KEY_VARIABLE + "\"" : "");
            case ServerEntry.Program program ->
                "echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{}}' | " + shell(program)
                        + "\n";
        };
    }

    /** A command line for a POSIX shell. */
    static String shell(ServerEntry.Program program) {
        return Stream.concat(Stream.of(program.program()), program.arguments().stream())
                .map(word -> word.matches("[A-Za-z0-9_./:=-]+") ? word : "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
    }

    /** A JSON string is one in JavaScript and Python as well. */
    private static String literal(String text) {
        return Json.text(Json.object().textNode(text));
    }

    private static String literals(List<String> texts) {
        return texts.stream().map(ClientCode::literal).collect(Collectors.joining(", ", "[", "]"));
    }
}
