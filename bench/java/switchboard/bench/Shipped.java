package switchboard.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import switchboard.testing.Programs;

/** The gateway as it is packaged, with the configuration and the flags that are shipped. */
final class Shipped implements Contender {
    private final Server server;

    private Shipped(Server server) {
        this.server = server;
    }

    /** Its launcher. */
    static Path program() {
        return Path.of(System.getProperty("switchboard.home"), "target", "switchboard", "switchboard");
    }

    /** Its configuration. */
    static Path configuration() {
        return Path.of(System.getProperty("switchboard.home"), "conf", "switchboard.yaml");
    }

    /** Makes its cache of loaded classes, which its image has, unless it is there. */
    static void makeCache() throws IOException, InterruptedException {
        if (Files.notExists(program().resolveSibling("switchboard.aot"))) {
            Tools.run(program().getParent(), program().toString(), "--aot-cache");
        }
    }

    /** Starts one whose data are in {@code data}; does not wait for it. */
    static Shipped launch(Path data) throws IOException {
        return launch(data, configuration());
    }

    /** The same with another configuration. */
    static Shipped launch(Path data, Path configuration) throws IOException {
        int port = Programs.freePort();
        List<String> command = List.of(
                program().toString(),
                "serve",
                "--config=" + configuration,
                "--data=" + data,
                "--port=" + port,
                "--management-port=0");
        return new Shipped(Server.launch("switchboard", command, port, data.resolve("log")));
    }

    /** The same, and returns when connections are taken. */
    static Shipped start(Path data) throws IOException, InterruptedException {
        return launch(data).ready();
    }

    /** This one, when connections are taken. */
    Shipped ready() throws IOException, InterruptedException {
        server.awaitPort();
        return this;
    }

    /** A request of the modern era. */
    Target target(Question question) {
        URI url = URI.create("http://127.0.0.1:" + server.port() + question.path());
        return Era.modern(url, Map.of(), question);
    }

    /** Everything that its default view lists. */
    Target list() {
        return target(Question.list("/mcp", "\"inputSchema\""));
    }

    /** A hybrid search of the embedded store. */
    Target search(String query) {
        ObjectNode arguments =
                JsonNodeFactory.instance.objectNode().put("query", query).put("top_k", 10);
        return target(Question.call("/mcp/vectordb", "search", arguments, "\"hybrid\""));
    }

    /** Puts a text into the embedded store. */
    Target ingest(String source, String text) {
        ObjectNode arguments =
                JsonNodeFactory.instance.objectNode().put("source", source).put("content", text);
        return target(Question.call("/mcp", "ingest_text", arguments, "\"chunk_count\":1"));
    }

    /** A call that touches neither network nor disk. */
    Target call() throws IOException, InterruptedException {
        ObjectNode arguments = JsonNodeFactory.instance
                .objectNode()
                .put("session_id", Ours.session(server.port(), Map.of()))
                .put("key", "topic")
                .put("value", "hello");
        return target(Question.call("/mcp", "session_set", arguments, "hello"));
    }

    @Override
    public String name() {
        return "switchboard";
    }

    @Override
    public Server server() {
        return server;
    }

    @Override
    public boolean modern() {
        return true;
    }

    @Override
    public Optional<Question> question(Work work) {
        return Optional.empty();
    }
}
