package switchboard.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.replica.ReplicaNode.await;
import static switchboard.replica.ReplicatedStoreTest.document;
import static switchboard.replica.ReplicatedStoreTest.words;

import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.store.AllowedReaders;
import switchboard.store.DocumentDescription;
import switchboard.store.Filter;
import switchboard.store.Hit;
import switchboard.store.ListRequest;
import switchboard.store.Namespace;
import switchboard.store.NamespaceStats;
import switchboard.store.StoredDocument;
import switchboard.testing.LongRun;
import switchboard.testing.PostgresCluster;

/** Random changes by three writers against a model: each reader sees what was acknowledged, and nothing else. */
abstract class ReplicatedModel {
    private static final List<Namespace> LIBRARIES = List.of(Namespace.of("one"), new Namespace("ann", "one"));
    private static final int SOURCES = 6;

    /** How often a step is tried that is refused with the advice to try again. */
    private static final int TRIES = 20;

    /** Such a refusal: the step has changed nothing. */
    private static final Pattern AGAIN = Pattern.compile("Try again(?: in a moment)?\\.$");

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private Path folder;

    private final List<ReplicaNode> nodes = new ArrayList<>();
    private String schema = "";
    private final Map<Namespace, Map<String, Expected>> model = new HashMap<>();

    /** What is expected of a document. */
    private record Expected(String id, String title, String word) {}

    /** A node with its files in {@code folder}. */
    abstract ReplicaNode node(PostgresCluster database, String name, Path files);

    /** How many of the usual steps are made. */
    abstract double share();

    @BeforeEach
    void start(TestInfo test) {
        schema = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
        schema = schema.substring(0, Math.min(40, schema.length()));
        for (int number = 0; number < 3; number++) {
            nodes.add(node(postgres, schema, folder.resolve("n" + number)));
        }
        nodes.forEach(ReplicaNode::joined);
    }

    @AfterEach
    void stop() {
        nodes.forEach(ReplicaNode::close);
    }

    @Test
    void everyReaderSeesWhatWasAcknowledged() {
        long seed = Long.getLong("switchboard.seed", LongRun.either(42L, System.nanoTime()));
        Random random = new Random(seed);
        int steps = (int) (share() * LongRun.times(120, 5_000));
        for (int step = 0; step < steps; step++) {
            ReplicaNode writer = nodes.get(random.nextInt(3));
            Namespace library = LIBRARIES.get(random.nextInt(LIBRARIES.size()));
            String source = "s" + random.nextInt(SOURCES);
            change(random.nextInt(100), writer, library, source, "word" + step);
            if (random.nextInt(40) == 0) {
                nodes.get(random.nextInt(3)).restart(() -> {});
            }
            ReplicaNode reader = nodes.get(random.nextInt(3));
            String told = "-Dswitchboard.seed=" + seed + ", step " + step;
            LIBRARIES.forEach(one -> assertEquals(expected(one), actual(reader, one), told));
        }
    }

    private void change(int what, ReplicaNode writer, Namespace library, String source, String word) {
        Map<String, Expected> there = model.computeIfAbsent(library, _ -> new TreeMap<>());
        Expected before = there.get(source);
        if (what < 3) {
            model.remove(library);
            assertEquals(existing.remove(library), await(writer.store().drop(library)));
        } else if (what < 60 || before == null) {
            StoredDocument put = await(writer.store().put(library, document(source, "common " + word)))
                    .document();
            there.put(source, new Expected(put.id(), put.title(), word));
            existing.add(library);
        } else if (what < 80) {
            DocumentDescription description =
                    new DocumentDescription("title " + word, Json.object().put("w", word), AllowedReaders.ALL, word);
            await(writer.store().describe(LIBRARIES, before.id(), description)).orElseThrow();
            there.put(source, new Expected(before.id(), "title " + word, before.word()));
        } else {
            assertTrue(await(writer.store().delete(LIBRARIES, before.id())).isPresent());
            assertEquals(Optional.empty(), await(writer.store().delete(LIBRARIES, before.id())));
            there.remove(source);
        }
    }

    /** Libraries that are there, perhaps without documents. */
    private final TreeSet<Namespace> existing = new TreeSet<>();

    private Map<String, Expected> expected(Namespace library) {
        return model.getOrDefault(library, Map.of());
    }

    private static Map<String, Expected> actual(ReplicaNode node, Namespace library) {
        Map<String, Expected> found = new TreeMap<>();
        for (Hit hit : node.search(words("common"), library).hits()) {
            StoredDocument document = hit.chunk().document();
            found.put(
                    document.source(),
                    new Expected(
                            document.id(), document.title(), hit.chunk().text().replace("common ", "")));
        }
        Collection<Namespace> all = List.of(library);
        long listed = await(node.store()
                        .list(new ListRequest(List.of(library), new Filter.All(), ListRequest.Order.BY_SOURCE, 0, 100)))
                .total();
        assertEquals(found.size(), listed);
        long counted = await(node.store().stats(all)).stream()
                .mapToLong(NamespaceStats::documents)
                .sum();
        assertEquals(found.size(), counted);
        return found;
    }

    @Test
    void writersAtTheSameTimeLeaveTheSameEverywhere() {
        Random random = new Random(43);
        int rounds = (int) (share() * LongRun.times(8, 300));
        for (int round = 0; round < rounds; round++) {
            List<Future<?>> under = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                ReplicaNode writer = nodes.get(random.nextInt(3));
                Namespace library = LIBRARIES.get(random.nextInt(2));
                String source = "s" + random.nextInt(SOURCES);
                under.add(begun(writer, library, source, random.nextInt(100), round + "x" + i));
            }
            under.forEach(ReplicatedModel::settled);
            for (Namespace library : LIBRARIES) {
                Map<String, Expected> first = actual(nodes.get(0), library);
                assertEquals(first, actual(nodes.get(1), library));
                assertEquals(first, actual(nodes.get(2), library));
                String ids = postgres.sql(
                        "SELECT coalesce(string_agg(d.id, ',' ORDER BY d.id), '') FROM " + schema + ".document d"
                                + " JOIN " + schema + ".library l ON l.id = d.library AND l.live AND l.owner = '"
                                + library.owner() + "'");
                assertEquals(
                        ids,
                        String.join(
                                ",",
                                first.values().stream()
                                        .map(Expected::id)
                                        .sorted()
                                        .toList()));
            }
        }
    }

    /** Begins a change of a document that others may change at the same time. */
    private static Future<?> begun(ReplicaNode writer, Namespace library, String source, int what, String word) {
        if (what < 5) {
            return asTold(() -> writer.store().drop(library), TRIES);
        }
        if (what < 60) {
            return asTold(() -> writer.store().put(library, document(source, "common " + word)), TRIES);
        }
        return asTold(() -> writer.store().find(library, source), TRIES).compose(found -> {
            if (found.isEmpty()) {
                return Future.succeededFuture();
            }
            String id = found.get().id();
            DocumentDescription description =
                    new DocumentDescription("title " + word, Json.object(), AllowedReaders.ALL, word);
            return asTold(
                    () -> what < 80
                            ? writer.store().describe(List.of(library), id, description)
                            : writer.store().delete(List.of(library), id),
                    TRIES);
        });
    }

    /** A loaded machine may refuse a step that it has no time for, and says so: whoever is told to try again does. */
    private static <T> Future<T> asTold(Supplier<Future<T>> step, int tries) {
        return step.get()
                .recover(failure -> tries > 1
                                && failure instanceof ToolException told
                                && AGAIN.matcher(told.failed().message()).find()
                        ? pause().compose(_ -> asTold(step, tries - 1))
                        : Future.failedFuture(failure));
    }

    private static Future<Void> pause() {
        return Future.fromCompletionStage(
                CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS)));
    }

    private static void settled(Future<?> one) {
        try {
            await(one);
        } catch (ToolException e) {
            throw new AssertionError("a change was refused: " + e.failed().message(), e);
        }
    }
}
