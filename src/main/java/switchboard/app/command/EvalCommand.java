package switchboard.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import switchboard.app.BackendTypes;
import switchboard.app.EvalRun;
import switchboard.app.InsightAccess;
import switchboard.app.McpClient;
import switchboard.app.RunningGateway;
import switchboard.app.ToolEval;
import switchboard.call.Json;
import switchboard.config.GatewayConfig;
import switchboard.eval.EvalComparison;
import switchboard.eval.JudgedSet;
import switchboard.insight.ImplicitJudgments;

/** {@code switchboard eval}. */
@Command(
        name = "eval",
        description = "Measure retrieval on judged sets: folders in BEIR's layout, with corpus.jsonl, queries.jsonl and"
                + " qrels/test.tsv.",
        footer = "  switchboard eval bench/sets/handbook --work data/eval")
public final class EvalCommand extends PrintingCommand implements Callable<Integer> {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int DEPTH = 100;

    @Mixin
    private final GatewayOptions options = new GatewayOptions();

    @Parameters(arity = "0..*", paramLabel = "DIR", description = "A judged set.")
    private List<Path> sets = List.of();

    @Option(
            names = "--judgments",
            paramLabel = "insight",
            description = "Measure on what --team read after its searches, too. Only with --sources or --run, because"
                    + " the search log has no texts of documents.")
    private @Nullable Judgments judgments;

    @Option(names = "--team", paramLabel = "TEAM", description = "Whose judgments; without teams, \"\".")
    private String team = "";

    /** Where judgments come from, besides folders. */
    private enum Judgments {
        INSIGHT
    }

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description = "Folder for index and vectors, which the next run reuses; by default data/eval.")
    private @Nullable Path work;

    @Option(
            names = "--embedder",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Which embedder; by default ${DEFAULT-VALUE}. Several are compared in one run; none is search by"
                            + " keyword alone.")
    private List<String> embedders = List.of("default");

    @Option(
            names = "--baseline",
            paramLabel = "MODE",
            description = "The mode or run that differences refer to, as the report names it; by default the first.")
    private @Nullable String baseline;

    @Option(
            names = "--by-query",
            paramLabel = "FILE",
            description =
                    "Write the nDCG@10 of each query and run, and its differences to the baseline, separated by tabs;"
                            + " for several sets one after the other.")
    private @Nullable Path byQuery;

    @Option(
            names = "--tune",
            description =
                    "Fit the weights on qrels/train.tsv (or qrels.train.tsv and queries.train.jsonl), where a set has them and the embedder makes vectors,"
                            + " and measure them on the test queries.")
    private boolean tune;

    @Option(names = "--json", description = "Print one JSON object for each set instead of a table.")
    private boolean json;

    @Option(
            names = "--sources",
            paramLabel = "GLOB",
            split = ",",
            description = "Query a running gateway instead, with search_everywhere over these sources: <backend> or"
                    + " <backend>:<source>, with *. The sources must hold the set's documents already.")
    private List<String> sources = List.of();

    @Option(
            names = "--run",
            paramLabel = "NAME=TOOL:JSON",
            description =
                    "Query a running gateway with this tool, too, and these arguments; the argument whose value is"
                            + " \"?\" gets the query, by default query. Repeat the option to compare; the first run is the baseline.")
    private List<String> runs = List.of();

    @Option(names = "--url", paramLabel = "URL", description = "MCP URL of the running gateway: http://host:8080/mcp.")
    private @Nullable URI url;

    @Mixin
    private final KeyOption key = new KeyOption();

    @Option(names = "--report", paramLabel = "FILE", description = "Write the comparison as Markdown.")
    private @Nullable Path report;

    @Option(
            names = "--metrics",
            paramLabel = "FILE",
            description = "Write the comparison as gauges for Prometheus' textfile collector.")
    private @Nullable Path metrics;

    /** Means over no query say nothing, but would look like the worst search there is. */
    private JudgedSet answered(Path folder) throws IOException {
        JudgedSet set = JudgedSet.read(folder);
        if (set.queries().isEmpty()) {
            throw wrongUsage(folder + ": none of its queries has a judgment above 0. See that the ids of queries in "
                    + "the judgments are those of queries.jsonl.");
        }
        return set;
    }

    private Optional<JudgedSet> train(Path set) throws IOException {
        return tune && JudgedSet.hasTrain(set) ? Optional.of(JudgedSet.readTrain(set)) : Optional.empty();
    }

    @Override
    public Integer call() throws IOException {
        Logging.forPeople();
        boolean throughGateway = !sources.isEmpty() || !runs.isEmpty();
        check(throughGateway);
        if (throughGateway) {
            return compare();
        }
        GatewayConfig config = options.load(BackendTypes.shipped());
        Path folder =
                work == null ? options.installation().data().resolve("data").resolve("eval") : work;
        PrintWriter out = out();
        List<EvalComparison> comparisons = new ArrayList<>();
        try (StagedProgress stagedProgress = new StagedProgress(err())) {
            return InterruptHandler.<IOException>during(err(), () -> account(stagedProgress, folder), interruption -> {
                interruption.breakOffBy(interruption::exit);
                for (Path set : sets) {
                    interruption.check();
                    EvalRun.Compared compared = new EvalRun.Compared(embedders, train(set));
                    EvalComparison measured = againstBaseline(EvalRun.run(
                            config, options.installation(), compared, answered(set), folder, stagedProgress::at));
                    stagedProgress.end();
                    out.println(json ? Json.text(measured.json()) : measured.table());
                    comparisons.add(measured);
                }
                writeFiles(comparisons);
                return 0;
            });
        }
    }

    /** Measuring takes long, so all that is wrong with the options is said before. */
    private void check(boolean throughGateway) {
        if (sets.isEmpty() && judgments == null) {
            throw wrongUsage("Name a judged set, or --judgments insight.");
        }
        if (throughGateway) {
            refuse(
                    List.of("--embedder", "--tune", "--work"),
                    "is for a store of its own, but --sources and --run query a running gateway. Leave out one or the other.");
        } else {
            refuse(
                    List.of("--judgments", "--url", "--key-file"),
                    "needs --sources or --run, which query a running gateway"
                            + (judgments == null ? "." : "; the search log has no texts of documents."));
        }
        if (judgments == null) {
            refuse(List.of("--team"), "needs --judgments insight.");
        }
        requireFolder("--report", report);
        requireFolder("--metrics", metrics);
        requireFolder("--by-query", byQuery);
        requireDifferent(
                sets.stream().map(JudgedSet::nameOf), "Two of the sets have the name", "Rename the folder of one.");
        requireDifferent(embedders.stream(), "--embedder has twice", "Name it once.");
        List<String> names = ways().stream().map(ToolEval.SearchVariant::name).toList();
        requireDifferent(names.stream(), "Two runs have the name", "Give one of them another name.");
    }

    /** Refuses each of the options that was given; {@code why} completes the sentence. */
    private void refuse(List<String> names, String why) {
        for (String name : names) {
            if (given(name)) {
                throw wrongUsage(name + " " + why);
            }
        }
    }

    /** Reports and metrics tell results apart by these names alone. */
    private void requireDifferent(Stream<String> names, String problem, String remedy) {
        Set<String> known = new HashSet<>();
        names.filter(name -> !known.add(name)).findFirst().ifPresent(twice -> {
            throw wrongUsage(problem + " \"" + twice + "\", so their results could not be told apart. " + remedy);
        });
    }

    private static String account(StagedProgress stagedProgress, Path folder) {
        stagedProgress.end();
        return "Stopped: " + stagedProgress.soFar() + ". Vectors that were computed are kept in " + folder
                + "; run the same command again to continue.";
    }

    private int compare() throws IOException {
        URI gateway = Optional.ofNullable(url)
                .or(() -> RunningGateway.find(options.installation().data()))
                .orElseThrow(
                        () -> wrongUsage("No gateway runs on this data folder; start one, or name it with --url."));
        List<EvalComparison> comparisons = new ArrayList<>();
        try (McpClient client = new McpClient(gateway, TIMEOUT, key.key())) {
            ToolEval eval = new ToolEval(client);
            for (JudgedSet set : judged()) {
                comparisons.add(againstBaseline(eval.compare(set, ways())));
            }
        }
        for (EvalComparison comparison : comparisons) {
            out().println(json ? Json.text(comparison.json()) : comparison.markdown());
        }
        writeFiles(comparisons);
        return 0;
    }

    /** What is measured on: the sets that people have judged, then what a team read. */
    private List<JudgedSet> judged() throws IOException {
        List<JudgedSet> all = new ArrayList<>();
        for (Path set : sets) {
            all.add(answered(set));
        }
        if (judgments != null) {
            ImplicitJudgments read = new ImplicitJudgments();
            try (InsightAccess insight = options.insight()) {
                insight.log().read(team, read::add);
            }
            JudgedSet set = read.judgments().set("insight " + team);
            if (set.queries().isEmpty()) {
                throw wrongUsage("--judgments insight: no query of team \"" + team
                        + "\" has a judgment; see --team, and that insight.teams.<team>.queries is full.");
            }
            all.add(set);
        }
        return all;
    }

    private EvalComparison againstBaseline(EvalComparison comparison) {
        String names = comparison.runs().stream()
                .map(EvalComparison.EvalRunResult::name)
                .collect(Collectors.joining(", "));
        return baseline == null
                ? comparison
                : comparison
                        .against(baseline)
                        .orElseThrow(() -> wrongUsage(
                                "--baseline " + baseline + ": there is no such run; there are " + names + "."));
    }

    private void requireFolder(String option, @Nullable Path file) {
        Path folder = file == null ? null : file.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw wrongUsage(option + " " + file + ": the folder of this file does not exist.");
        }
    }

    private void writeFiles(List<EvalComparison> comparisons) throws IOException {
        if (report != null) {
            String markdown = comparisons.stream().map(EvalComparison::markdown).collect(Collectors.joining("\n"));
            Files.writeString(report, "# Retrieval quality\n\n" + markdown);
        }
        if (metrics != null) {
            Files.writeString(metrics, EvalComparison.gauges(comparisons));
        }
        if (byQuery != null) {
            Files.writeString(
                    byQuery, comparisons.stream().map(EvalComparison::byQuery).collect(Collectors.joining("\n")));
        }
    }

    private List<ToolEval.SearchVariant> ways() {
        List<ToolEval.SearchVariant> ways = new ArrayList<>();
        if (!sources.isEmpty()) {
            ObjectNode arguments = Json.object().put("limit", DEPTH).put("detail", "titles");
            sources.forEach(arguments.putArray("sources")::add);
            ways.add(new ToolEval.SearchVariant(
                    "fused " + String.join(" ", sources), "search_everywhere", arguments, "query"));
        }
        runs.forEach(run -> ways.add(way(run)));
        return ways;
    }

    private ToolEval.SearchVariant way(String named) {
        int equals = named.indexOf('=');
        if (equals < 1) {
            throw wrongUsage("--run " + named + ": must be NAME=TOOL:JSON.");
        }
        String name = named.substring(0, equals);
        String run = named.substring(equals + 1);
        int colon = run.indexOf(':');
        String tool = colon < 0 ? run : run.substring(0, colon);
        try {
            JsonNode arguments = colon < 0 ? Json.object() : Json.parse(run.substring(colon + 1));
            if (arguments instanceof ObjectNode object) {
                String query = object.properties().stream()
                        .filter(argument -> argument.getValue().asText().equals("?"))
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .orElse("query");
                return new ToolEval.SearchVariant(name, tool, object, query);
            }
        } catch (JsonProcessingException e) {
            // the caller reports it
        }
        throw wrongUsage("--run " + name + ": after " + tool + ": must be a JSON object of arguments.");
    }
}
