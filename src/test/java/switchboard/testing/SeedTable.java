package switchboard.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.StreamSupport;
import switchboard.call.Json;

/**
 * The examples of the five servers' own documentation, each with its result here: one table, {@code
 * seeds/examples.json}, from which the tests run and {@code docs/migrating/examples.md} is written.
 */
public final class SeedTable {
    private static final String FILE = "/seeds/examples.json";

    /** What a request is written as. */
    public enum Kind {
        /** A tool's name and arguments. */
        TOOL,
        /** The arguments of the tool that the row names. */
        ARGUMENTS,
        /** A JSON-RPC message. */
        RPC,
        /** A curl command. */
        CURL,
        /** A line for a shell. */
        SHELL,
        /** A Python program. */
        PYTHON,
        /** Nothing that can be run. */
        NOTE
    }

    /**
     * An example.
     *
     * @param row the row of the table
     */
    public record Example(JsonNode row) {
        /** Its server and number; unique. */
        public String id() {
            return row.path("id").asText();
        }

        /** The section of the server's documentation. */
        public String section() {
            return row.path("section").asText();
        }

        /** What the request is. */
        public Kind kind() {
            return Kind.valueOf(row.path("kind").asText().toUpperCase(java.util.Locale.ROOT));
        }

        /** The request as printed: a tree, or a text. */
        public JsonNode request() {
            return row.path("request");
        }

        /** The tool, where the request is its arguments only. */
        public String tool() {
            return row.path("tool").asText();
        }

        /** What holds of the answer, for people. */
        public String states() {
            return row.path("states").asText();
        }

        /** What holds of the answer, as a {@link JsonPattern}; a missing node for anything. */
        public JsonNode expect() {
            return row.path("expect");
        }

        /** The HTTP status, where the request is one. */
        public int status() {
            return row.path("status").asInt(200);
        }

        /** Names for what later rows need of the answer, and where it is in it. */
        public JsonNode capture() {
            return row.path("capture");
        }

        /** Which gateway it is for, where there are several. */
        public String gateway() {
            return row.path("gateway").asText();
        }

        /** What the documentation says that is wrong, and what is right; empty when it is right. */
        public String wrong() {
            return row.path("wrong").asText();
        }

        /** Whether it only prepares others and is no example. */
        public boolean hidden() {
            return row.path("hidden").asBoolean();
        }

        private int order() {
            return row.path("order").asInt();
        }

        @Override
        public String toString() {
            return id() + " " + section();
        }
    }

    private final JsonNode table;

    private SeedTable(JsonNode table) {
        this.table = table;
    }

    /** The table. */
    public static SeedTable read() {
        try (InputStream file = Objects.requireNonNull(SeedTable.class.getResourceAsStream(FILE), FILE)) {
            return new SeedTable(Json.parse(file.readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The examples of one server, as its documentation has them. */
    public List<Example> of(String server) {
        JsonNode rows = table.path(server);
        if (rows instanceof MissingNode) {
            throw new IllegalArgumentException(server);
        }
        return StreamSupport.stream(rows.spliterator(), false).map(Example::new).toList();
    }

    /** The same in the order in which they build on each other. */
    public List<Example> inOrder(String server) {
        return of(server).stream()
                .sorted(Comparator.comparingInt(Example::order))
                .toList();
    }
}
