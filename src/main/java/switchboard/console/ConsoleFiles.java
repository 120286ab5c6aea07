package switchboard.console;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.codec.digest.DigestUtils;
import switchboard.concurrent.BlockingExecutor;

/**
 * The files of the console's pages: our own, and those of libraries. Each is read once and kept. Thread-safe.
 */
public final class ConsoleFiles {
    private static final String PAGE = "index.html";
    private static final String OWN = "switchboard/console/";

    private static final int LONGEST_NAME = 120;

    /** A part of a name: nothing that could leave the folder. */
    private static final Predicate<String> PART = Pattern.compile("[a-z0-9-]+").asMatchPredicate();

    private static final Predicate<String> FILE =
            Pattern.compile("[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)?").asMatchPredicate();

    private static final Pattern IMPORT_MAP =
            Pattern.compile("<script type=\"importmap\">(.*?)</script>", Pattern.DOTALL);

    /** The libraries that pages may load. */
    private static final Map<String, Library> LIBRARIES = Map.of(
            "lit", new Library("org.mvnpm", "_static/lit", ""),
            "lit-html", new Library("org.mvnpm", "_static/lit-html", ""),
            "lit-element", new Library("org.mvnpm", "_static/lit-element", ""),
            "reactive-element", new Library("org.mvnpm.at.lit", "_static/reactive-element", ""),
            "uplot", new Library("org.webjars.npm", "webjars/uplot", "dist/"));

    /**
     * A library among the resources.
     *
     * @param group its Maven group
     * @param folder where its versions are
     * @param below where its files are in a version: a folder, or empty
     */
    private record Library(String group, String folder, String below) {}

    private static final Map<String, String> TYPES = Map.of(
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml",
            "html", "text/html; charset=utf-8");

    private static final ClassLoader RESOURCES = ConsoleFiles.class.getClassLoader();
    private static final int TAG_CHARS = 32;

    private final BlockingExecutor executor;
    private final Map<String, StaticFile> read = new ConcurrentHashMap<>();

    /**
     * A file as it is sent.
     *
     * @param type its media type
     * @param tag its entity tag, without quotes
     * @param gzipped the same, compressed
     * @param importMapHash the Base64 of the SHA-256 of its import map, for the Content-Security-Policy: it has to be inline
     *     (HTML Standard, section 8.1.6); empty if it has none
     */
    public record StaticFile(String type, String tag, Buffer bytes, Buffer gzipped, Optional<String> importMapHash) {}

    /** Files that {@code executor} reads. */
    public ConsoleFiles(BlockingExecutor executor) {
        this.executor = executor;
    }

    /** The page. It is the same at each address; what it shows follows from the address. */
    public Future<Optional<StaticFile>> page() {
        return find(PAGE, () -> OWN + PAGE);
    }

    /** The file {@code name} that the page loads; empty if there is none. */
    public Future<Optional<StaticFile>> find(String name) {
        List<String> parts = List.of(name.split("/", -1));
        if (name.length() > LONGEST_NAME || !plain(parts)) {
            return Future.succeededFuture(Optional.empty());
        }
        return find(
                "static/" + name,
                () -> parts.size() > 2 && parts.getFirst().equals("lib")
                        ? place(parts.get(1), String.join("/", parts.subList(2, parts.size())))
                        : OWN + "static/" + name);
    }

    private static boolean plain(List<String> parts) {
        String file = parts.getLast();
        int dot = file.lastIndexOf('.');
        return dot > 0
                && TYPES.containsKey(file.substring(dot + 1))
                && FILE.test(file.substring(0, dot))
                && parts.subList(0, parts.size() - 1).stream().allMatch(PART);
    }

    private Future<Optional<StaticFile>> find(String name, Supplier<String> place) {
        StaticFile known = read.get(name);
        if (known != null) {
            return Future.succeededFuture(Optional.of(known));
        }
        return executor.run(() -> load(name, place.get()));
    }

    private Optional<StaticFile> load(String name, String place) {
        try (InputStream in = RESOURCES.getResourceAsStream(place)) {
            if (in == null) {
                return Optional.empty();
            }
            byte[] bytes = in.readAllBytes();
            StaticFile found = new StaticFile(
                    TYPES.getOrDefault(place.substring(place.lastIndexOf('.') + 1), "text/plain"),
                    DigestUtils.sha256Hex(bytes).substring(0, TAG_CHARS),
                    Buffer.buffer(bytes),
                    Buffer.buffer(gzipped(bytes)),
                    importMapHash(new String(bytes, StandardCharsets.UTF_8)));
            read.put(name, found);
            return Optional.of(found);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<String> importMapHash(String text) {
        Matcher map = IMPORT_MAP.matcher(text);
        return map.find()
                ? Optional.of(Base64.getEncoder()
                        .encodeToString(DigestUtils.sha256(map.group(1).getBytes(StandardCharsets.UTF_8))))
                : Optional.empty();
    }

    private static byte[] gzipped(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }

    /** Where a file of a library is among the resources; a place without a file if the library is none of ours. */
    private static String place(String library, String file) {
        Library known = LIBRARIES.getOrDefault(library, new Library("none", "none", ""));
        return "META-INF/resources/" + known.folder() + "/" + version(known.group(), library) + "/" + known.below()
                + file;
    }

    private static String version(String group, String library) {
        Properties facts = new Properties();
        try (InputStream in =
                RESOURCES.getResourceAsStream("META-INF/maven/" + group + "/" + library + "/pom.properties")) {
            if (in != null) {
                facts.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return facts.getProperty("version", "");
    }
}
