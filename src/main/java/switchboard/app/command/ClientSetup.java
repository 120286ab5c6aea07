package switchboard.app.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import switchboard.call.Json;

/** The MCP clients with a known configuration format. A snippet refers to the key and never contains it. */
enum ClientSetup {
    CLAUDE_DESKTOP("claude_desktop_config.json (Settings, Developer, Edit Config)") {
        @Override
        String snippet(ServerEntry server) {
            return switch (server) {
                case ServerEntry.Url url -> json(servers("mcpServers", bridge(url)));
                case ServerEntry.Program program -> json(servers("mcpServers", started(program)));
            };
        }

        @Override
        Optional<String> signIn(URI url, String clientId) {
            ObjectNode entry = bridge(new ServerEntry.Url(url, false));
            entry.withArray("args")
                    .add("--static-oauth-client-info")
                    .add(Json.text(Json.object().put("client_id", clientId)));
            return Optional.of(json(servers("mcpServers", entry)));
        }
    },
    CLAUDE_CODE(".mcp.json in the project; or: claude mcp add --transport http switchboard URL") {
        @Override
        String snippet(ServerEntry server) {
            return json(servers("mcpServers", entry(server, "http", "${" + ServerEntry.KEY_VARIABLE + "}")));
        }

        @Override
        Optional<String> signIn(URI url, String clientId) {
            return Optional.of(json(servers("mcpServers", known(url, "http", "oauth", "clientId", clientId))));
        }
    },
    CURSOR("~/.cursor/mcp.json, or .cursor/mcp.json in a project") {
        @Override
        String snippet(ServerEntry server) {
            return json(servers("mcpServers", entry(server, "", "${env:" + ServerEntry.KEY_VARIABLE + "}")));
        }

        @Override
        Optional<String> signIn(URI url, String clientId) {
            return Optional.of(json(servers("mcpServers", known(url, "", "auth", "CLIENT_ID", clientId))));
        }
    },
    VSCODE(".vscode/mcp.json") {
        @Override
        String snippet(ServerEntry server) {
            ObjectNode file = servers("servers", entry(server, "http", "${input:switchboard-key}"));
            if (server instanceof ServerEntry.Url(URI _, boolean key) && key) {
                file.putArray("inputs")
                        .addObject()
                        .put("type", "promptString")
                        .put("id", "switchboard-key")
                        .put("description", "API key of Switchboard")
                        .put("password", true);
            }
            return json(file);
        }

        @Override
        Optional<String> signIn(URI url, String clientId) {
            return Optional.of(json(servers("servers", known(url, "http", "oauth", "clientId", clientId))));
        }
    },
    CONTINUE(".continue/mcpServers/switchboard.yaml in the workspace") {
        @Override
        String snippet(ServerEntry server) {
            ObjectNode file = Json.object();
            file.put("name", "Switchboard").put("version", "1.0.0").put("schema", "v1");
            ObjectNode entry = file.putArray("mcpServers").addObject().put("name", ServerEntry.NAME);
            switch (server) {
                case ServerEntry.Url(URI url, boolean key) -> {
                    entry.put("type", "streamable-http").put("url", url.toString());
                    if (key) {
                        entry.putObject("requestOptions")
                                .putObject("headers")
                                .put("Authorization", "Bearer ${{ secrets." + ServerEntry.KEY_VARIABLE + " }}");
                    }
                }
                case ServerEntry.Program program -> {
                    entry.put("type", "stdio");
                    entry.setAll(started(program));
                }
            }
            return yaml(file);
        }
    },
    INSPECTOR("a shell; without --cli and what follows the URL it opens in the browser") {
        @Override
        String snippet(ServerEntry server) {
            return switch (server) {
                case ServerEntry.Url(URI url, boolean key) ->
                    "npx @modelcontextprotocol/inspector --cli " + url + " --transport http"
                            + (key ? " --header \"Authorization: Bearer $" + ServerEntry.KEY_VARIABLE + "\"" : "")
                            + " --method tools/list";
                case ServerEntry.Program program ->
                    "npx @modelcontextprotocol/inspector --cli " + ClientCode.shell(program) + " --method tools/list";
            };
        }
    },
    TYPESCRIPT("a module; npm install @modelcontextprotocol/client@2") {
        @Override
        String snippet(ServerEntry server) {
            return ClientCode.typeScript(server);
        }
    },
    PYTHON("a program, for Python 3.10 or newer; pip install \"" + ClientCode.PYTHON_SDK + "\"") {
        @Override
        String snippet(ServerEntry server) {
            return ClientCode.python(server);
        }
    },
    LANGCHAIN("a program, for Python 3.10 or newer; pip install \"" + ClientCode.LANGCHAIN_ADAPTERS + "\"") {
        @Override
        String snippet(ServerEntry server) {
            return ClientCode.langChain(server);
        }
    },
    CURL("a shell") {
        @Override
        String snippet(ServerEntry server) {
            return ClientCode.curl(server);
        }
    };

    private static final DumpSettings YAML = DumpSettings.builder()
            .setDefaultFlowStyle(FlowStyle.BLOCK)
            .setSplitLines(false)
            .build();

    private final String place;

    ClientSetup(String place) {
        this.place = place;
    }

    /** The name on the command line. */
    String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Where to paste the snippet: a file, or what kind of program it is. */
    String place() {
        return place;
    }

    /** The text to paste; ends with a line break. */
    abstract String snippet(ServerEntry server);

    /**
     * The text to paste for people who sign in by OAuth with a client that is registered as {@code clientId}; empty if the client
     * has no known place for that.
     */
    Optional<String> signIn(URI url, String clientId) {
        return Optional.empty();
    }

    /** The entry of a server whose authorization server knows the client as {@code clientId}. */
    private static ObjectNode known(URI url, String type, String section, String name, String clientId) {
        ObjectNode entry = entry(new ServerEntry.Url(url, false), type, "");
        entry.putObject(section).put(name, clientId);
        return entry;
    }

    private static ObjectNode servers(String key, ObjectNode entry) {
        ObjectNode file = Json.object();
        file.putObject(key).set(ServerEntry.NAME, entry);
        return file;
    }

    private static ObjectNode entry(ServerEntry server, String type, String key) {
        return switch (server) {
            case ServerEntry.Url(URI url, boolean keyed) -> {
                ObjectNode entry = Json.object();
                if (!type.isEmpty()) {
                    entry.put("type", type);
                }
                entry.put("url", url.toString());
                if (keyed) {
                    entry.putObject("headers").put("Authorization", "Bearer " + key);
                }
                yield entry;
            }
            case ServerEntry.Program program -> started(program);
        };
    }

    private static ObjectNode started(ServerEntry.Program program) {
        ObjectNode entry = Json.object().put("command", program.program());
        ArrayNode arguments = entry.putArray("args");
        program.arguments().forEach(arguments::add);
        return entry;
    }

    /**
     * For clients that can only start programs: a program that relays messages to the URL. The header is passed in an
     * environment variable, because some shells split an argument at its blank.
     */
    private static ObjectNode bridge(ServerEntry.Url server) {
        ObjectNode entry = Json.object().put("command", "npx");
        ArrayNode arguments = entry.putArray("args")
                .add("-y")
                .add("mcp-remote")
                .add(server.url().toString());
        if (server.key()) {
            arguments.add("--header").add("Authorization:${AUTHORIZATION}");
            entry.putObject("env").put("AUTHORIZATION", "Bearer <the key>");
        }
        return entry;
    }

    private static String json(JsonNode tree) {
        return tree.toPrettyString() + "\n";
    }

    private static String yaml(JsonNode tree) {
        return new Dump(YAML).dumpToString(Json.mapper().convertValue(tree, Object.class));
    }
}
