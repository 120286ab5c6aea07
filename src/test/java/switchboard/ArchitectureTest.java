package switchboard;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import switchboard.backend.ToolHandler;
import switchboard.call.Json;

/** The only allowed arrows between packages. docs/architecture.md draws the same picture. */
class ArchitectureTest {

    /**
     * For each area the areas it uses, besides {@code async}, which all may; {@code backend.*} stands for each backend type.
     * A new arrow is added here by hand, and one that is no longer used goes.
     */
    private static final Map<String, Set<String>> ARROWS = Map.ofEntries(
            Map.entry("async", Set.of()),
            Map.entry("text", Set.of()),
            Map.entry("files", Set.of()),
            Map.entry("signal", Set.of()),
            Map.entry("call", Set.of("text")),
            Map.entry("concurrent", Set.of("call")),
            Map.entry("config", Set.of("text")),
            Map.entry("telemetry", Set.of("call", "files", "text")),
            Map.entry("auth", Set.of("call", "concurrent")),
            Map.entry("catalog", Set.of("call", "text")),
            Map.entry("database", Set.of("config")),
            Map.entry("cluster", Set.of("auth", "call", "concurrent", "config", "database", "session", "telemetry")),
            Map.entry("insight", Set.of("call", "cluster", "eval", "files", "telemetry")),
            Map.entry("tuning", Set.of("call", "cluster", "eval", "files")),
            Map.entry("session", Set.of("auth")),
            Map.entry("task", Set.of("auth", "call", "concurrent", "files", "telemetry")),
            Map.entry("dispatch", Set.of("auth", "call", "catalog", "concurrent")),
            Map.entry(
                    "federation",
                    Set.of("auth", "backend", "call", "catalog", "dispatch", "signal", "store", "text", "watch")),
            Map.entry("watch", Set.of("auth", "call", "cluster", "concurrent", "files")),
            Map.entry(
                    "protocol",
                    Set.of(
                            "auth",
                            "call",
                            "catalog",
                            "cluster",
                            "dispatch",
                            "federation",
                            "session",
                            "task",
                            "telemetry",
                            "text")),
            Map.entry("console", Set.of("auth", "call", "cluster", "concurrent", "eval", "files", "text")),
            Map.entry("http", Set.of("auth", "call", "console", "files", "protocol", "text")),
            Map.entry("stdio", Set.of("auth", "protocol", "text")),
            Map.entry("embed", Set.of("call", "concurrent", "config", "text", "upstream")),
            Map.entry("replica", Set.of("call", "cluster", "concurrent", "embed", "store", "text")),
            Map.entry(
                    "backend",
                    Set.of("call", "catalog", "cluster", "concurrent", "config", "embed", "text", "upstream")),
            Map.entry("weaviate", Set.of("call", "concurrent", "replica", "store", "upstream")),
            Map.entry("upstream", Set.of("call", "config", "telemetry")),
            Map.entry("relay", Set.of("backend", "call", "concurrent", "dispatch")),
            Map.entry("store", Set.of("call", "concurrent", "embed", "files", "telemetry", "text")),
            Map.entry("convert", Set.of("call", "text")),
            Map.entry("fetch", Set.of("call", "concurrent", "text")),
            Map.entry("llm", Set.of("call", "config", "text", "upstream")),
            Map.entry("eval", Set.of("call", "embed", "store", "text")),
            Map.entry("backend.embedded", Set.of("backend", "call", "embed", "files", "replica", "store")),
            Map.entry(
                    "backend.*",
                    Set.of(
                            "backend",
                            "backend.embedded",
                            "call",
                            "catalog",
                            "cluster",
                            "concurrent",
                            "config",
                            "convert",
                            "database",
                            "embed",
                            "fetch",
                            "files",
                            "llm",
                            "replica",
                            "signal",
                            "store",
                            "telemetry",
                            "text",
                            "upstream",
                            "weaviate")));

    private static JavaClasses classes;

    @BeforeAll
    static void read() {
        classes = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("switchboard");
    }

    @Test
    void packagesUseWhatIsAllowedAndNothingElse() {
        Map<String, Set<String>> used = new TreeMap<>();
        Map<String, Set<String>> examples = new TreeMap<>();
        ARROWS.keySet().forEach(area -> used.put(area, new TreeSet<>()));
        for (JavaClass from : classes) {
            String source = pictured(area(from));
            if (source.equals("app") || source.isEmpty()) {
                continue;
            }
            from.getDirectDependenciesFromSelf().forEach(dependency -> {
                JavaClass to = dependency.getTargetClass().getBaseComponentType();
                String target = area(to);
                if (to.getPackageName().startsWith("switchboard")
                        && !target.equals(area(from))
                        && !target.equals("async")) {
                    used.computeIfAbsent(source, _ -> new TreeSet<>()).add(target);
                    examples.computeIfAbsent(source + " -> " + target, _ -> new TreeSet<>())
                            .add(from.getSimpleName() + " uses " + to.getSimpleName());
                }
            });
        }
        Map<String, Set<String>> allowed = new TreeMap<>();
        ARROWS.forEach((area, targets) -> allowed.put(area, new TreeSet<>(targets)));
        assertEquals(allowed, used, () -> "what uses what: " + examples);
    }

    /** The picture has no arrow that is not allowed, and a way along its arrows for each that is. */
    @Test
    void thePictureOfThePackagesHasTheseArrows() throws IOException {
        Map<String, Set<String>> drawn = drawnArrows();
        assertEquals(16, drawn.size(), drawn::toString);
        List<String> wrong = new ArrayList<>();
        ARROWS.forEach((from, allowed) -> {
            if (drawn.containsKey(from)) {
                drawn.get(from).stream()
                        .filter(to -> !allowed.contains(to))
                        .forEach(to -> wrong.add("not allowed: " + from + " -> " + to));
                Set<String> reached = reached(drawn, from);
                allowed.stream()
                        .filter(to -> drawn.containsKey(to) && !reached.contains(to))
                        .forEach(to -> wrong.add("not drawn: " + from + " -> " + to));
            }
        });
        assertEquals(List.of(), wrong);
    }

    /** The boxes of the picture, by the names that packages have here, and where their arrows lead. */
    private static Map<String, Set<String>> drawnArrows() throws IOException {
        String page = Files.readString(Path.of("docs/architecture.md"));
        String picture = page.substring(page.indexOf("flowchart TD"), page.indexOf("flowchart LR"));
        Map<String, Set<String>> drawn = new TreeMap<>();
        Pattern.compile("(?m)^ +(\\w+)\\[")
                .matcher(picture)
                .results()
                .forEach(box -> drawn.put(name(box.group(1)), new TreeSet<>()));
        Pattern.compile("(?m)^ +([\\w &]+) --> ([\\w &]+)$")
                .matcher(picture)
                .results()
                .forEach(arrows -> {
                    for (String from : arrows.group(1).split(" & ")) {
                        for (String to : arrows.group(2).split(" & ")) {
                            drawn.get(name(from)).add(name(to));
                        }
                    }
                });
        return drawn;
    }

    private static String name(String box) {
        return switch (box) {
            case "types" -> "backend.*";
            case "embedded" -> "backend.embedded";
            default -> box;
        };
    }

    private static Set<String> reached(Map<String, Set<String>> arrows, String from) {
        Set<String> reached = new TreeSet<>();
        Deque<String> next = new ArrayDeque<>(arrows.get(from));
        while (!next.isEmpty()) {
            String one = next.remove();
            if (reached.add(one)) {
                next.addAll(arrows.get(one));
            }
        }
        return reached;
    }

    /** All backend types are one box of the picture; what they share is another. */
    private static String pictured(String area) {
        return area.startsWith("backend.") && !area.equals("backend.embedded") ? "backend.*" : area;
    }

    /** A name that stands for several things is a riddle; a tool is called as its backend calls it, and so are its records. */
    @Test
    void noNameStandsForMoreThanTwoTypes() {
        Map<String, Set<String>> byName = new TreeMap<>();
        for (JavaClass type : classes) {
            if (!type.isAnonymousClass()
                    && !type.isAssignableTo(ToolHandler.class)
                    && !Set.of("Args", "Reply", "package-info").contains(type.getSimpleName())) {
                byName.computeIfAbsent(type.getSimpleName(), _ -> new TreeSet<>())
                        .add(type.getName());
            }
        }
        byName.values().removeIf(types -> types.size() <= 2);
        assertEquals(Map.of(), byName);
    }

    /** Who knows a tool's name on the wire finds its class, and in it the record of its arguments. */
    @Test
    void everyToolHasAClassOfItsName() throws IOException {
        Set<String> wanted = new TreeSet<>();
        try (Stream<Path> types = Files.list(Path.of("backends"))) {
            for (Path type : types.toList()) {
                for (JsonNode tool : Json.parse(Files.readAllBytes(type.resolve("tools.json")))
                        .path("tools")) {
                    wanted.add(toolClass(
                            type.getFileName().toString(), tool.path("name").asText()));
                }
            }
        }
        wanted.remove("switchboard.federation.CallToolTool"); // The protocol calls the tool that it names.
        Set<String> ofNoName = Set.of(
                "switchboard.backend.postgres.DeclaredQueryTool", // called as the configuration says
                "switchboard.backend.weaviate.CollectionNameSuggester"); // adds to the answers of any tool
        Set<String> handlers = new TreeSet<>();
        Set<String> withArguments = new TreeSet<>();
        for (JavaClass type : classes) {
            if (type.isAssignableTo(ToolHandler.class) && !type.isInterface() && !ofNoName.contains(type.getName())) {
                handlers.add(type.getName());
            } else if (type.getSimpleName().equals("Args") && type.isRecord()) {
                type.getEnclosingClass().ifPresent(tool -> withArguments.add(tool.getName()));
            }
        }
        assertEquals(wanted, handlers);
        assertEquals(wanted, withArguments);
    }

    /** {@code weaviate-objects-get} is {@code ObjectsGetTool} in the package of its backend. */
    private static String toolClass(String type, String tool) {
        String area = type.equals("switchboard") ? "switchboard.federation." : "switchboard.backend." + type + ".";
        return area
                + Pattern.compile("[-_]")
                        .splitAsStream(tool.replaceFirst("^" + type + "[-_]", ""))
                        .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
                        .collect(Collectors.joining("", "", "Tool"));
    }

    @Test
    void thereAreNoCycles() {
        slices().assignedFrom(new Areas()).should().beFreeOfCycles().check(classes);
    }

    @Test
    void modernProtocolDoesNotKnowLegacy() {
        noClasses()
                .that()
                .resideInAPackage("switchboard.protocol.modern..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("switchboard.protocol.legacy..", "switchboard.session..")
                .allowEmptyShould(true)
                .check(classes);
        noClasses()
                .that()
                .resideInAPackage("switchboard..")
                .and()
                .resideOutsideOfPackages(
                        "switchboard.protocol.legacy..",
                        "switchboard.session..",
                        "switchboard.cluster..",
                        "switchboard.app..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("switchboard.session..")
                .check(classes);
    }

    /** The order of the steps of a tool call is to be read in ToolsCall alone. */
    @Test
    void theStepsOfAToolCallDoNotCallEachOther() {
        Set<String> steps = Set.of(
                "FindTool",
                "ValidateArguments",
                "DecideAccess",
                "LeaseBudget",
                "InputRequiredFlow",
                "FitAnswer",
                "WriteAnswer");
        Map<String, Set<String>> used = new TreeMap<>();
        for (JavaClass from : classes) {
            String step = outermost(from);
            if (!steps.contains(step) && !step.equals("ToolsCall")) {
                continue;
            }
            from.getDirectDependenciesFromSelf().forEach(dependency -> {
                String target = outermost(dependency.getTargetClass().getBaseComponentType());
                if (!target.equals(step) && (steps.contains(target) || target.equals("ToolsCall"))) {
                    used.computeIfAbsent(step, _ -> new TreeSet<>()).add(target);
                }
            });
        }
        assertEquals(Map.of("ToolsCall", steps), used);
    }

    private static String outermost(JavaClass type) {
        return type.getName().replaceAll(".*\\.|\\$.*", "");
    }

    @Test
    void librariesStayWhereTheyBelong() {
        only("io.vertx.core.eventbus..", "switchboard.dispatch..", "switchboard.backend..", "switchboard.call..");
        onlyClasses(
                "io.vertx.ext.web.",
                List.of("io.vertx.ext.web.client.", "io.vertx.ext.web.codec."),
                "switchboard.http..");
        only("io.vertx.ext.auth..", "switchboard.auth..");
        only("org.apache.lucene..", "switchboard.store..");
        only("io.vertx.ext.web.client..", "switchboard.upstream..");
        only("io.vertx.ext.web.codec..", "switchboard.upstream..");
        only(
                "io.vertx.pgclient..",
                "switchboard.backend.postgres..",
                "switchboard.database..",
                "switchboard.cluster..");
        only("io.vertx.sqlclient..", "switchboard.backend.postgres..", "switchboard.cluster..");
        only("org.flywaydb..", "switchboard.cluster..");
        only("org.postgresql..", "switchboard.cluster..");
    }

    /** A verb is had on a resource: who may not name one is refused, and what belongs to none is listed here. */
    @Test
    void verbsAreAskedForOnResources() {
        Set<String> ofNoResource = Set.of(
                "switchboard.backend.postgres.ServerResources", "switchboard.backend.agentroot.QueryInterpreter");
        List<String> wrong = new ArrayList<>();
        for (JavaClass from : classes) {
            for (JavaMethodCall call : from.getMethodCallsFromSelf()) {
                String target = call.getTargetOwner().getSimpleName() + "." + call.getName();
                boolean decides = Set.of("switchboard.auth", "switchboard.call").contains(from.getPackageName());
                boolean whole = target.equals("Rights.byVerb") || target.equals("Caller.rights");
                String outer = from.getName().replaceFirst("\\$.*", "");
                if ((whole && !decides && !outer.equals("switchboard.app.ImportRun"))
                        || (target.equals("Caller.mayEverywhere") && !ofNoResource.contains(outer))) {
                    wrong.add(from.getName() + " calls " + target);
                }
            }
        }
        assertEquals(List.of(), wrong);
    }

    /** Work on Vert.x's own threads is nobody's to wait for: it would come back to closed event loops after a stop. */
    @Test
    void blockingWorkRunsOnExecutorsThatAreClosed() {
        Set<String> waitedFor = Set.of(
                "BlockingExecutor",
                "GuardedFetcher", // closes after its lookups
                "LuceneDocumentStore", // only while it is opened and closed
                "OnnxEmbedder", // only while it is closed
                "OnnxReranker", // the same
                "ManagementVerticle"); // one scrape, answered before its server closes
        Set<String> others = new TreeSet<>();
        for (JavaClass type : classes) {
            type.getMethodCallsFromSelf().stream()
                    .filter(call -> call.getTarget().getName().equals("executeBlocking"))
                    .map(call -> outermost(type))
                    .filter(name -> !waitedFor.contains(name))
                    .forEach(others::add);
        }
        assertEquals(Set.of(), others);
    }

    /** An executor, or another bound on what calls wait for, that does not know how much of it one team may have. */
    @Test
    void whatCallsWaitForIsSharedByTeams() {
        Map<String, Set<String>> allowed = Map.of(
                "switchboard.concurrent.BlockingExecutor.<init>",
                        Set.of("GatewayExecutors", "BackendServices", "StoreSettings", "OnnxEmbedder", "OnnxReranker"),
                "io.vertx.core.Vertx.createSharedWorkerExecutor",
                        Set.of("BlockingExecutor", "GuardedFetcher"), // behind a gate
                "java.util.concurrent.Semaphore.<init>", Set.of("LineQueue", "StdioConnection"), // of one caller
                "switchboard.concurrent.TeamShare.ALL",
                        Set.of("StoreSettings", "BackendServices", "DispatchLimits")); // where there is one user
        Set<String> others = new TreeSet<>();
        for (JavaClass type : classes) {
            String name = outermost(type);
            type.getAccessesFromSelf().forEach(access -> {
                String target = access.getTargetOwner().getName() + "."
                        + access.getTarget().getName();
                if (allowed.containsKey(target) && !allowed.get(target).contains(name) && !name.equals("TeamShare")) {
                    others.add(name + " uses " + target);
                }
            });
        }
        assertEquals(Set.of(), others);
    }

    /** What a listener throws completes nothing, and whoever waits for it waits in vain. */
    @Test
    void chainsOfFuturesEndWhereTheirFailuresAreTold() {
        assertEquals(List.of(), callsOutsideAsync("io.vertx.core.Future", Set.of("onSuccess")));
    }

    /** An answer that is given on by a future may have ended before its reader is set. */
    @Test
    void answersAreReadOnTheConnectionsOwnContext() {
        assertEquals(
                List.of(),
                callsOutsideAsync(
                        "io.vertx.core.http.HttpClientRequest",
                        Set.of("send", "response", "end", "connect", "exceptionHandler")),
                "requests are sent by HttpExchange");
        assertEquals(
                List.of(),
                callsOutsideAsync(
                        "io.vertx.core.http.HttpClientResponse",
                        Set.of("handler", "endHandler", "exceptionHandler", "body", "end", "bodyHandler", "pipeTo")),
                "answers are read by HttpExchange");
    }

    /** A client without a handler for the faults of its connections logs each as an error. */
    @Test
    void connectionsOfClientsAreMadeInOnePlace() {
        assertEquals(
                List.of(),
                callsOutsideAsync("io.vertx.core.Vertx", Set.of("createHttpClient", "httpClientBuilder")),
                "clients are made by HttpConnections");
    }

    /** With a time limit of the pool, closing the client can hang for ever; see HttpConnections.request. */
    @Test
    void timeLimitsForGettingAConnectionAreNotThePools() {
        assertEquals(
                List.of(),
                callsOutsideAsync("io.vertx.core.http.RequestOptions", Set.of("setTimeout", "setConnectTimeout")));
        assertEquals(
                List.of(),
                callsOutsideAsync("io.vertx.ext.web.client.HttpRequest", Set.of("timeout", "connectTimeout")));
    }

    private static List<String> callsOutsideAsync(String owner, Set<String> methods) {
        List<String> found = new ArrayList<>();
        for (JavaClass type : classes) {
            if (area(type).equals("async")) {
                continue;
            }
            type.getAccessesFromSelf().stream()
                    .filter(access -> access.getTargetOwner().isAssignableTo(owner)
                            && methods.contains(access.getTarget().getName()))
                    .forEach(access -> found.add(access.getDescription()));
        }
        return found.stream().sorted().toList();
    }

    @Test
    void everyPackageIsNullMarked() {
        List<String> unmarked = new ArrayList<>();
        for (JavaClass type : classes) {
            if (!type.getPackage().isAnnotatedWith("org.jspecify.annotations.NullMarked")) {
                unmarked.add(type.getPackageName());
            }
        }
        assertEquals(List.of(), unmarked.stream().distinct().sorted().toList());
    }

    private static void only(String library, String... users) {
        noClasses()
                .that()
                .resideOutsideOfPackages(users)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .allowEmptyShould(true)
                .check(classes);
    }

    private static void onlyClasses(String prefix, List<String> exceptPrefixes, String user) {
        List<String> wrong = new ArrayList<>();
        String userPrefix = user.replace("..", "");
        for (JavaClass from : classes) {
            if (from.getPackageName().startsWith(userPrefix)) {
                continue;
            }
            from.getDirectDependenciesFromSelf().forEach(dependency -> {
                String target = dependency.getTargetClass().getName();
                if (target.startsWith(prefix) && exceptPrefixes.stream().noneMatch(target::startsWith)) {
                    wrong.add(from.getName() + " uses " + target);
                }
            });
        }
        assertEquals(List.of(), wrong);
    }

    private static final class Areas implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            String area = area(type);
            return area.isEmpty() ? SliceIdentifier.ignore() : SliceIdentifier.of(area);
        }

        @Override
        public String getDescription() {
            return "areas";
        }
    }

    /** The second part of the package name; for a backend type also the third. */
    private static String area(JavaClass type) {
        String[] parts = type.getPackageName().split("\\.");
        if (parts.length < 2) {
            return "";
        }
        return parts[1].equals("backend") && parts.length > 2 ? "backend." + parts[2] : parts[1];
    }
}
