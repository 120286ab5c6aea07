package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.backend.BlockingLane;
import switchboard.backend.CallContext;
import switchboard.backend.InTurn;
import switchboard.backend.agentroot.UpdateTally.Outcome;
import switchboard.backend.agentroot.source.Item;
import switchboard.backend.agentroot.source.Provider;
import switchboard.backend.agentroot.source.Provider.Skipped;
import switchboard.call.DiskTrouble;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.embed.EmbedListener;
import switchboard.embed.Embedder;
import switchboard.embed.Readiness;
import switchboard.store.DocumentStore;
import switchboard.store.FactRow;
import switchboard.store.NewDocument;
import switchboard.store.Space;
import switchboard.store.StoredDocument;

/**
 * Brings collections up to date with their origins. Each document is written on its own and survives from then on; an
 * update that stops half-way is finished by the next.
 */
final class Updater {
    /** What all that follow would meet, too. */
    private static final Set<FailureKind> PASSING = Set.of(FailureKind.OVERLOADED, FailureKind.CANCELLED);

    private static final Logger LOG = LoggerFactory.getLogger(Updater.class);

    /** Documents under way at once where a model is what takes the time, or where documents may be very large. */
    private static final int FEW = 8;

    /** The most: the store commits them together. */
    private static final int MANY = 128;

    /** Bytes of documents under way. */
    private static final int ROOM = 512 << 20;

    private static final String HASH = "content_hash";

    /** What an answer needs to get back in time. */
    private static final Duration MARGIN = Duration.ofSeconds(2);

    private final Supplier<DocumentStore> store;
    private final Optional<Embedder> embedder;
    private final BlockingLane lane;
    private final Preparation preparation;
    private final Describer describer;
    private final Clock clock;
    private final Bounds bounds;
    private final InTurn<Writing> writes;

    Updater(
            Supplier<DocumentStore> store,
            Optional<Embedder> embedder,
            BlockingLane lane,
            Preparation preparation,
            Describer describer,
            Clock clock,
            Bounds bounds,
            InTurn<Writing> writes) {
        this.store = store;
        this.embedder = embedder;
        this.lane = lane;
        this.preparation = preparation;
        this.describer = describer;
        this.clock = clock;
        this.bounds = bounds;
        this.writes = writes;
    }

    /**
     * How much an update takes.
     *
     * @param time after which it begins no further document
     * @param document the largest document in bytes
     */
    record Bounds(Duration time, int document) {
        private int width() {
            return Math.clamp(ROOM / document, FEW, MANY);
        }
    }

    /** The document that a change is about; changes of one document take turns. */
    record Writing(Space space, String path) {}

    /** A document that is stored. */
    private record Known(String id, String hash) {}

    /**
     * What an update came to.
     *
     * @param reply the answer to the caller
     * @param changed whether the collection has other documents than before
     */
    record Report(ObjectNode reply, boolean changed) {}

    /** Updates the collection whose documents are in {@code space}. */
    Future<Report> update(Definition definition, Provider provider, Space space, CallContext context) {
        Instant until = clock.instant().plus(bounds.time());
        context.progress(0, null, "looking for documents");
        return provider.scan(definition.origin(), context).compose(scan -> lane.run(context, scan::missing)
                .compose(missing -> gone(space, missing))
                .compose(gone -> new Run(definition, space, scan, gone, until, context).all()));
    }

    /** Most updates find nothing gone, and need not read what is kept of every document. */
    private Future<Map<String, Known>> gone(Space space, Predicate<String> missing) {
        return store.get()
                .facts(space, Set.of(), gone(missing, Collectors.counting()))
                .compose(count -> count == 0 ? Future.succeededFuture(Map.of()) : known(space, missing));
    }

    private Future<Map<String, Known>> known(Space space, Predicate<String> missing) {
        return store.get()
                .facts(
                        space,
                        Set.of(HASH),
                        gone(
                                missing,
                                Collectors.toMap(
                                        FactRow::source, document -> new Known(document.id(), document.one(HASH)))));
    }

    private static <T> Collector<FactRow, ?, T> gone(
            Predicate<String> missing, Collector<? super FactRow, ?, T> collector) {
        return Collectors.filtering(document -> missing.test(document.source()), collector);
    }

    /** One update. */
    private final class Run {
        private final Definition definition;
        private final Space space;
        private final Provider.Scan scan;
        private final Instant until;
        private final CallContext context;
        private final UpdateTally tally = new UpdateTally();
        private final Iterator<Item> items;
        private final AtomicInteger done = new AtomicInteger();
        private final Map<String, Known> gone;

        /** Documents that are gone by their content: one that turns up elsewhere was renamed. */
        private final Map<String, Known> goneByHash = new ConcurrentHashMap<>();

        Run(
                Definition definition,
                Space space,
                Provider.Scan scan,
                Map<String, Known> gone,
                Instant until,
                CallContext context) {
            this.definition = definition;
            this.space = space;
            this.scan = scan;
            this.until = until;
            this.context = context;
            this.items = scan.items().iterator();
            this.gone = gone;
            gone.values().forEach(one -> goneByHash.put(one.hash(), one));
        }

        Future<Report> all() {
            scan.skipped().forEach(tally::skipped);
            List<Promise<Void>> workers = java.util.stream.Stream.generate(Promise::<Void>promise)
                    .limit(embedder.isEmpty() ? bounds.width() : FEW)
                    .toList();
            workers.forEach(this::work);
            return Future.join(workers.stream().map(Promise::future).toList())
                    .compose(_ -> rest() == 0 && scan.complete() ? clear() : Future.succeededFuture())
                    .map(_ -> new Report(
                            tally.reply(definition.name(), rest(), rest() == 0 && scan.complete()), tally.changed()));
        }

        private int rest() {
            return scan.items().size() - done.get();
        }

        /** Takes items until there are none or the time is up. Not by composing: a chain would grow with the items. */
        private void work(Promise<Void> end) {
            Optional<Item> next = take();
            if (next.isEmpty()) {
                end.complete();
                return;
            }
            Futures.settle(
                    one(next.get()),
                    outcome -> {
                        if (outcome.failed() && DiskTrouble.told(outcome.cause())) {
                            end.fail(outcome.cause());
                            return;
                        } else if (outcome.failed() && passing(outcome.cause())) {
                            // All that follow would meet the same; they are for the next call.
                            tally.stop(reason(outcome.cause()));
                            end.complete();
                            return;
                        }
                        if (outcome.succeeded()) {
                            tally.count(outcome.result());
                        } else {
                            tally.skipped(new Skipped(next.get().path(), reason(outcome.cause())));
                        }
                        context.progress(
                                done.incrementAndGet(),
                                (double) scan.items().size(),
                                next.get().path());
                        work(end);
                    },
                    end::tryFail);
        }

        private static boolean passing(Throwable failure) {
            return failure instanceof ToolException known
                    && PASSING.contains(known.failed().kind());
        }

        private synchronized Optional<Item> take() {
            // At least one document is written by each call, so that calling again always ends.
            boolean late = tally.written() > 0 && clock.instant().isAfter(until);
            boolean stop = late
                    || tally.stopped()
                    || context.cancelled()
                    || context.remaining().compareTo(MARGIN) < 0;
            return stop || !items.hasNext() ? Optional.empty() : Optional.of(items.next());
        }

        private String reason(Throwable failure) {
            if (failure instanceof ToolException known) {
                return known.failed().message();
            }
            LOG.error("Indexing a document of {} failed", definition.name(), failure);
            return "failed because of a defect; see the gateway's log";
        }

        private Future<Outcome> one(Item item) {
            Optional<String> version = item.version();
            if (version.isEmpty()) {
                return loaded(item);
            }
            return store.get().find(space, item.path()).compose(stored -> {
                boolean same = stored.isPresent()
                        && Facets.text(stored.get(), "version").equals(version.get())
                        && current(stored.get());
                return same ? Future.succeededFuture(Outcome.UNCHANGED) : loaded(item);
            });
        }

        private Future<Outcome> loaded(Item item) {
            return item.load().compose(content -> lane.run(context, () -> Hashes.sha256(content.bytes()))
                    .compose(hash -> writes.run(new Writing(space, item.path()), () -> store.get()
                            .find(space, item.path())
                            .compose(stored -> written(item, content, hash, stored)))));
        }

        private Future<Outcome> written(Item item, Item.Content content, String hash, Optional<StoredDocument> stored) {
            if (stored.isPresent() && stored.get().contentHash().equals(hash) && current(stored.get())) {
                return Future.succeededFuture(Outcome.UNCHANGED);
            }
            Known before = stored.isEmpty() ? goneByHash.remove(hash) : null;
            var place = new Preparation.Place(
                    definition.name(),
                    definition.provider(),
                    item.path(),
                    item.version().orElse(""));
            return prepared(place, content, Preparation.Told.NOTHING)
                    .compose(draft -> described(draft, content))
                    .compose(draft -> user(stored, before, content).compose(user -> embedded(draft, user)))
                    .compose(document -> store.get().put(space, document))
                    .map(_ -> stored.isPresent() ? Outcome.CHANGED : before != null ? Outcome.RENAMED : Outcome.ADDED);
        }

        private Future<Preparation.Draft> prepared(
                Preparation.Place place, Item.Content content, Preparation.Told told) {
            return lane.run(context, () -> preparation.prepare(place, content, told, context::cancelled));
        }

        /** Adds what a model says, if one is to be asked and answers; else the rules stand alone. */
        private Future<Preparation.Draft> described(Preparation.Draft draft, Item.Content content) {
            if (describer.model(space.name(), context).isEmpty()
                    || tally.withoutModel()
                    || draft.chunks().isEmpty()) {
                return Future.succeededFuture(draft);
            }
            return describer
                    .ask(draft.place().path(), draft.text().text(), context)
                    .compose(told -> prepared(draft.place(), content, told))
                    .recover(failure -> {
                        tally.withoutModel(reason(failure));
                        return Future.succeededFuture(draft);
                    });
        }

        /** Whether making it again would give nothing better; without its models it would not. */
        private boolean current(StoredDocument stored) {
            boolean described = tally.withoutModel()
                    || stored.chunkCount() == 0
                    || Facets.text(stored, "told").equals(describer.model(space.name(), context));
            return described && embedded(stored);
        }

        private boolean embedded(StoredDocument stored) {
            boolean down = embedder.isPresent() && embedder.get().readiness() instanceof Readiness.Failed;
            return Facets.current(stored, embedder.map(Embedder::model))
                    || (down && Facets.current(stored, Optional.empty()));
        }

        /** The metadata of the version before, under whatever name, with what the provider knows now. */
        private Future<ObjectNode> user(Optional<StoredDocument> stored, @Nullable Known before, Item.Content content) {
            Future<Optional<StoredDocument>> old = stored.isPresent() || before == null
                    ? Future.succeededFuture(stored)
                    : store.get().get(List.of(space), before.id());
            return old.map(found -> {
                ObjectNode user =
                        found.map(UserMetadata::of).orElseGet(Json::object).deepCopy();
                return user.setAll(content.facts());
            });
        }

        /** Without its model a document is stored all the same, to be found by its words; the next update tries again. */
        private Future<NewDocument> embedded(Preparation.Draft draft, ObjectNode user) {
            if (embedder.isEmpty() || draft.chunks().isEmpty()) {
                return Future.succeededFuture(draft.document(
                        List.of(),
                        embedder.map(Embedder::model).filter(_ -> draft.chunks().isEmpty()),
                        user));
            }
            Embedder model = embedder.get();
            return model.embedDocuments(draft.passages(), new EmbedListener() {
                        @Override
                        public void embedded(int chunks) {}

                        @Override
                        public boolean cancelled() {
                            return context.cancelled();
                        }
                    })
                    .map(vectors -> draft.document(vectors, Optional.of(model.model()), user))
                    .recover(failure -> {
                        if (failure instanceof ToolException known
                                && known.failed().kind() == FailureKind.UNAVAILABLE) {
                            tally.withoutVectors(known.failed().message());
                            return Future.succeededFuture(draft.document(List.of(), Optional.empty(), user));
                        }
                        return Future.failedFuture(failure);
                    });
        }

        /** Removes what is not there any more. */
        private Future<Void> clear() {
            Promise<Void> end = Promise.promise();
            clear(gone.entrySet().iterator(), end);
            return end.future();
        }

        private void clear(Iterator<Map.Entry<String, Known>> rest, Promise<Void> end) {
            if (!rest.hasNext()) {
                end.complete();
                return;
            }
            Map.Entry<String, Known> next = rest.next();
            Futures.finish(
                    store.get().delete(List.of(space), next.getValue().id()),
                    found -> {
                        if (found.isPresent()) {
                            tally.removed();
                        }
                        clear(rest, end);
                    },
                    end::tryFail);
        }
    }
}
