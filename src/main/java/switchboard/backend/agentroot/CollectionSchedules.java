package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.backend.BackendServices;
import switchboard.backend.ScheduleProvider;
import switchboard.backend.ScheduledCalls;
import switchboard.backend.agentroot.schedule.CollectionSchedule;
import switchboard.backend.agentroot.schedule.CollectionUpdates;
import switchboard.backend.agentroot.schedule.PlannedUpdates;
import switchboard.backend.agentroot.schedule.ScheduleMeters;
import switchboard.backend.agentroot.schedule.ScheduleState.SetSchedule;
import switchboard.backend.agentroot.schedule.ScheduleView;
import switchboard.backend.agentroot.schedule.UpdateScheduler;
import switchboard.backend.embedded.BackendStore;
import switchboard.call.Caller;
import switchboard.call.Claim;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.Lifetime;
import switchboard.call.ResourceScope;
import switchboard.call.Rights;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.call.Verb;
import switchboard.concurrent.BlockingExecutor;
import switchboard.store.DocumentAccess;
import switchboard.store.Namespace;

/** The schedules of a backend's collections: it looks each second what is due, and callers see and set them. Thread-safe. */
final class CollectionSchedules implements ScheduleProvider, CollectionUpdates {
    private static final long LOOK_MS = 1000;

    /** The caller of scheduled updates, by which the audit log tells them from calls of somebody. */
    private static final String PRINCIPAL = "schedule";

    private static final Duration MARGIN = Duration.ofMinutes(1);
    private static final String OWNER = "owner";
    private static final Rights WITHOUT_LLM = Rights.everywhere(EnumSet.complementOf(EnumSet.of(Verb.LLM)));

    private final String id;
    private final Vertx vertx;
    private final Clock clock;
    private final CollectionRegistry registry;
    private final DocumentProviders providers;
    private final BackendStore store;
    private final UpdateScheduler scheduler;
    private final WatchedFolders watched;
    private final boolean shared;
    private @Nullable ScheduledCalls calls;
    private boolean open;
    private long timer = -1;

    CollectionSchedules(
            String id,
            AgentrootSettings settings,
            BackendServices services,
            CollectionRegistry registry,
            DocumentProviders providers,
            BackendStore store,
            BlockingExecutor executor) {
        this.id = id;
        this.vertx = services.vertx();
        this.clock = services.clock();
        this.registry = registry;
        this.providers = providers;
        this.store = store;
        this.shared = settings.sharesDocuments();
        Map<Namespace, CollectionSchedule> configured = new HashMap<>();
        settings.collections().forEach((name, schedule) -> configured.put(Namespace.of(name), schedule));
        this.scheduler = new UpdateScheduler(
                new UpdateScheduler.SchedulerParts(
                        configured,
                        store,
                        this,
                        shared,
                        settings.updateTime().plus(MARGIN),
                        clock,
                        () -> ThreadLocalRandom.current().nextDouble()),
                new ScheduleMeters(services.meters(), id));
        this.watched = new WatchedFolders(scheduler, this::folder, executor, clock);
    }

    Instant now() {
        return clock.instant();
    }

    /** The store is open, so that this process does what is due. */
    Future<Void> start() {
        Future<Void> read = scheduler.start();
        synchronized (this) {
            open = true;
            look();
        }
        return shared ? Future.succeededFuture() : read; // a database that does not answer must not delay the start
    }

    @Override
    public synchronized void begin(ScheduledCalls through) {
        calls = through;
        look();
    }

    @Override
    public Future<Void> halt() {
        synchronized (this) {
            open = false;
            vertx.cancelTimer(timer);
        }
        var _ = watched.close(); // the executor ends with it
        return scheduler.stop();
    }

    private synchronized void look() {
        if (open && calls != null) {
            vertx.cancelTimer(timer);
            timer = vertx.setTimer(
                    LOOK_MS,
                    _ -> Futures.finish(watched.look().compose(_ -> scheduler.tick()), _ -> look(), _ -> look()));
        }
    }

    @Override
    public Future<Boolean> exists(Namespace collection) {
        return registry.find(collection.name(), caller(collection)).map(Optional::isPresent);
    }

    /** The folder of a collection of files; null if it has none. */
    private Future<@Nullable Path> folder(Namespace collection) {
        return registry.find(collection.name(), caller(collection))
                .map(found -> found.map(definition -> definition.origin().path())
                        .filter(path -> path.startsWith("/"))
                        .map(Path::of)
                        .orElse(null));
    }

    @Override
    public Future<ToolReply> update(Namespace collection, Lifetime lifetime) {
        ScheduledCalls through;
        synchronized (this) {
            through = Objects.requireNonNull(calls, "nothing is due before there are calls");
        }
        ScheduledCalls.ScheduledCall call = through.call(
                "collection_update",
                Json.object().put("name", collection.name()),
                collection.name(),
                caller(collection, llm(collection)),
                lifetime.remaining());
        lifetime.onCancel(call::cancel);
        return call.reply();
    }

    private boolean llm(Namespace collection) {
        PlannedUpdates plan = scheduler.plans().get(collection);
        return plan != null && plan.llm();
    }

    private static Caller caller(Namespace collection) {
        return caller(collection, false);
    }

    /** The schedule was set by who may update the collection, or by the operator; it sees all documents. */
    private static Caller caller(Namespace collection, boolean llm) {
        Rights rights = llm ? Rights.ALL : WITHOUT_LLM;
        return collection.owner().isEmpty()
                ? new Caller("", PRINCIPAL, rights, ResourceScope.ALL, Map.of())
                : new Caller(
                        "",
                        PRINCIPAL,
                        rights,
                        ResourceScope.ALL,
                        Map.of(OWNER, "{claim:owner}"),
                        Map.of(OWNER, Claim.of(collection.owner())));
    }

    /** Notes an update that {@code caller} has made. */
    Future<Void> made(Namespace collection, Caller caller, Instant began, JsonNode report) {
        boolean scheduled = caller.team().isEmpty() && caller.principal().equals(PRINCIPAL);
        return scheduler.made(collection, scheduled, began, report);
    }

    /** A collection was removed, and so is its schedule. */
    Future<Void> removed(Namespace collection) {
        return scheduler.removed(collection);
    }

    @Override
    public Future<List<ObjectNode>> list(Caller caller) {
        return Future.<Void>succeededFuture()
                .compose(_ -> registry.visible(caller))
                .map(definitions -> {
                    List<ObjectNode> shown = new ArrayList<>();
                    for (CollectionDefinition definition : definitions) {
                        Namespace collection = Namespace.of(caller, definition.name());
                        PlannedUpdates plan = scheduler.plans().get(collection);
                        if (plan != null) {
                            shown.add(shown(collection, plan, caller));
                        }
                    }
                    return shown;
                });
    }

    /** From whom documents are hidden does not learn how many have changed. */
    private ObjectNode shown(Namespace collection, PlannedUpdates plan, Caller caller) {
        boolean all = store.of(caller).accessTo(collection) instanceof DocumentAccess.Everything;
        return ScheduleView.of(collection.name(), plan, clock.instant(), all)
                .put("running", scheduler.updates(collection))
                .put("watched", watched.watches(collection));
    }

    @Override
    public Future<ObjectNode> set(Caller caller, String by, String collection, ObjectNode schedule) {
        return changeable(caller, collection).compose(namespace -> scheduler
                .set(namespace, wanted(schedule, by, caller.may(Verb.LLM, collection)))
                .map(_ -> shown(
                        namespace,
                        Objects.requireNonNull(scheduler.plans().get(namespace), "it was set just now"),
                        caller)));
    }

    private static SetSchedule wanted(ObjectNode schedule, String by, boolean llm) {
        try {
            return SetSchedule.of(schedule, by, llm);
        } catch (IllegalArgumentException e) {
            throw new ToolException(FailureKind.INVALID_ARGUMENT, e.getMessage() + ".");
        }
    }

    @Override
    public Future<Boolean> remove(Caller caller, String collection) {
        return changeable(caller, collection)
                .compose(namespace -> scheduler.plans().containsKey(namespace)
                        ? scheduler.set(namespace, null).map(_ -> true)
                        : Future.succeededFuture(false));
    }

    /** The collection, if the caller sees it and could update it, and the configuration has no schedule of it. */
    private Future<Namespace> changeable(Caller caller, String collection) {
        return Future.<Void>succeededFuture()
                .compose(_ -> registry.require(collection, caller))
                .map(definition -> {
                    providers.allowed(definition.provider(), collection, caller);
                    Namespace namespace = registry.namespace(collection, caller);
                    PlannedUpdates plan = scheduler.plans().get(namespace);
                    if (plan != null && plan.configured()) {
                        throw new ToolException(
                                FailureKind.CONFLICT,
                                "The configuration has this schedule: backends." + id + ".collections." + collection
                                        + ". Change it there.");
                    }
                    return namespace;
                });
    }
}
