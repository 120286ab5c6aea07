package switchboard.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import switchboard.testing.FaultServer;

/** An engine that takes requests and never answers, and agents that go on calling its tools. */
final class HungBackend implements AutoCloseable {
    private static final int AGENTS = 32;
    private static final long PERIOD_MILLIS = 20;

    private final FaultServer engine = new FaultServer(FaultServer.silentAfter(""));

    /** Where the gateway looks for it. */
    URI url() {
        return engine.url();
    }

    /** Calls its tools through {@code gateway} until closed: 50 times a second while some of 32 agents are free. */
    AutoCloseable calledThrough(Contender gateway) {
        HttpClient http = HttpClient.newHttpClient();
        Question question = Question.call(
                "/mcp/weaviate",
                "weaviate-tenants-list",
                JsonNodeFactory.instance.objectNode().put("collection_name", "Article"),
                "");
        Target target = Era.modern(
                URI.create("http://127.0.0.1:" + gateway.server().port() + question.path()),
                gateway.credential(),
                question);
        Semaphore free = new Semaphore(AGENTS);
        ScheduledExecutorService pace = Executors.newSingleThreadScheduledExecutor();
        pace.scheduleAtFixedRate(
                () -> {
                    if (free.tryAcquire()) {
                        http.sendAsync(target.httpRequest(), HttpResponse.BodyHandlers.discarding())
                                .whenComplete((_, _) -> free.release());
                    }
                },
                0,
                PERIOD_MILLIS,
                TimeUnit.MILLISECONDS);
        return () -> {
            pace.shutdownNow();
            http.shutdownNow();
        };
    }

    @Override
    public void close() {
        engine.close();
    }
}
