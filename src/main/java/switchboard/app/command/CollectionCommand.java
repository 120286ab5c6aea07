package switchboard.app.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import switchboard.app.McpClient;
import switchboard.call.Json;

/** {@code switchboard collection}: the collections of an agentroot backend. */
@Command(
        name = "collection",
        description = "Add, update, remove and list the collections of agentroot, through a running gateway if there is"
                + " one.",
        footer = "  switchboard collection add docs /srv/docs")
public final class CollectionCommand extends PrintingCommand {
    private static final String BACKEND = "agentroot";

    @Command(
            name = "add",
            mixinStandardHelpOptions = true,
            description = "Add a collection and index it.",
            footer = "  switchboard collection add docs /srv/docs --pattern '**/*.md'")
    int add(
            @Mixin GatewayConnection gatewayConnection,
            @Parameters(index = "0", paramLabel = "NAME", description = "Name of the new collection.") String name,
            @Parameters(index = "1", paramLabel = "PATH", description = "Folder, file, URL or repository.") String path,
            @Option(names = "--pattern", paramLabel = "GLOB", description = "Which files to include.") @Nullable
                    String pattern,
            @Option(
                            names = "--provider",
                            paramLabel = "PROVIDER",
                            defaultValue = "file",
                            description =
                                    "What kind of source it is: file, github, url, pdf, sql, csv or json; by default"
                                            + " ${DEFAULT-VALUE}.")
                    String provider,
            @Option(names = "--option", paramLabel = "JSON", description = "The provider's options, a JSON object.")
                    @Nullable
                    String options) {
        ObjectNode arguments = named(name).put("path", path).put("provider", provider);
        Optional.ofNullable(pattern).ifPresent(glob -> arguments.put("pattern", glob));
        Optional.ofNullable(options).ifPresent(json -> arguments.put("config", json));
        return update(gatewayConnection, name, client -> call(client, "collection_add", arguments)
                .isPresent());
    }

    @Command(
            name = "update",
            mixinStandardHelpOptions = true,
            description = "Bring a collection up to date with its source.",
            footer = "  switchboard collection update docs")
    int update(
            @Mixin GatewayConnection gatewayConnection,
            @Parameters(paramLabel = "NAME", description = "The collection.") String name) {
        return update(gatewayConnection, name, _ -> true);
    }

    @Command(
            name = "remove",
            mixinStandardHelpOptions = true,
            description = "Remove a collection and its index.",
            footer = "  switchboard collection remove docs")
    int remove(
            @Mixin GatewayConnection gatewayConnection,
            @Parameters(paramLabel = "NAME", description = "The collection.") String name) {
        try (GatewayConnection.OpenGateway connection = connect(gatewayConnection)) {
            return call(connection.client(), "collection_remove", named(name)).isEmpty() ? CommandFailures.FAILED : 0;
        }
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "List the collections.",
            footer = "  switchboard collection list")
    int list(@Mixin GatewayConnection gatewayConnection) {
        try (GatewayConnection.OpenGateway connection = connect(gatewayConnection)) {
            Optional<JsonNode> status = call(connection.client(), "status", Json.object());
            status.ifPresent(found -> found.path("collections").forEach(one -> out().printf(
                            "%-20s %8d documents  %-7s %s%n",
                            one.path("name").asText(),
                            one.path("documents").asLong(),
                            one.path("provider").asText(),
                            one.path("path").asText())));
            out().flush();
            return status.isEmpty() ? CommandFailures.FAILED : 0;
        }
    }

    private static GatewayConnection.OpenGateway connect(GatewayConnection gatewayConnection) {
        Logging.forPeople();
        return gatewayConnection.onBackend(BACKEND).connect(List.of());
    }

    private static ObjectNode named(String name) {
        return Json.object().put("name", name);
    }

    /** The result of the tool. Empty if it failed; its message has been printed then. */
    private Optional<JsonNode> call(McpClient client, String tool, ObjectNode arguments) {
        return shown(client.callTool(tool, arguments));
    }

    private Optional<JsonNode> shown(JsonNode result) {
        if (result.path("isError").asBoolean()) {
            out().println(result.path("content").path(0).path("text").asText());
            out().flush();
            return Optional.empty();
        }
        return Optional.of(result.path("structuredContent"));
    }

    /** Updates a collection if {@code first} succeeds. */
    private int update(GatewayConnection gatewayConnection, String name, Predicate<McpClient> first) {
        PrintWriter err = err();
        AtomicBoolean begun = new AtomicBoolean();
        try (Progress progress = Progress.of("updating " + name, 0, err)) {
            return InterruptHandler.during(err, () -> account(name, begun.get(), progress), interruption -> {
                try (GatewayConnection.OpenGateway connection = connect(gatewayConnection)) {
                    interruption.check();
                    if (!first.test(connection.client())) {
                        return CommandFailures.FAILED;
                    }
                    begun.set(true);
                    return updated(connection.client(), name, progress, interruption);
                }
            });
        }
    }

    private static String account(String name, boolean begun, Progress progress) {
        progress.end();
        return begun
                ? "Stopped: " + progress.soFar() + " documents of " + name
                        + " were checked; what is indexed stays. To continue:" + " switchboard collection update "
                        + name
                        + ", with the same --config, --data or --url."
                : "Stopped before any document was checked. To continue, run the same command again; or, if " + name
                        + " is in the list of collections: switchboard collection update " + name + ".";
    }

    /** Updates until everything is done, or the rest can't be done now. */
    private int updated(McpClient client, String name, Progress progress, InterruptHandler interruption) {
        while (true) {
            JsonNode result =
                    interruption.waitFor(() -> client.callTool("collection_update", named(name), progress::at));
            Optional<JsonNode> answer = shown(result);
            if (answer.isEmpty()) {
                return CommandFailures.FAILED;
            }
            JsonNode report = answer.get();
            boolean goesOn = !report.path("complete").asBoolean()
                    && !report.has("stopped")
                    && report.path("remaining").asInt() > 0;
            if (!goesOn) {
                progress.end();
                print(report);
                return report.path("complete").asBoolean() ? 0 : CommandFailures.FAILED;
            }
        }
    }

    private void print(JsonNode report) {
        out().printf(
                        "%d added, %d changed, %d renamed, %d removed, %d unchanged, %d left out%n",
                        report.path("added").asInt(),
                        report.path("changed").asInt(),
                        report.path("renamed").asInt(),
                        report.path("removed").asInt(),
                        report.path("unchanged").asInt(),
                        report.path("skippedTotal").asInt());
        report.path("skipped").forEach(one -> out().println("  "
                + one.path("path").asText() + " " + one.path("reason").asText()));
        for (String key : List.of("withoutVectors", "withoutModel", "stopped")) {
            if (report.has(key)) {
                out().println("  " + report.path(key).asText());
            }
        }
        out().flush();
    }
}
