package switchboard.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import ai.onnxruntime.OrtEnvironment;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.sqlite.JDBC;
import org.treesitter.TSParser;
import org.treesitter.TreeSitterC;
import org.treesitter.TreeSitterCpp;
import org.treesitter.TreeSitterGo;
import org.treesitter.TreeSitterJava;
import org.treesitter.TreeSitterJavascript;
import org.treesitter.TreeSitterPython;
import org.treesitter.TreeSitterRust;
import org.treesitter.TreeSitterTsx;
import org.treesitter.TreeSitterTypescript;

/**
 * Each library of native code has a file for each platform that is supported, in the jar that the archive has, but for
 * those listed here. {@code docs/releasing.md} says the same to readers.
 */
class NativeLibrariesTest {
    private static final List<String> PLATFORMS =
            List.of("linux-x64", "linux-arm64", "macos-x64", "macos-arm64", "windows-x64");

    /** What does not exist: by library, the platforms. {@code NativePlatform} knows what to do there. */
    private static final Map<String, Set<String>> MISSING =
            Map.of("onnxruntime", Set.of("macos-x64"), "tokenizers", Set.of("macos-x64"));

    private final Map<String, Set<String>> missing = new TreeMap<>();

    @Test
    void everyLibraryHasItsFilesButForTheKnownOnes() throws Exception {
        for (String library : List.of("onnxruntime", "onnxruntime4j_jni")) {
            check(
                    OrtEnvironment.class,
                    "onnxruntime",
                    platform -> "ai/onnxruntime/native/"
                            + named(platform, Map.of("macos", "osx", "windows", "win", "arm64", "aarch64")) + "/"
                            + file(platform, "lib", library));
        }
        check(
                HuggingFaceTokenizer.class,
                "tokenizers",
                platform -> "native/lib/"
                        + named(platform, Map.of("macos", "osx", "windows", "win", "x64", "x86_64", "arm64", "aarch64"))
                        + "/cpu/" + file(platform, "lib", "tokenizers"));
        check(
                JDBC.class,
                "sqlite",
                platform -> "org/sqlite/native/"
                        + named(
                                        platform,
                                        Map.of(
                                                "linux", "Linux", "macos", "Mac", "windows", "Windows", "x64", "x86_64",
                                                "arm64", "aarch64"))
                                .replace('-', '/')
                        + "/" + file(platform, "lib", "sqlitejdbc"));
        for (Class<?> parser : List.of(
                TSParser.class,
                TreeSitterC.class,
                TreeSitterCpp.class,
                TreeSitterGo.class,
                TreeSitterJava.class,
                TreeSitterJavascript.class,
                TreeSitterPython.class,
                TreeSitterRust.class,
                TreeSitterTsx.class,
                TreeSitterTypescript.class)) {
            String name = parser == TSParser.class
                    ? "tree-sitter"
                    : "tree-sitter-"
                            + parser.getSimpleName().replace("TreeSitter", "").toLowerCase(java.util.Locale.ROOT);
            check(parser, name, platform -> "lib/" + treeSitter(platform) + "-" + file(platform, "", name));
        }
        assertEquals(MISSING, missing);
    }

    private interface Place {
        String on(String platform);
    }

    private void check(Class<?> from, String library, Place place) throws IOException, URISyntaxException {
        Path jar =
                Path.of(from.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (JarFile files = new JarFile(jar.toFile())) {
            for (String platform : PLATFORMS) {
                if (files.getEntry(place.on(platform)) == null) {
                    missing.computeIfAbsent(library, _ -> new TreeSet<>()).add(platform);
                }
            }
        }
    }

    private static String named(String platform, Map<String, String> names) {
        String[] parts = platform.split("-");
        return names.getOrDefault(parts[0], parts[0]) + "-" + names.getOrDefault(parts[1], parts[1]);
    }

    private static String treeSitter(String platform) {
        String[] parts = platform.split("-");
        String arch = parts[1].equals("x64") ? "x86_64" : "aarch64";
        return arch + "-" + (parts[0].equals("linux") ? "linux-gnu" : parts[0]);
    }

    private static String file(String platform, String prefix, String name) {
        if (platform.startsWith("windows")) {
            return name + ".dll";
        }
        return prefix + name + (platform.startsWith("macos") ? ".dylib" : ".so");
    }

    @Test
    void pagesNameWhatIsMissing() throws IOException {
        String page = java.nio.file.Files.readString(Path.of("docs", "releasing.md"));
        assertTrue(page.contains("| ONNX Runtime | the embedding model in the process | macOS x86-64 |"));
        assertTrue(page.contains("| tokenizer (DJL, Hugging Face) | the same model | macOS x86-64 |"));
        assertTrue(page.contains("| tree-sitter | cutting source code along its syntax | |"));
        assertTrue(page.contains("| SQLite | collections of the provider `sql` | |"));
    }
}
