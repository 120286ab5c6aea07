package switchboard.app.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import switchboard.app.McpClient;
import switchboard.call.Json;

/** {@code switchboard collection}: the collections of an agentroot backend. */
@Command(
        name = "collection",
        description = "Add, update, remove and list the collections of agentroot, through a running gateway if there is"
                + " one.",
        mixinStandardHelpOptions = true)
public final class CollectionCommand {
    private static final String BACKEND = "agentroot";

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before run
    private CommandSpec spec;

    @Command(name = "add", description = "Add a collection and index it.")
    int add(
            @Mixin Target target,
            @Parameters(index = "0", paramLabel = "NAME") String name,
            @Parameters(index = "1", paramLabel = "PATH", description = "Folder, file, URL or repository.") String path,
            @Option(names = "--pattern", paramLabel = "GLOB", description = "Which of it.") @Nullable String pattern,
            @Option(
                            names = "--provider",
                            defaultValue = "file",
                            description = "file, github, url, pdf, sql, csv, json.")
                    String provider,
            @Option(names = "--option", paramLabel = "JSON", description = "The provider's options, a JSON object.")
                    @Nullable
                    String options) {
        ObjectNode arguments = named(name).put("path", path).put("provider", provider);
        Optional.ofNullable(pattern).ifPresent(glob -> arguments.put("pattern", glob));
        Optional.ofNullable(options).ifPresent(json -> arguments.put("config", json));
        try (Target.Connection connection = connect(target)) {
            return call(connection.client(), "collection_add", arguments).isEmpty()
                    ? Failures.FAILED
                    : updated(connection.client(), name);
        }
    }

    @Command(name = "update", description = "Bring a collection up to date with where its documents come from.")
    int update(@Mixin Target target, @Parameters(paramLabel = "NAME") String name) {
        try (Target.Connection connection = connect(target)) {
            return updated(connection.client(), name);
        }
    }

    @Command(name = "remove", description = "Remove a collection and what is indexed of it.")
    int remove(@Mixin Target target, @Parameters(paramLabel = "NAME") String name) {
        try (Target.Connection connection = connect(target)) {
            return call(connection.client(), "collection_remove", named(name)).isEmpty() ? Failures.FAILED : 0;
        }
    }

    @Command(name = "list", description = "List the collections.")
    int list(@Mixin Target target) {
        try (Target.Connection connection = connect(target)) {
            Optional<JsonNode> status = call(connection.client(), "status", Json.object());
            status.ifPresent(found -> found.path("collections").forEach(one -> out().printf(
                            "%-20s %8d documents  %-7s %s%n",
                            one.path("name").asText(),
                            one.path("documents").asLong(),
                            one.path("provider").asText(),
                            one.path("path").asText())));
            out().flush();
            return status.isEmpty() ? Failures.FAILED : 0;
        }
    }

    private static Target.Connection connect(Target target) {
        Logging.forPeople();
        return target.onBackend(BACKEND).connect(List.of());
    }

    private static ObjectNode named(String name) {
        return Json.object().put("name", name);
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** The tool's answer; empty, with its message printed, if it failed. */
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

    /** Updates until there is nothing left, or nothing more can be done now. */
    private int updated(McpClient client, String name) {
        try (Progress progress = Progress.of("updating " + name, 0, out())) {
            while (true) {
                Optional<JsonNode> answer = shown(client.callTool("collection_update", named(name), progress::at));
                if (answer.isEmpty()) {
                    return Failures.FAILED;
                }
                JsonNode report = answer.get();
                boolean goesOn = !report.path("complete").asBoolean()
                        && !report.has("stopped")
                        && report.path("remaining").asInt() > 0;
                if (!goesOn) {
                    print(report);
                    return report.path("complete").asBoolean() ? 0 : Failures.FAILED;
                }
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
