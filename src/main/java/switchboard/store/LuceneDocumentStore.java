package switchboard.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.stream.Collector;
import org.apache.lucene.document.Document;
import switchboard.backend.BlockingLane;
import switchboard.call.ToolException;
import switchboard.embed.EmbedListener;
import switchboard.embed.Embedder;
import switchboard.telemetry.FolderMeters;

/** The store on Lucene: reads on one lane, writes on another. */
public final class LuceneDocumentStore implements DocumentStore {
    private static final int WRITE_THREADS = 2;

    /** Reads on a snapshot, on a lane. */
    private interface Reading<T> {
        T from(Snapshot snapshot) throws IOException;
    }

    private final Vertx vertx;
    private final Clock clock;
    private final StoreSettings settings;
    private final StoreFolder folder;
    private final BlockingLane reads;
    private final BlockingLane writes;
    private final BlockingLane upkeep;
    private final GroupCommits commits;
    private final long idleTimer;

    private LuceneDocumentStore(
            Vertx vertx, MeterRegistry meters, Clock clock, StoreSettings settings, StoreFolder folder) {
        this.vertx = vertx;
        this.clock = clock;
        this.settings = settings;
        this.folder = folder;
        this.reads = lane(meters, "-read", settings.readThreads(), settings.maxWaiting());
        this.writes = lane(meters, "-write", WRITE_THREADS, settings.maxWaiting());
        this.upkeep = lane(meters, "-upkeep", 1, 1);
        this.commits = new GroupCommits(vertx, writes, folder.catalog(), meters, clock, settings);
        this.idleTimer = vertx.setPeriodic(Math.max(1, settings.idleClose().toMillis() / 2), id -> closeIdle());
        gauge(meters, "switchboard_store_documents", "Documents in the store", index -> index.counts()
                .documents());
        gauge(meters, "switchboard_store_chunks", "Chunks in the store", index -> index.counts()
                .chunks());
        gauge(meters, "switchboard_store_spaces_open", "Spaces whose files are open", index -> index.isOpen() ? 1 : 0);
        FolderMeters.size(meters, settings.name(), settings.folder());
        FolderMeters.space(meters, settings.folder());
        Gauge.builder("switchboard_store_spaces_damaged", folder.catalog(), catalog -> catalog.damaged()
                        .size())
                .description("Spaces whose files can't be read")
                .tag("store", settings.name())
                .register(meters);
    }

    private BlockingLane lane(MeterRegistry meters, String kind, int threads, int maxWaiting) {
        return new BlockingLane(vertx, meters, settings.name() + kind, threads, maxWaiting, settings.share());
    }

    private void gauge(MeterRegistry meters, String name, String description, ToLongFunction<SpaceIndex> value) {
        Gauge.builder(name, folder.catalog(), catalog -> catalog.indexes().stream()
                        .mapToLong(value)
                        .sum())
                .description(description)
                .tag("store", settings.name())
                .register(meters);
    }

    /**
     * Opens the store in {@code settings.folder()}, which is made if missing.
     *
     * @return fails with {@link FolderInUseException} when another process owns the folder, with an {@link IOException}
     *     that says why when it can't be read
     */
    public static Future<LuceneDocumentStore> open(
            Vertx vertx, MeterRegistry meters, Clock clock, StoreSettings settings) {
        return open(vertx, meters, clock, settings, org.apache.lucene.store.FSDirectory::open);
    }

    static Future<LuceneDocumentStore> open(
            Vertx vertx, MeterRegistry meters, Clock clock, StoreSettings settings, Directories directories) {
        // Before there are lanes: a folder that another process owns is tried many times.
        return vertx.executeBlocking(() -> StoreFolder.open(settings.folder(), directories), false)
                .map(folder -> new LuceneDocumentStore(vertx, meters, clock, settings, Objects.requireNonNull(folder)));
    }

    @Override
    public Future<PutResult> put(Space space, NewDocument document) {
        // The analysis is done before the document queues for its space, so that it keeps no other waiting.
        return writes.run(() -> new Prepared(space, document))
                .compose(prepared -> commits.submit(
                        space, group -> new PutResult(prepared.facts, group.put(prepared.facts, prepared.block))));
    }

    private final class Prepared {
        private final StoredDocument facts;
        private final List<Document> block;

        Prepared(Space space, NewDocument document) {
            this.facts = new StoredDocument(
                    DocumentIds.next(space),
                    space,
                    document.source(),
                    document.title(),
                    document.fileType(),
                    document.lastModified(),
                    document.contentHash(),
                    document.metadata(),
                    clock.instant().truncatedTo(ChronoUnit.MILLIS),
                    document.chunks().size(),
                    document.text().length(),
                    document.model());
            this.block = Block.of(facts, document);
        }
    }

    @Override
    public Future<Optional<StoredDocument>> describe(
            Collection<Space> spaces, String id, String title, ObjectNode metadata, String foundBy) {
        return change(spaces, id, new Rewrite(group -> group.describe(id, title, metadata, foundBy)));
    }

    /** Puts a document's vectors, by field, in the place of those it has; empty if there is no such document. */
    Future<Optional<StoredDocument>> giveVectors(
            Collection<Space> spaces, String id, String model, List<Map<String, float[]>> vectors) {
        return change(spaces, id, new Rewrite(group -> group.giveVectors(id, model, vectors)));
    }

    /** A change that reads the document it writes from the last commit. */
    private record Rewrite(GroupCommits.Change<Optional<StoredDocument>> change)
            implements GroupCommits.Change<Optional<StoredDocument>> {
        @Override
        public Optional<StoredDocument> apply(Group group) throws IOException {
            return change.apply(group);
        }

        @Override
        public boolean alone() {
            return true;
        }
    }

    @Override
    public Future<Optional<StoredDocument>> delete(Collection<Space> spaces, String id) {
        return change(spaces, id, group -> group.delete(id));
    }

    /** Makes a change in the one space that can hold the document; spaces' marks may coincide, hence the loop. */
    private Future<Optional<StoredDocument>> change(
            Collection<Space> spaces, String id, GroupCommits.Change<Optional<StoredDocument>> change) {
        Future<Optional<StoredDocument>> result = Future.succeededFuture(Optional.empty());
        for (Space space : DocumentIds.candidates(id, spaces)) {
            if (folder.catalog().find(space).isPresent()) {
                result = result.compose(
                        found -> found.isPresent() ? Future.succeededFuture(found) : commits.submit(space, change));
            }
        }
        return result;
    }

    @Override
    public Future<Boolean> drop(Space space) {
        return writes.run(
                () -> failing("Removing " + space.name(), () -> folder.catalog().drop(space)));
    }

    @Override
    public Future<Optional<StoredDocument>> find(Space space, String source) {
        return read(List.of(space), snapshot -> Lookup.bySource(snapshot, source));
    }

    @Override
    public Future<Optional<StoredDocument>> get(Collection<Space> spaces, String id) {
        return read(DocumentIds.candidates(id, spaces), snapshot -> Lookup.byId(snapshot, id));
    }

    @Override
    public Future<List<StoredDocument>> get(Collection<Space> spaces, List<String> ids) {
        Set<Space> holding = new TreeSet<>();
        ids.forEach(id -> holding.addAll(DocumentIds.candidates(id, spaces)));
        return read(holding, Snapshot::ofReadable, snapshot -> {
            List<StoredDocument> found = new ArrayList<>();
            for (String id : ids) {
                Lookup.byId(snapshot, id).ifPresent(found::add);
            }
            return found;
        });
    }

    @Override
    public Future<Optional<DocumentText>> read(Collection<Space> spaces, String id) {
        return read(DocumentIds.candidates(id, spaces), snapshot -> Lookup.read(snapshot, id));
    }

    @Override
    public Future<DocumentPage> list(ListRequest request) {
        return read(request.spaces(), Snapshot::ofReadable, snapshot -> Lookup.list(snapshot, request));
    }

    @Override
    public <R> Future<R> facts(Space space, Set<String> names, Collector<FactRow, ?, R> collector) {
        return read(List.of(space), snapshot -> FactReading.collect(snapshot, names, collector));
    }

    @Override
    public Future<List<StoredChunk>> chunks(Collection<Space> spaces, Filter filter, int limit) {
        return read(spaces, Snapshot::ofReadable, snapshot -> Lookup.chunks(snapshot, filter, limit));
    }

    @Override
    public Future<SearchResult> search(SearchRequest request) {
        return read(request.spaces(), Snapshot::ofReadable, snapshot -> new Search(snapshot, request).run());
    }

    private <T> Future<T> read(Collection<Space> spaces, Reading<T> reading) {
        return read(spaces, Snapshot::of, reading);
    }

    /** How the spaces of a reading become one. */
    private interface Joining {
        Snapshot of(Collection<SpaceIndex> indexes) throws IOException;
    }

    private <T> Future<T> read(Collection<Space> spaces, Joining joining, Reading<T> reading) {
        return reads.run(() -> failing("Reading", () -> {
            long now = clock.millis();
            List<SpaceIndex> indexes = folder.catalog().find(spaces);
            indexes.forEach(index -> index.used(now));
            try {
                return from(joining, indexes, reading);
            } catch (ToolException e) {
                throw e;
            } catch (IOException | RuntimeException | InternalError e) {
                // Damaged files give any failure. What is damaged is left out, or named, from now on.
                if (indexes.stream().filter(index -> !index.sound()).count() == 0) {
                    throw e;
                }
                return from(joining, indexes, reading);
            } finally {
                folder.catalog().trim(settings.maxOpenSpaces(), Long.MIN_VALUE);
            }
        }));
    }

    private static <T> T from(Joining joining, List<SpaceIndex> indexes, Reading<T> reading) throws IOException {
        try (Snapshot snapshot = joining.of(indexes)) {
            return reading.from(snapshot);
        }
    }

    private static <T> T failing(String what, java.util.concurrent.Callable<T> work) {
        try {
            return work.call();
        } catch (Exception | InternalError e) {
            throw Failures.of(e, what);
        }
    }

    @Override
    public Future<DocumentScores> scores(SearchRequest request) {
        return read(request.spaces(), Snapshot::ofReadable, snapshot -> new Search(snapshot, request).byDocument());
    }

    @Override
    public List<Space> spaces() {
        return folder.catalog().spaces();
    }

    @Override
    public Future<List<SpaceStats>> stats(Collection<Space> spaces) {
        return Future.succeededFuture(folder.catalog().find(spaces).stream()
                .map(index -> new SpaceStats(
                        index.space(),
                        index.counts().documents(),
                        index.counts().chunks(),
                        index.changed().orElse(null),
                        index.damage().orElse(null)))
                .toList());
    }

    @Override
    public List<String> damaged() {
        return folder.catalog().damaged();
    }

    @Override
    public Future<Void> announce(String address) {
        return upkeep.run(() -> failing("Writing the owner's address", () -> {
                    folder.lock().announce(address);
                    return true;
                }))
                .mapEmpty();
    }

    @Override
    public Future<Integer> backup(Path target) {
        return upkeep.run(() -> failing("The backup", () -> folder.upkeep().backup(target)));
    }

    @Override
    public Future<List<SpaceCheck>> check() {
        return upkeep.run(() -> failing("The check", () -> folder.upkeep().check()));
    }

    @Override
    public Future<Integer> reindex(SpaceEmbedders embedders, EmbedListener listener) {
        Future<Integer> done = Future.succeededFuture(0);
        for (Embedder embedder : embedders.distinct()) {
            done = done.compose(before ->
                    new Reindex(this, embedder, listener).run(embedders.spacesOf(embedder, spaces()), before));
        }
        return done;
    }

    private void closeIdle() {
        long idleSince = clock.millis() - settings.idleClose().toMillis();
        writes.run(() -> {
            folder.catalog().trim(settings.maxOpenSpaces(), idleSince);
            return true;
        });
    }

    @Override
    public Future<Void> close() {
        vertx.cancelTimer(idleTimer);
        return commits.close()
                // Not by way of the lane, which may be full.
                .compose(done -> vertx.executeBlocking(
                        () -> {
                            folder.close();
                            return true;
                        },
                        false))
                .eventually(reads::close)
                .eventually(writes::close)
                .eventually(upkeep::close)
                .mapEmpty();
    }
}
