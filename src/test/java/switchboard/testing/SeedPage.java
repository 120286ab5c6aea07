package switchboard.testing;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import switchboard.call.Json;

/** The table of examples as a page for people: {@code docs/migrating/examples.md}. */
public final class SeedPage {
    private static final int LONGEST = 160;

    private SeedPage() {}

    /** The page. */
    public static String markdown() {
        SeedTable table = SeedTable.read();
        Map<String, String> servers = new LinkedHashMap<>();
        servers.put("agentroot", "agentroot");
        servers.put("mcpvectordb", "mcpvectordb");
        servers.put("meilisearch", "Meilisearch");
        servers.put("pgedge", "pgEdge");
        servers.put("weaviate", "Weaviate");
        StringBuilder page = new StringBuilder("""
            # The examples of the five servers

            Every request in the documentation of these servers, and its result here. Each row is a test: the request is sent as it
            is printed (with the gateway's address, a session and a key), and the answer is compared with the statement in the row. Where the
            documentation itself is wrong, the last column says what is right. This page is generated from these tests.
            """);
        servers.forEach((server, title) -> {
            page.append("\n## ").append(title).append("\n\n");
            page.append("| Section | Request | Result | Error in the documentation |\n|---|---|---|---|\n");
            for (SeedTable.Example example : table.of(server)) {
                if (!example.hidden()) {
                    page.append("| ")
                            .append(example.section())
                            .append(" | `")
                            .append(request(example))
                            .append("` | ")
                            .append(cell(example.states()))
                            .append(" | ")
                            .append(cell(example.wrong()))
                            .append(" |\n");
                }
            }
        });
        return page.toString();
    }

    private static String request(SeedTable.Example example) {
        JsonNode request = example.request();
        String text =
                switch (example.kind()) {
                    case TOOL -> request.path("name").asText() + " " + Json.text(request.path("arguments"));
                    case ARGUMENTS -> example.tool() + " " + Json.text(request);
                    case RPC -> Json.text(request);
                    case CURL, SHELL, PYTHON, NOTE -> request.asText();
                };
        String line = text.replaceAll("\\s+", " ").replace("`", "'").strip();
        return cell(line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...");
    }

    private static String cell(String text) {
        return text.replace("|", "\\|");
    }
}
