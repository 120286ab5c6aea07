package switchboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Sizes of files, methods, constructors and records. */
class SizesTest {
    private static final Path SOURCES = Path.of("src/main/java");
    private static final int MAX_FILE_LINES = 400;
    private static final int MAX_METHOD_LINES = 40;
    private static final int MAX_PARAMETERS = 8;
    private static final int MAX_COMPONENTS = 8;

    private static final String SECTION = "a section of the configuration file: each component is a key of it";
    private static final String ARGUMENTS = "the arguments of a tool: each component is one of them";
    private static final String FOUND = "what a search found: each component is told by the store or the engine";
    private static final String ANSWER = "JSON of a tool's answer: each component is a field of it";

    /** The records with more components than usual, and why. */
    private static final Map<String, String> LARGE_RECORDS = Map.ofEntries(
            Map.entry("switchboard.config.GatewayConfig", SECTION),
            Map.entry("switchboard.config.EmbedderConfig", SECTION),
            Map.entry("switchboard.config.IssuerConfig", SECTION),
            Map.entry("switchboard.config.LimitsConfig", SECTION),
            Map.entry("switchboard.config.ServerConfig", SECTION),
            Map.entry("switchboard.config.ViewConfig", SECTION),
            Map.entry("switchboard.backend.agentroot.AgentrootSettings", SECTION),
            Map.entry("switchboard.backend.mcp.McpSettings", SECTION),
            Map.entry("switchboard.backend.postgres.PostgresSettings.Parameter", SECTION),
            Map.entry("switchboard.upstream.OAuthSettings", SECTION),
            Map.entry("switchboard.backend.vectordb.VectordbSettings", SECTION),
            Map.entry("switchboard.backend.agentroot.QueryTool.Args", ARGUMENTS),
            Map.entry("switchboard.backend.agentroot.SearchTool.Args", ARGUMENTS),
            Map.entry("switchboard.backend.agentroot.VsearchTool.Args", ARGUMENTS),
            Map.entry("switchboard.backend.meilisearch.SearchTool.Args", ARGUMENTS),
            Map.entry("switchboard.backend.opensearch.SearchTool.Args", ARGUMENTS),
            Map.entry("switchboard.backend.postgres.SemanticSearchTool.Args", ARGUMENTS),
            Map.entry("switchboard.backend.weaviate.ObjectsGetTool.Args", ARGUMENTS),
            Map.entry("switchboard.federation.SearchEverywhereTool.Args", ARGUMENTS),
            Map.entry("switchboard.backend.weaviate.QueryHybridTool.Args", ARGUMENTS),
            Map.entry("switchboard.federation.WatchSearchTool.Args", ARGUMENTS),
            Map.entry("switchboard.backend.vectordb.GetDocumentTool.Reply", ANSWER),
            Map.entry("switchboard.backend.vectordb.ListDocumentsTool.DocumentItem", ANSWER),
            Map.entry("switchboard.backend.vectordb.SearchTool.HitItem", ANSWER),
            Map.entry("switchboard.federation.CitationVerdict", ANSWER),
            Map.entry("switchboard.federation.FetchDocumentTool.Reply", ANSWER),
            Map.entry("switchboard.federation.ListSourcesTool.SourceItem", ANSWER),
            Map.entry("switchboard.federation.SearchEverywhereReply.Hit", ANSWER),
            Map.entry("switchboard.federation.ShownWatch", ANSWER),
            Map.entry("switchboard.call.Passage", FOUND),
            Map.entry("switchboard.store.SearchResult", FOUND),
            Map.entry(
                    "switchboard.backend.postgres.TableInfo",
                    "JSON of the query of PostgreSQL's catalogue: each component is a field of it"),
            Map.entry(
                    "switchboard.backend.BackendServices",
                    "what backends need of the gateway: each component is a type of its own"),
            Map.entry("switchboard.dispatch.CallOptions", "each option is left as it is by those who change another"),
            Map.entry(
                    "switchboard.protocol.ProtocolServices",
                    "what the protocol needs of the gateway: each component is a type of its own"));

    /** Classes, records and methods of all files. */
    private static final List<Declared> DECLARED = new ArrayList<>();

    /** A method, a constructor or a record: its lines of source, and its parameters or components. */
    private record Declared(Kind kind, String name, long lines, long parts) {}

    private enum Kind {
        METHOD,
        CONSTRUCTOR,
        RECORD
    }

    @BeforeAll
    static void parse() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
                Stream<Path> paths = Files.walk(SOURCES)) {
            List<Path> sources =
                    paths.filter(path -> path.toString().endsWith(".java")).toList();
            JavacTask task = (JavacTask)
                    compiler.getTask(null, files, null, null, null, files.getJavaFileObjectsFromPaths(sources));
            Trees trees = Trees.instance(task);
            for (CompilationUnitTree file : task.parse()) {
                new Declarations(trees.getSourcePositions(), file).scan(file, null);
            }
        }
    }

    @Test
    void filesAreShort() throws IOException {
        List<String> over = new ArrayList<>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                long lines = Files.readAllLines(file).size();
                if (lines > MAX_FILE_LINES) {
                    over.add(SOURCES.relativize(file) + " has " + lines + " lines");
                }
            }
        }
        assertEquals(List.of(), over);
    }

    @Test
    void methodsAreShort() {
        assertTrue(DECLARED.size() > 1_000, () -> "only " + DECLARED.size() + " declarations were found");
        assertEquals(
                List.of(),
                DECLARED.stream()
                        .filter(declared -> declared.kind() != Kind.RECORD && declared.lines() > MAX_METHOD_LINES)
                        .map(declared -> declared.name() + " has " + declared.lines() + " lines")
                        .toList());
    }

    @Test
    void constructorsHaveFewParameters() {
        assertEquals(
                List.of(),
                DECLARED.stream()
                        .filter(declared -> declared.kind() == Kind.CONSTRUCTOR && declared.parts() > MAX_PARAMETERS)
                        .map(declared -> declared.name() + " has " + declared.parts() + " parameters")
                        .toList());
    }

    @Test
    void recordsWithManyComponentsAreListedWithTheReason() {
        Map<String, Long> large = new TreeMap<>();
        DECLARED.stream()
                .filter(declared -> declared.kind() == Kind.RECORD && declared.parts() > MAX_COMPONENTS)
                .forEach(declared -> large.put(declared.name(), declared.parts()));
        assertEquals(new TreeMap<>(LARGE_RECORDS).keySet(), large.keySet(), large::toString);
    }

    /** Collects the declarations of a file. */
    private static final class Declarations extends TreePathScanner<Void, String> {
        private final SourcePositions positions;
        private final CompilationUnitTree file;

        Declarations(SourcePositions positions, CompilationUnitTree file) {
            this.positions = positions;
            this.file = file;
        }

        @Override
        public Void visitClass(ClassTree type, String outer) {
            String name = (outer == null ? file.getPackageName() : outer) + "." + type.getSimpleName();
            if (type.getKind() == Tree.Kind.RECORD) {
                long components = type.getMembers().stream()
                        .filter(member -> member instanceof VariableTree field
                                && !field.getModifiers().getFlags().contains(Modifier.STATIC))
                        .count();
                DECLARED.add(new Declared(Kind.RECORD, name, lines(type), components));
            }
            return super.visitClass(type, name);
        }

        @Override
        public Void visitMethod(MethodTree method, String type) {
            boolean constructor = method.getReturnType() == null
                    && getCurrentPath().getParentPath().getLeaf().getKind() == Tree.Kind.CLASS;
            DECLARED.add(new Declared(
                    constructor ? Kind.CONSTRUCTOR : Kind.METHOD,
                    type + "." + method.getName(),
                    lines(method),
                    method.getParameters().size()));
            return super.visitMethod(method, type);
        }

        private long lines(Tree tree) {
            long start = positions.getStartPosition(file, tree);
            long end = positions.getEndPosition(file, tree);
            return file.getLineMap().getLineNumber(end) - file.getLineMap().getLineNumber(start) + 1;
        }
    }
}
