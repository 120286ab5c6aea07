package switchboard.bench;

import switchboard.auth.AccessPolicy;
import switchboard.auth.Principal;
import switchboard.call.Json;
import switchboard.call.TermStatistics;
import switchboard.call.ToolReply;
import switchboard.catalog.View;
import switchboard.dispatch.Requester;
import switchboard.eval.EvalComparison;
import switchboard.eval.JudgedSet;
import switchboard.eval.PairedTest;
import switchboard.eval.Quality;
import switchboard.federation.DirectCalls;
import switchboard.federation.FederationBackend;
import switchboard.federation.FederationSettings;
import switchboard.federation.FourEngines;
import switchboard.federation.FusionMethod;
import switchboard.federation.NoMembers;
import switchboard.federation.SignalRules;
import switchboard.federation.TextComparison;
import switchboard.store.PooledKeywordScore;
import switchboard.testing.PostgresCluster;


import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;








import switchboard.federation.FederationSettings.Declared;












/**
 * {@code search_everywhere} on whole judged sets over an embedded store, PostgreSQL, Weaviate and Meilisearch: a quarter of
 * the documents in each, and all of them in each. PostgreSQL is real; the others are where {@code WEAVIATE_URL} and {@code
 * MEILI_URL} say so. Every source is asked every query once through a gateway; the lists are kept, and the product's own
 * fusion is then run on them with each method and weight. Ends with an error where quarters stay below 0.97 of one store,
 * or two engines a hundredth below the better of them. Arguments: a work folder for vectors and lists, then the sets' folders.
 */
final class Everywhere {
    private static final int DEPTH = 50;
    private static final int ASKED_AT_ONCE = 4;
    private static final String EMBEDDED = "vectordb";
    private static final String QUARTER = "quarter";
    private static final String WHOLE = "whole";
    private static final String STANDARD = "linear 0.7, 50 a source";
    private static final double LEAST_SHARE = 0.97;
    private static final double MOST_LOST = 0.01;

    private final JudgedSet set;
    private final RecordedLists lists;
    private final List<String> problems = new ArrayList<>();
    private final Map<Scored, PooledKeywordScore.Scores> scored = new HashMap<>();

    /** What was scored by words. */
    private record Scored(String query, List<String> passages, TermStatistics more) {}

    private Everywhere(JudgedSet set, RecordedLists lists) {
        this.set = set;
        this.lists = lists;
    }

    public static void main(String[] arguments) throws Exception {
        Path work = Files.createDirectories(Path.of(arguments[0]));
        List<String> problems = new ArrayList<>();
        Map<String, List<Double>> means = new LinkedHashMap<>();
        for (String folder : Arrays.asList(arguments).subList(1, arguments.length)) {
            JudgedSet set = JudgedSet.read(Path.of(folder));
            Path kept = work.resolve(set.name() + ".lists.json");
            if (!Files.exists(kept)) {
                record(set, work, kept);
            }
            Everywhere bench = new Everywhere(set, read(set, kept));
            bench.quarters(means);
            bench.copies();
            problems.addAll(bench.problems);
        }
        System.out.println("Mean over the sets, four quarters:");
        means.forEach((way, ndcg) -> System.out.printf(
                Locale.ROOT,
                "| %s | %.4f |%n",
                way,
                ndcg.stream().mapToDouble(Double::doubleValue).average().orElse(0)));
        if (!problems.isEmpty()) {
            throw new AssertionError(String.join("\n", problems));
        }
    }

    /** The lists, from sources of which the embedded ones say how common words are. */
    private static RecordedLists read(JudgedSet set, Path kept) throws Exception {
        RecordedLists lists = RecordedLists.read(kept);
        List<String> whole = new ArrayList<>(texts(set).values());
        lists.holds(EMBEDDED + ":" + WHOLE, whole);
        lists.holds(
                EMBEDDED + ":" + QUARTER,
                IntStream.range(0, whole.size())
                        .filter(number -> engine(number).equals(EMBEDDED))
                        .mapToObj(whole::get)
                        .toList());
        return lists;
    }

    private static Map<String, String> texts(JudgedSet set) {
        Map<String, String> texts = new LinkedHashMap<>(set.texts());
        texts.values().removeIf(String::isBlank);
        return texts;
    }

    /** Where the document {@code number} is when each engine has a quarter. */
    private static String engine(int number) {
        return FourEngines.NAMES.get(number % FourEngines.NAMES.size());
    }

    private static void record(JudgedSet set, Path work, Path kept) throws Exception {
        Map<String, List<String>> quarters = new HashMap<>();
        Map<String, List<String>> copies = new HashMap<>();
        int number = 0;
        Map<String, String> texts = texts(set);
        for (String id : texts.keySet()) {
            quarters.put(id, List.of(engine(number++)));
            copies.put(id, FourEngines.NAMES);
        }
        try (PostgresCluster cluster = PostgresCluster.alone();
                FourEngines engines = new FourEngines(cluster, work.resolve("vectors"))) {
            engines.fill(texts, quarters, QUARTER);
            System.err.println(set.name() + ": quarters are in");
            engines.fill(texts, copies, WHOLE);
            System.err.println(set.name() + ": copies are in");
            RecordedLists lists = new RecordedLists();
            // Two people may have asked the same.
            Set<String> asked = Set.copyOf(set.queries().values());
            try (ExecutorService threads = Executors.newFixedThreadPool(ASKED_AT_ONCE)) {
                for (String query : asked) {
                    threads.execute(() -> ask(engines, query, lists));
                }
            }
            if (lists.queries() != asked.size()) {
                throw new IllegalStateException("not every query was answered");
            }
            lists.write(kept);
        }
    }

    private static void ask(FourEngines engines, String query, RecordedLists lists) {
        for (String collection : List.of(QUARTER, WHOLE)) {
            for (String engine : FourEngines.NAMES) {
                ObjectNode deep = Json.object()
                        .put("limit", DEPTH)
                        .put("detail", "passages")
                        .put("deadline_ms", 60_000);
                lists.add(
                        engine + ":" + collection,
                        query,
                        engines.answer(query, List.of(engines.source(engine, collection)), deep));
            }
        }
        lists.single(query, engines.oneStore(query, WHOLE));
    }

    /** What is compared. */
    private static Map<String, FederationSettings> ways() {
        Map<String, FederationSettings> ways = new LinkedHashMap<>();
        ways.put(STANDARD, settings(new FusionMethod.WeightedSum(0.7), 50, Map.of()));
        for (double similarity : new double[] {0, 0.3, 0.5, 0.6, 0.75, 0.8, 0.9, 1}) {
            ways.put("linear " + similarity, settings(new FusionMethod.WeightedSum(similarity), 50, Map.of()));
        }
        for (int k : new int[] {5, 20, 60}) {
            ways.put("rrf " + k, settings(new FusionMethod.ReciprocalRank(k), 50, Map.of()));
        }
        for (int candidates : new int[] {10, 30}) {
            ways.put(
                    "linear 0.7, " + candidates + " a source",
                    settings(new FusionMethod.WeightedSum(0.7), candidates, Map.of()));
        }
        for (String engine : FourEngines.NAMES) {
            for (double weight : new double[] {0.9, 1.1}) {
                ways.put(
                        "linear 0.7, " + engine + " " + weight,
                        settings(
                                new FusionMethod.WeightedSum(0.7),
                                50,
                                Map.of(engine, new Declared(weight, null, null, null, null))));
            }
        }
        return ways;
    }

    private static FederationSettings settings(FusionMethod method, int candidates, Map<String, Declared> declared) {
        FederationSettings.FusionMethods methods = FederationSettings.DEFAULT.fusion();
        return new FederationSettings(
                Duration.ofSeconds(60),
                candidates,
                64,
                new FederationSettings.FusionMethods(method, methods.linear(), methods.rrf()),
                declared,
                SignalRules.MARK_ALL);
    }

    private void quarters(Map<String, List<Double>> means) {
        List<String> sources =
                FourEngines.NAMES.stream().map(engine -> engine + ":" + QUARTER).toList();
        List<EvalComparison.EvalRunResult> runs = new ArrayList<>();
        ways().forEach((way, settings) -> {
            EvalComparison.EvalRunResult run = run(way, settings, sources);
            means.computeIfAbsent(way, _ -> new ArrayList<>()).add(run.quality().ndcg10());
            runs.add(run);
        });
        Map<String, Quality> alone = new LinkedHashMap<>();
        set.queries().forEach((id, text) -> alone.put(
                id, Quality.of(lists.single(text), set.grades().get(id))));
        runs.add(new EvalComparison.EvalRunResult("one store, its own hybrid search", alone, List.of(), 0));
        System.out.println(new EvalComparison(set.name() + ", a quarter in each engine", set.texts().size(), runs).markdown());
        double fused = runs.getFirst().quality().ndcg10();
        double one = runs.getLast().quality().ndcg10();
        System.out.printf(Locale.ROOT, "%s: %.4f of one store%n%n", set.name(), fused / one);
        if (fused < LEAST_SHARE * one) {
            problems.add(set.name() + ": quarters " + fused + ", one store " + one);
        }
    }

    private void copies() {
        Map<String, FederationSettings> ways = new LinkedHashMap<>();
        ways.put(STANDARD, ways().get(STANDARD));
        ways.put("linear 0.75", ways().get("linear 0.75"));
        ways.put("linear 0.8", ways().get("linear 0.8"));
        ways.put("rrf 60", ways().get("rrf 60"));
        System.out.println("| " + set.name() + ": all documents in both | method | first | second | both | to the better |");
        System.out.println("|---|---|---|---|---|---|");
        ways.forEach((way, settings) -> {
            Map<String, EvalComparison.EvalRunResult> alone = new HashMap<>();
            FourEngines.NAMES.forEach(
                    engine -> alone.put(engine, run(engine, settings, List.of(engine + ":" + WHOLE))));
            for (int a = 0; a < FourEngines.NAMES.size(); a++) {
                for (int b = a + 1; b < FourEngines.NAMES.size(); b++) {
                    pair(way, settings, alone.get(FourEngines.NAMES.get(a)), alone.get(FourEngines.NAMES.get(b)));
                }
            }
        });
        System.out.println();
    }

    private void pair(String way, FederationSettings settings, EvalComparison.EvalRunResult first, EvalComparison.EvalRunResult second) {
        EvalComparison.EvalRunResult both = run(way, settings, List.of(first.name() + ":" + WHOLE, second.name() + ":" + WHOLE));
        EvalComparison.EvalRunResult better = first.quality().ndcg10() >= second.quality().ndcg10() ? first : second;
        PairedTest pairedTest = both.against(better);
        System.out.printf(
                Locale.ROOT,
                "| %s, %s | %s | %.4f | %.4f | %.4f | %+.4f [%+.4f, %+.4f] |%n",
                first.name(),
                second.name(),
                way,
                first.quality().ndcg10(),
                second.quality().ndcg10(),
                both.quality().ndcg10(),
                pairedTest.mean(),
                pairedTest.low(),
                pairedTest.high());
        if (way.equals(STANDARD) && pairedTest.mean() < -MOST_LOST) {
            problems.add(set.name() + ": " + first.name() + " and " + second.name() + " are " + pairedTest.mean()
                    + " below the better of them");
        }
    }

    /** The same lists are scored once, however many ways weigh the scores. */
    private PooledKeywordScore.Scores keywords(String query, List<String> passages, TermStatistics more) {
        return scored.computeIfAbsent(
                new Scored(query, passages, more), _ -> PooledKeywordScore.of(query, passages, more));
    }

    private EvalComparison.EvalRunResult run(String name, FederationSettings settings, List<String> sources) {
        Set<String> engines = Set.copyOf(FourEngines.NAMES);
        DirectCalls calls = new DirectCalls(
                new Requester(Principal.anonymous(), new View("", engines, List.of(), Map.of(), Map.of())),
                lists::answer);
        FederationBackend backend = new FederationBackend(
                settings,
                new FederationBackend.Dependencies(
                        engines,
                        new AccessPolicy(),
                        calls,
                        DirectCalls::now,
                        this::keywords,
                        (model, cosine) -> OptionalDouble.empty(),
                        TextComparison.NONE,
                        NoMembers.INSTANCE));
        Map<String, Quality> byQuery = new LinkedHashMap<>();
        List<Double> millis = new ArrayList<>();
        set.queries().forEach((id, text) -> {
            ObjectNode arguments = Json.object().put("query", text).put("limit", 10).put("detail", "titles");
            sources.forEach(arguments.putArray("sources")::add);
            long start = System.nanoTime();
            ToolReply reply = DirectCalls.call(backend, "search_everywhere", arguments, _ -> {});
            millis.add((System.nanoTime() - start) / 1e6);
            JsonNode answer = ((ToolReply.Ok) reply).structured();
            byQuery.put(id, Quality.of(FourEngines.ids(answer), set.grades().get(id)));
        });
        EvalComparison.EvalRunResult run = new EvalComparison.EvalRunResult(name, byQuery, millis, 0);
        System.err.println(set.name() + ": " + name + " " + run.quality().ndcg10());
        return run;
    }
}
