package switchboard.testing.chaos;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import switchboard.call.Json;
import switchboard.testing.GatewayProcess;
import switchboard.testing.Programs;
import switchboard.testing.ToolResult;

/**
 * Restarts of a gateway in the midst of writes and reads by clients of both eras ({@link PatientClient}). The process must
 * end with 0, no call may fail, and everything acknowledged must be there as it was written last.
 */
public final class RestartRounds {
    private static final int WRITERS = 6;
    private static final int SOURCES_EACH = 5;
    private static final Duration BETWEEN = Duration.ofSeconds(2);

    private final Path folder;
    private final PrintStream out;
    private final PatientClient.Patience patience = new PatientClient.Patience();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean over;

    /** Restarts with files in {@code folder}; what happened is printed to {@code out}. */
    public RestartRounds(Path folder, PrintStream out) {
        this.folder = folder;
        this.out = out;
    }

    /** Restarts {@code rounds} times; fails at the first call that failed or was forgotten. */
    public void run(int rounds) throws IOException {
        Path config = Files.writeString(folder.resolve("switchboard.yaml"), """
            embedders: {default: {provider: none}}
            audit: {to: none}
            backends: {vectordb: {type: vectordb}}
            """);
        GatewayProcess.Launch launch =
                new GatewayProcess.Launch(config, folder.resolve("data"), "512m", Programs.freePort());
        GatewayProcess gateway = GatewayProcess.start(launch);
        List<Thread> writers = writers(gateway.url());
        try {
            for (int round = 1; round <= rounds; round++) {
                LockSupport.parkNanos(BETWEEN.toNanos());
                gateway.terminate();
                int code = gateway.exitCode();
                if (code != 0) {
                    throw new AssertionError("ended with " + code + ": " + gateway.log());
                }
                gateway = GatewayProcess.start(launch);
                LockSupport.parkNanos(BETWEEN.toNanos());
                if (!failures.isEmpty()) {
                    throw new AssertionError("in round " + round, failures.peek());
                }
            }
            over = true;
            for (Thread writer : writers) {
                join(writer);
            }
        } finally {
            over = true;
            gateway.close();
        }
        if (!failures.isEmpty()) {
            throw new AssertionError("at the end", failures.peek());
        }
        out.println(rounds + " restarts: " + patience);
    }

    private List<Thread> writers(URI url) {
        List<Thread> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            Writer writer = new Writer("w" + i, new PatientClient(url, i % 2 == 0, patience));
            writers.add(Thread.ofVirtual().start(writer));
        }
        return writers;
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Replaces documents of its own, and reads them back in another order. */
    private final class Writer implements Runnable {
        private final String name;
        private final PatientClient client;
        private final Map<String, Written> books = new HashMap<>();

        private record Written(String id, String text) {}

        Writer(String name, PatientClient client) {
            this.name = name;
            this.client = client;
        }

        @Override
        public void run() {
            try (client) {
                for (int turn = 0; !over; turn++) {
                    write(name + "-" + turn % SOURCES_EACH, turn);
                    check(name + "-" + turn * 2 % SOURCES_EACH);
                }
                books.keySet().forEach(this::check);
            } catch (AssertionError | RuntimeException e) {
                failures.add(e);
            }
        }

        private void write(String source, int turn) {
            String text =
                    "Entry " + turn + " of " + source + ". " + "It was written before the next. ".repeat(turn % 50);
            ObjectNode arguments = Json.object().put("content", text).put("source", source);
            String id = client.call("ingest_text", arguments)
                    .structured()
                    .path("doc_id")
                    .asText();
            books.put(source, new Written(id, text));
        }

        private void check(String source) {
            Written written = books.get(source);
            if (written == null) {
                return;
            }
            ToolResult found = client.call("get_document", Json.object().put("doc_id", written.id()));
            if (!found.structured().path("content").asText().equals(written.text())) {
                throw new AssertionError(source + " is " + found + " instead of " + written);
            }
        }
    }
}
