package switchboard.backend.meilisearch;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Caller;
import switchboard.call.ResourceScope;
import switchboard.config.Secret;
import switchboard.embed.Embedder;
import switchboard.testing.BackendHarness;
import switchboard.upstream.UpstreamSettings;

/** The backend in front of the stub, or of a real engine; both must answer the same. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
abstract class MeilisearchFixture {
    static final String MASTER = "test-master-key";
    static final String SEARCH = "test-search-key";

    @TempDir
    Path folder;

    private final List<BackendHarness> started = new ArrayList<>();
    private EngineFixture opened;

    @BeforeAll
    void open() {
        opened = EngineFixture.open();
    }

    @AfterAll
    void close() {
        opened.close();
    }

    @AfterEach
    void nothingElseHappened() {
        started.forEach(BackendHarness::close);
        started.clear();
        opened.verify();
    }

    EngineFixture engine() {
        return opened;
    }

    String uid(String name) {
        return opened.uid(name);
    }

    /** The tools with the key that the recordings call {@code key}. */
    BackendHarness tools(String key) {
        return tools(key, null, null);
    }

    BackendHarness tools(String key, @Nullable String keyUid, @Nullable Embedder embedder) {
        MeilisearchSettings settings = new MeilisearchSettings(
                opened.url(),
                Secret.of(opened.key(key)),
                keyUid,
                Duration.ofMinutes(5),
                embedder == null ? null : "own",
                UpstreamSettings.defaults());
        BackendHarness harness =
                BackendHarness.start(new MeilisearchModule(_ -> Optional.ofNullable(embedder)), settings, folder);
        started.add(harness);
        return harness;
    }

    static Caller bound(Caller caller, Map<String, String> bindings) {
        return new Caller(caller.team(), caller.principal(), caller.rights(), caller.scope(), bindings);
    }

    static Caller scoped(Caller caller, String... globs) {
        return new Caller(
                caller.team(),
                caller.principal(),
                caller.rights(),
                ResourceScope.anyOf(List.of(globs)),
                caller.bindings());
    }
}
