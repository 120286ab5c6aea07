package switchboard.backend.agentroot.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.backend.agentroot.schedule.PlannedUpdates.NextUpdate;
import switchboard.backend.agentroot.schedule.ScheduleState.SetSchedule;
import switchboard.call.ToolReply;
import switchboard.store.DocumentStore;
import switchboard.store.Namespace;

/**
 * Updates collections when they are due, one after the other. Gateways that share collections take turns, and look again in
 * their turn whether another one has made the update. Thread-safe.
 */
public final class UpdateScheduler {
    private static final Logger LOG = LoggerFactory.getLogger(UpdateScheduler.class);

    /** How old what this gateway knows of shared schedules may be. */
    private static final Duration READ_AGAIN = Duration.ofSeconds(10);

    private final SchedulerParts parts;
    private final ScheduleStates states;
    private final ScheduleMeters meters;
    private final Map<Namespace, PlannedUpdates> plans = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable RunningUpdate> turn = new AtomicReference<>();
    private volatile Instant read = Instant.MIN;
    private volatile boolean stopped = true;

    /**
     * The update under way.
     *
     * @param run cancels it
     * @param end completes when it has ended, with whether one was made; never fails
     */
    private record RunningUpdate(Namespace collection, ScheduledRun run, Future<Boolean> end) {}

    /**
     * What it works with.
     *
     * @param configured the schedules of the configuration
     * @param shared whether other gateways change the same states
     * @param longest how long an update may take
     * @param chance numbers from 0 to 1
     */
    public record SchedulerParts(
            Map<Namespace, CollectionSchedule> configured,
            Supplier<DocumentStore> store,
            CollectionUpdates updates,
            boolean shared,
            Duration longest,
            Clock clock,
            DoubleSupplier chance) {}

    /** A scheduler that is not started. */
    public UpdateScheduler(SchedulerParts parts, ScheduleMeters meters) {
        this.parts = parts;
        this.states = new ScheduleStates(parts.store());
        this.meters = meters;
    }

    /** From now on {@link #tick} does something. Completes when the states are read, or can't be, so that the next tick reads them. */
    public Future<Void> start() {
        stopped = false;
        return readAgain();
    }

    /** Cancels the update under way, and begins no other. Completes when it has ended. */
    public Future<Void> stop() {
        stopped = true;
        RunningUpdate now = turn.get();
        if (now == null) {
            return Future.succeededFuture();
        }
        now.run().cancel();
        return now.end().transform(_ -> Future.succeededFuture());
    }

    /** Begins the update that is due for the longest time, if one is and none is under way; whether one was made. */
    public Future<Boolean> tick() {
        if (stopped || turn.get() != null) {
            return Future.succeededFuture(false);
        }
        Instant now = now();
        boolean outdated = read.equals(Instant.MIN)
                || (parts.shared()
                        && (read.isAfter(now) || read.plus(READ_AGAIN).isBefore(now)));
        Future<Void> known = outdated ? readAgain() : Future.succeededFuture();
        return known.compose(_ -> due(now).map(this::begin).orElseGet(() -> Future.succeededFuture(false)));
    }

    /** What was read before holds while the store does not answer. */
    private Future<Void> readAgain() {
        return Future.<Void>succeededFuture().compose(_ -> read()).otherwiseEmpty();
    }

    private Instant now() {
        return parts.clock().instant();
    }

    private Optional<Namespace> due(Instant now) {
        return plans.entrySet().stream()
                .filter(plan -> !plan.getValue().next(now).isAfter(now))
                .min(Comparator.comparing(plan -> plan.getValue().next(now)))
                .map(Map.Entry::getKey);
    }

    private Future<Void> read() {
        Instant now = now();
        return states.all().compose(found -> {
            Map<Namespace, ScheduleState> all = new HashMap<>(found);
            Future<Void> begun = Future.succeededFuture();
            for (Namespace collection : parts.configured().keySet()) {
                if (!all.containsKey(collection)) {
                    begun = begun.compose(_ -> states.change(collection, now, state -> state))
                            .map(state -> {
                                all.put(collection, state);
                                return null;
                            });
                }
            }
            return begun.map(_ -> {
                plans.keySet().stream().filter(known -> !all.containsKey(known)).forEach(this::forget);
                all.forEach(this::plan);
                read = now;
                return null;
            });
        });
    }

    private void plan(Namespace collection, ScheduleState state) {
        CollectionSchedule configured = parts.configured().get(collection);
        SetSchedule own = state.own();
        CollectionSchedule schedule = configured != null ? configured : own == null ? null : own.schedule();
        if (schedule == null) {
            forget(collection);
            return;
        }
        plans.compute(collection, (_, known) -> {
            if (known == null) {
                meters.show(collection, () -> age(collection), () -> longestAge(collection));
            }
            if (known != null
                    && known.schedule().equals(schedule)
                    && known.state().equals(state)) {
                return known;
            }
            return new PlannedUpdates(
                    schedule,
                    configured != null,
                    state,
                    NextUpdate.of(schedule.times(), state, parts.chance().getAsDouble()),
                    null,
                    known == null ? null : known.changedIn(state, now()));
        });
    }

    private void forget(Namespace collection) {
        if (plans.remove(collection) != null) {
            meters.hide(collection);
        }
    }

    private double age(Namespace collection) {
        PlannedUpdates plan = plans.get(collection);
        return plan == null ? Double.NaN : plan.age(now()).toSeconds();
    }

    private double longestAge(Namespace collection) {
        PlannedUpdates plan = plans.get(collection);
        return plan == null ? Double.NaN : plan.longestAge().toSeconds();
    }

    private Future<Boolean> begin(Namespace collection) {
        ScheduledRun run = new ScheduledRun(parts.longest());
        Promise<Boolean> end = Promise.promise();
        RunningUpdate mine = new RunningUpdate(collection, run, end.future());
        if (!turn.compareAndSet(null, mine)) {
            return Future.succeededFuture(false);
        }
        if (stopped) {
            run.cancel();
        }
        return Future.<Void>succeededFuture()
                .compose(_ -> attempted(collection, run))
                .recover(failure -> {
                    LOG.warn("{} could not be updated as scheduled: {}", collection.name(), failure.getMessage());
                    later(collection);
                    return Future.succeededFuture(false);
                })
                .onComplete(done -> {
                    turn.set(null);
                    end.complete(Boolean.TRUE.equals(done.result()));
                });
    }

    private void later(Namespace collection) {
        Instant time = now();
        plans.computeIfPresent(collection, (_, plan) -> plan.tried(time));
    }

    private Future<Boolean> attempted(Namespace collection, ScheduledRun run) {
        return parts.updates().exists(collection).compose(there -> {
            if (there) {
                return states.store().alone(Namespace.of(ScheduleStates.SPACE), run, _ -> updated(collection, run));
            }
            later(collection);
            return Future.succeededFuture(false);
        });
    }

    /** In a turn of this gateway. */
    private Future<Boolean> updated(Namespace collection, ScheduledRun run) {
        Instant began = now();
        return states.find(collection).compose(found -> {
            found.ifPresent(state -> plan(collection, state));
            PlannedUpdates plan = plans.get(collection);
            if (plan == null || plan.due(began).isAfter(began) || run.stopped()) {
                return Future.succeededFuture(false);
            }
            return parts.updates()
                    .update(collection, ofItsOwnTime(run))
                    .compose(reply -> reply instanceof ToolReply.Failed failed && !run.stopped()
                            ? failed(collection, began, failed.message())
                            : Future.succeededFuture())
                    .map(_ -> true);
        });
    }

    /** The time that an update may take begins when its turn has come. */
    private ScheduledRun ofItsOwnTime(ScheduledRun run) {
        ScheduledRun own = new ScheduledRun(parts.longest());
        run.onCancel(own::cancel);
        return own;
    }

    private Future<Void> failed(Namespace collection, Instant began, String error) {
        LOG.warn("{} could not be updated as scheduled: {}", collection.name(), error);
        return ended(
                collection,
                new ScheduleState.LastUpdate(true, began.toEpochMilli(), now().toEpochMilli(), null, false, error));
    }

    private Future<Void> ended(Namespace collection, ScheduleState.LastUpdate update) {
        if (update.error() != null) {
            meters.failed(collection);
        }
        return states.change(collection, now(), state -> state.updated(update)).map(state -> {
            plan(collection, state);
            return null;
        });
    }

    /**
     * Notes an update that has been made, by whom it may be. Does nothing for a collection without a schedule; never fails.
     *
     * @param scheduled whether it was made by a schedule
     * @param report the answer of {@code collection_update}
     */
    public Future<Void> made(Namespace collection, boolean scheduled, Instant began, JsonNode report) {
        boolean complete = report.path("complete").asBoolean();
        boolean cutOff = scheduled && !complete && isStopped(collection);
        if (!plans.containsKey(collection) || cutOff) {
            return Future.succeededFuture();
        }
        boolean rest = !complete && report.path("remaining").asInt() > 0;
        String stopped = report.path("stopped").textValue();
        String error = complete || (rest && stopped == null)
                ? null
                : stopped != null ? stopped : "Not all of its documents could be listed.";
        return ended(
                        collection,
                        new ScheduleState.LastUpdate(
                                scheduled,
                                began.toEpochMilli(),
                                now().toEpochMilli(),
                                new ScheduleState.UpdatedDocuments(
                                        report.path("added").asInt(),
                                        report.path("changed").asInt()
                                                + report.path("renamed").asInt(),
                                        report.path("removed").asInt(),
                                        report.path("skippedTotal").asInt()),
                                rest,
                                error))
                .otherwise(failure -> {
                    LOG.warn("the update of {} could not be noted: {}", collection.name(), failure.getMessage());
                    return null;
                });
    }

    /** Whether the update of {@code collection} under way is ended by {@link #stop}: that is no failure, and it stays due. */
    private boolean isStopped(Namespace collection) {
        RunningUpdate now = turn.get();
        return now != null && now.collection().equals(collection) && now.run().stopped();
    }

    /** Sets a schedule of somebody; null removes it. */
    public Future<Void> set(Namespace collection, @Nullable SetSchedule own) {
        return states.change(collection, now(), state -> state.set(own)).map(state -> {
            plan(collection, state);
            return null;
        });
    }

    /** Forgets what is known of a collection that was removed. */
    public Future<Void> removed(Namespace collection) {
        return states.remove(collection).map(gone -> {
            plan(collection, ScheduleState.begun(now()));
            return gone;
        });
    }

    /** Something has changed in the folder of {@code collection}. */
    public void changed(Namespace collection) {
        Instant time = now();
        plans.computeIfPresent(collection, (_, plan) -> plan.changed(time));
    }

    /** The schedules, as they are now. */
    public Map<Namespace, PlannedUpdates> plans() {
        return Map.copyOf(plans);
    }

    /** Whether a scheduled update of {@code collection} is under way here. */
    public boolean updates(Namespace collection) {
        RunningUpdate now = turn.get();
        return now != null && now.collection().equals(collection);
    }
}
