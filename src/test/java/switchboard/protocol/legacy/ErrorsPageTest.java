package switchboard.protocol.legacy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import switchboard.auth.AuthFailure;
import switchboard.protocol.ResponseFormat;
import switchboard.protocol.RpcError;

/** docs/errors.md has each pair of a code and an HTTP status that the code can give, and no other. */
class ErrorsPageTest {
    private static final Path SOURCES = Path.of("src/main/java/switchboard");

    /** Errors that only 2026-07-28 has. */
    private static final Set<RpcError> MODERN = Set.of(
            RpcError.NOT_ACCEPTABLE, RpcError.INVALID_ENVELOPE, RpcError.HEADER_MISMATCH, RpcError.UNSUPPORTED_VERSION);

    /** Errors of messages that reach no method, for which all versions have the same status. */
    private static final Set<RpcError> OF_MESSAGES = Set.of(RpcError.PARSE, RpcError.INVALID_REQUEST);

    /** The other one of the two ports has pages of its own. */
    private static final Set<String> MANAGEMENT =
            Set.of("ManagementVerticle.java", "OperatorRoute.java", "BackendRoute.java", "LoggerRoute.java");

    private static final Pattern STATUS =
            Pattern.compile("(?:HttpError|LegacyHttpException|super|this)\\(\\s*([45]\\d\\d),");

    @Test
    void everyCodeHasTheStatusesThatItIsSentWith() throws IOException {
        Map<Integer, Set<Integer>> sent = new TreeMap<>();
        ResponseFormat legacy = new LegacyResponseFormat();
        for (RpcError error : RpcError.values()) {
            sent.computeIfAbsent(error.code(), _ -> new TreeSet<>()).add(error.status());
            if (!MODERN.contains(error) && !OF_MESSAGES.contains(error)) {
                sent.computeIfAbsent(legacy.code(error), _ -> new TreeSet<>()).add(legacy.status(error));
            }
        }
        sent.get(RpcError.INVALID_REQUEST.code()).add(429); // MessageDecoder
        Map<Integer, Set<Integer>> written = new TreeMap<>();
        Pattern.compile("(?m)^\\| (-32\\d{3}) \\|.*\\|([^|]+)\\|$")
                .matcher(page())
                .results()
                .forEach(row -> written.computeIfAbsent(Integer.valueOf(row.group(1)), _ -> new TreeSet<>())
                        .addAll(statuses(row.group(2))));
        assertEquals(sent, written);
    }

    @Test
    void everyStatusBeforeTheMethodIsThere() throws IOException {
        Set<Integer> sent = new TreeSet<>();
        for (AuthFailure failure : AuthFailure.values()) {
            sent.add(failure.status());
        }
        for (String area : List.of("http", "protocol")) {
            try (Stream<Path> files = Files.walk(SOURCES.resolve(area))) {
                for (Path file : files.filter(file -> file.toString().endsWith(".java")
                                && !MANAGEMENT.contains(file.getFileName().toString()))
                        .toList()) {
                    STATUS.matcher(Files.readString(file))
                            .results()
                            .forEach(status -> sent.add(Integer.valueOf(status.group(1))));
                }
            }
        }
        Set<Integer> written = new TreeSet<>();
        Pattern.compile("(?m)^\\| (\\d{3}) \\|")
                .matcher(page())
                .results()
                .forEach(row -> written.add(Integer.valueOf(row.group(1))));
        assertEquals(sent, written);
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("docs/errors.md"));
    }

    private static Set<Integer> statuses(String cell) {
        Set<Integer> all = new TreeSet<>();
        Pattern.compile("\\b[245]\\d\\d\\b")
                .matcher(cell)
                .results()
                .forEach(one -> all.add(Integer.valueOf(one.group())));
        return all;
    }
}
