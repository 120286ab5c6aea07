package switchboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benchmarks in {@code bench/} are run by hand, against the product and the tests as they are now. */
@Tag("engines")
class BenchmarksTest {
    @TempDir
    Path classes;

    @Test
    void theyCompile() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(said, null, StandardCharsets.UTF_8);
                Stream<Path> found = Files.walk(Path.of("bench", "java"))) {
            List<Path> sources =
                    found.filter(file -> file.toString().endsWith(".java")).toList();
            assertTrue(sources.size() > 10, sources::toString);
            List<String> options = List.of(
                    "-nowarn", "-proc:full", "-cp", System.getProperty("java.class.path"), "-d", classes.toString());
            compiler.getTask(null, files, said, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
        }
        List<String> errors = said.getDiagnostics().stream()
                .filter(one -> one.getKind() == Diagnostic.Kind.ERROR)
                .map(Object::toString)
                .toList();
        assertEquals(List.of(), errors);
        assertTrue(Files.exists(classes.resolve("META-INF/BenchmarkList")), "JMH has its list");
    }
}
