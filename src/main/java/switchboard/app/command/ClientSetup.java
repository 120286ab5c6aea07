package switchboard.app.command;

import java.net.URI;

/** What to paste into common MCP clients. */
final class ClientSetup {
    private ClientSetup() {}

    /** The lines for a gateway at {@code endpoint} that asks for no key. */
    static String lines(URI endpoint) {
        return """
                Connect a client to %1$s

                Claude Code      claude mcp add --transport http switchboard %1$s
                Cursor           ~/.cursor/mcp.json:
                                 {"mcpServers": {"switchboard": {"url": "%1$s"}}}
                VS Code          .vscode/mcp.json:
                                 {"servers": {"switchboard": {"type": "http", "url": "%1$s"}}}
                Claude Desktop   claude_desktop_config.json:
                                 {"mcpServers": {"switchboard": {"command": "npx", "args": ["-y", "mcp-remote", "%1$s"]}}}
                curl             curl -s %1$s -H 'Content-Type: application/json' \\
                                   -d '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}'
                """.formatted(endpoint);
    }
}
