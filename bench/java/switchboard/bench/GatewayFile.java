package switchboard.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The configuration of a gateway that is measured. */
final class GatewayFile {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** How many instances of one type make up more than 500 tools. */
    private static final int INSTANCES = 72;

    private GatewayFile() {}

    /** It for a gateway with or without keys and audit. */
    static String text(boolean safe, Ours.Setting setting) throws IOException {
        List<String> yaml = new ArrayList<>(List.of(
                "auth: {mode: " + (safe ? "keys" : "none") + "}",
                "audit: {to: " + (safe ? "file" : "none") + "}",
                "backends:",
                "  vectordb: {type: vectordb}",
                "  agentroot: {type: agentroot}",
                "  meilisearch: {type: meilisearch, url: \"http://127.0.0.1:9\"}",
                "  weaviate: {type: weaviate, url: \"" + setting.hung() + "\", writes: true, logs: {enabled: true}}",
                postgres(setting.database())));
        IntStream.range(0, setting.works().contains(Work.W1_500) ? INSTANCES : 0)
                .mapToObj(i -> "  more%d: {type: weaviate, url: \"http://127.0.0.1:9\", writes: true}".formatted(i))
                .forEach(yaml::add);
        yaml.add("views:");
        for (Work work : setting.works()) {
            if (work.listed().isPresent()) {
                int count = work.listed().get();
                yaml.add("  %s: {backends: [%s], tools: [%s], rename: {%s}}"
                        .formatted(
                                view(work), backends(count), String.join(", ", tools(count)), renamed(count)));
            }
        }
        return String.join("\n", yaml) + "\n";
    }

    private static String postgres(@Nullable Database database) {
        return """
                  postgres:
                    type: postgres
                    connection: {host: 127.0.0.1, port: %s, database: %s, user: %s}
                    queries:
                      get_item:
                        sql: %s
                        description: "The item of that id, with its price and how many there are."
                        parameters: {id: {type: integer, description: "The item's id."}}
                      nearest_passages:
                        sql: %s
                        description: "The ten passages nearest to a vector."
                        verb: search
                        parameters: {vector: {description: "The vector, as pgvector writes it.", maxLength: 10000}}
                """.indent(0).formatted(
                        database == null ? 9 : database.port(),
                        database == null ? "none" : database.name(),
                        database == null ? "none" : database.user(),
                        '"' + Tables.POINT_READ.replace("$1", ":id") + '"',
                        '"' + Tables.NEAREST.replace("$1::vector", "CAST(:vector AS vector)") + '"');
    }

    private static String backends(int count) {
        return count > Work.TOOLS
                ? String.join(", ", IntStream.range(0, INSTANCES).mapToObj(i -> "more" + i).toList())
                : "vectordb, agentroot, meilisearch, weaviate, postgres";
    }

    /** Names for tools of which a list would show two under one name. */
    private static String renamed(int count) throws IOException {
        return count > Work.TOOLS
                ? String.join(
                        ", ",
                        tools(count).stream()
                                .map(tool -> tool + ": " + tool.replace("__", "-"))
                                .toList())
                : count == Work.TOOLS ? "vectordb__search: vectordb_search" : "";
    }

    /** As {@code <backend>__<tool>}. */
    private static List<String> tools(int count) throws IOException {
        List<String> all = new ArrayList<>();
        if (count > Work.TOOLS) {
            for (int i = 0; i < INSTANCES; i++) {
                String instance = "more" + i;
                names("weaviate").stream()
                        .filter(tool -> !tool.equals("weaviate-logs-fetch"))
                        .map(tool -> instance + "__" + tool)
                        .forEach(all::add);
            }
            return all.subList(0, count);
        }
        for (String type : List.of("agentroot", "meilisearch", "postgres", "vectordb", "weaviate")) {
            names(type).stream()
                    .filter(tool -> !tool.equals("ingest_text")) // ours; the five servers had 53
                    .map(tool -> type + "__" + tool)
                    .forEach(all::add);
        }
        return all.subList(0, count);
    }

    private static List<String> names(String type) throws IOException {
        Path file = Path.of(System.getProperty("switchboard.home"), "backends", type, "tools.json");
        List<String> names = new ArrayList<>();
        JSON.readTree(file.toFile()).path("tools").forEach(tool -> names.add(tool.path("name").asText()));
        return names;
    }

    /** The name of the view whose list {@code work} asks for. */
    static String view(Work work) {
        return work.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
