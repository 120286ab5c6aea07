package switchboard.protocol.legacy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.call.Json;
import switchboard.cluster.Cluster;
import switchboard.cluster.SessionRow;
import switchboard.cluster.SessionTable;
import switchboard.protocol.ResourceWatching;
import switchboard.session.SavedSession;
import switchboard.session.Session;
import switchboard.session.SessionStore;
import switchboard.session.SessionUse;

/**
 * This node's copies of shared sessions: taken over from rows, compared with them every two seconds in case a notice was lost, and
 * their uses noted every few seconds in one statement. Thread-safe.
 */
final class SessionCopies {
    private static final Logger LOG = LoggerFactory.getLogger(SessionCopies.class);

    /** How often uses are noted. Others know the last use of a session to within this time. */
    private static final Duration NOTING = Duration.ofSeconds(10);

    /** Open streams are noted each so many times only. */
    private static final int STREAMS_EVERY = 3;

    /** So many copies are compared in one poll. */
    private static final int PAGE = 2000;

    /** So many rows are read or written in one poll. */
    private static final int MOST_STEPS = 100;

    /** No step is begun after this time, because a node only shows that it runs between two polls. */
    private static final Duration LONGEST_COMPARING = Duration.ofSeconds(2);

    private static final Duration LEAST_REMAINING = Duration.ofSeconds(1);
    private static final Future<OptionalLong> NOTHING_WRITTEN = Future.succeededFuture(OptionalLong.empty());

    private final Cluster cluster;
    private final SessionStore<LegacySession> sessions;
    private final ResourceWatching watching;
    private final ResumeLimits resume;
    private final Duration idleTtl;
    private final Duration noting;
    private volatile long noted = System.nanoTime();
    private final AtomicInteger notes = new AtomicInteger();
    private final AtomicInteger page = new AtomicInteger();

    /** Sessions that ended moments ago, so that none is taken over that was read just before. */
    private final Cache<String, Boolean> over = Caffeine.newBuilder()
            .maximumSize(10_000)
            .expireAfterWrite(Duration.ofSeconds(10))
            .build();

    SessionCopies(
            Cluster cluster,
            SessionStore<LegacySession> sessions,
            ResourceWatching watching,
            ResumeLimits resume,
            Duration idleTtl) {
        this.cluster = cluster;
        this.sessions = sessions;
        this.watching = watching;
        this.resume = resume;
        this.idleTtl = idleTtl;
        Duration quarter = idleTtl.dividedBy(4);
        this.noting = quarter.compareTo(NOTING) < 0 ? quarter : NOTING;
    }

    /** Keeps a copy of a session. */
    void adopt(SessionRow row) {
        if (over.getIfPresent(row.key()) != null) {
            return;
        }
        try {
            LegacySession state = SessionStateJson.read(Json.parse(row.state()), resume);
            state.share(cluster.node(), row.revision());
            state.seen(row.revision(), elsewhere(row.streamNode()));
            Duration remaining = idleTtl.minusMillis(row.times().idleMs());
            sessions.adopt(new SavedSession<>(
                    row.key(),
                    row.owner(),
                    state,
                    Duration.ofMillis(row.times().ageMs()),
                    remaining.compareTo(LEAST_REMAINING) < 0 ? LEAST_REMAINING : remaining));
        } catch (JsonProcessingException | IllegalArgumentException e) {
            unreadable(e);
        }
    }

    private static void unreadable(Exception problem) {
        LOG.warn(
                "a shared session can't be read by this version ({})",
                problem.getClass().getSimpleName());
    }

    private boolean elsewhere(@Nullable String streamNode) {
        return streamNode != null && !streamNode.equals(cluster.node());
    }

    /** A session has ended. */
    void ended(String key) {
        over.put(key, true);
        sessions.kept(key).ifPresent(sessions::end);
    }

    /** A copy that is shared by more than its connection. */
    private Optional<Session<LegacySession>> copy(String key) {
        return sessions.kept(key).filter(session -> session.state().streamSession() == null);
    }

    /**
     * A session has changed on another node: reads it again if there is a copy. Completes when servers were asked for the resources
     * that its client watches now, if its stream is here.
     */
    Future<Void> changed(String key) {
        return copy(key)
                .map(session -> read(session)
                        .compose(watchesOthers -> watchesOthers ? asked(session) : Future.<Void>succeededFuture()))
                .orElseGet(Future::succeededFuture);
    }

    private Future<Void> asked(Session<LegacySession> session) {
        Set<String> watched = session.state().subscribed();
        if (watched.isEmpty()) {
            watching.look();
        }
        return watching.lookAndAsk(session.owner().view(), watched);
    }

    /** Reads the row of a copy; returns whether its stream is here and its client watches other resources now. */
    private Future<Boolean> read(Session<LegacySession> session) {
        return session.state().unwritten().inOrder(() -> cluster.sessions()
                .find(session.key())
                .map(row -> row.isPresent() && refresh(session.state(), row.get())));
    }

    private boolean refresh(LegacySession state, SessionRow row) {
        Set<String> before = state.subscribed();
        try {
            if (!SessionStateJson.refresh(state, Json.parse(row.state()))) {
                return false; // Changes are written first; the row's next revision has them.
            }
        } catch (JsonProcessingException | IllegalArgumentException e) {
            unreadable(e);
        }
        state.seen(row.revision(), elsewhere(row.streamNode()));
        return state.stream().isPresent() && !state.subscribed().equals(before);
    }

    /**
     * Makes the noted changes of a copy to the row, and waits for a moment until other nodes know. Never fails: what could not be written
     * is tried again.
     */
    Future<Void> write(Session<LegacySession> session) {
        UnwrittenChanges unwritten = session.state().unwritten();
        return unwritten.write(
                () -> unwritten.inOrder(() -> writeNow(session)).compose(revision -> tell(session, revision)));
    }

    /** Outside the order of reads and writes, because another node may wait for this one's reading in the same way. */
    private Future<Void> tell(Session<LegacySession> session, OptionalLong revision) {
        return revision.isPresent() ? cluster.tellChanged(session.key()) : Future.succeededFuture();
    }

    private Future<OptionalLong> writeNow(Session<LegacySession> session) {
        LegacySession state = session.state();
        List<SessionChange> changes = state.unwritten().take();
        if (changes.isEmpty() || state.streamSession() != null) {
            return NOTHING_WRITTEN;
        }
        return cluster.sessions()
                .change(session.key(), json -> changed(json, changes))
                .map(Futures.also(revision -> revision.ifPresent(state::written)))
                .recover(failure -> {
                    LOG.debug("a session is saved later", failure);
                    state.unwritten().putBack(changes);
                    return NOTHING_WRITTEN;
                });
    }

    private static String changed(String json, List<SessionChange> changes) {
        try {
            ObjectNode state = Json.parse(json) instanceof ObjectNode object ? object : Json.object();
            changes.forEach(change -> change.apply(state));
            return Json.text(state);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the state of a session is not JSON", e);
        }
    }

    /** The stream of a session is open on this node; one on another node ends when that node knows. */
    Future<Void> streamOpened(Session<LegacySession> session) {
        LegacySession state = session.state();
        return state.unwritten()
                .inOrder(() ->
                        state.stream().map(open -> openedNow(session, open)).orElse(NOTHING_WRITTEN))
                .compose(revision -> tell(session, revision));
    }

    private Future<OptionalLong> openedNow(Session<LegacySession> session, GetStream open) {
        return cluster.sessions()
                .streamOpened(session.key(), cluster.node())
                .map(Futures.also(revision -> revision.ifPresent(now -> {
                    if (!session.state().streamWritten(open, now)) {
                        open.missed();
                    }
                })));
    }

    /** The stream of a session on this node is over. */
    Future<Void> streamClosed(Session<LegacySession> session) {
        LegacySession state = session.state();
        return state.unwritten()
                .inOrder(() -> state.stream().isPresent() ? NOTHING_WRITTEN : closedNow(session))
                .compose(revision -> tell(session, revision));
    }

    private Future<OptionalLong> closedNow(Session<LegacySession> session) {
        return cluster.sessions()
                .streamClosed(session.key(), cluster.node())
                .map(Futures.also(revision -> revision.ifPresent(session.state()::written)));
    }

    /** Notes the uses of the copies since the last time. */
    Future<Void> touch() {
        long now = System.nanoTime();
        boolean streams = notes.incrementAndGet() % STREAMS_EVERY == 0;
        Duration since = Duration.ofNanos(now - noted).plusSeconds(1);
        List<SessionUse> uses = sessions.uses().stream()
                .filter(use ->
                        use.calls() || (use.stream() ? streams : use.ago().compareTo(since) < 0))
                .toList();
        return cluster.sessions().used(uses).map(done -> {
            noted = now;
            return done;
        });
    }

    /** Compares the copies with the rows, some thousands at a time. */
    Future<Void> compare() {
        boolean due = System.nanoTime() - noted > noting.toNanos();
        return (due ? touch() : Future.<Void>succeededFuture()).compose(_ -> {
            List<SessionUse> copies = nextPage();
            return copies.isEmpty()
                    ? Future.succeededFuture()
                    : cluster.sessions()
                            .states(copies.stream().map(SessionUse::key).toList())
                            .compose(rows -> compare(copies, rows));
        });
    }

    private List<SessionUse> nextPage() {
        List<SessionUse> all = sessions.uses();
        int pages = Math.ceilDiv(all.size(), PAGE);
        int from = pages == 0 ? 0 : Math.floorMod(page.getAndIncrement(), pages) * PAGE;
        return all.subList(from, Math.min(all.size(), from + PAGE));
    }

    private Future<Void> compare(List<SessionUse> copies, Map<String, SessionTable.State> rows) {
        List<Supplier<Future<Void>>> steps = new ArrayList<>();
        for (SessionUse copy : copies) {
            Optional<Session<LegacySession>> session = copy(copy.key());
            if (session.isEmpty()) {
                continue;
            }
            SessionTable.State row = rows.get(copy.key());
            if (row == null || (!row.open() && !usedSinceNoted(copy))) {
                sessions.end(session.get());
            } else if (steps.size() < MOST_STEPS) {
                agreement(session.get(), row).ifPresent(steps::add);
            }
        }
        long end = System.nanoTime() + LONGEST_COMPARING.toNanos();
        return Futures.oneByOne(
                steps.iterator(), step -> end - System.nanoTime() > 0 ? compared(step) : Future.succeededFuture());
    }

    /** A session whose row can't be used keeps no other waiting. */
    private static Future<Void> compared(Supplier<Future<Void>> step) {
        return step.get().recover(failure -> {
            LOG.debug("a session is compared later", failure);
            return Future.succeededFuture();
        });
    }

    /** The step after which a copy and its row agree: the row is written or read; empty if they do. */
    private Optional<Supplier<Future<Void>>> agreement(Session<LegacySession> session, SessionTable.State row) {
        if (session.state().unwritten().any()) {
            return Optional.of(() -> write(session));
        }
        Optional<GetStream> stream = session.state().stream();
        if (stream.isEmpty() && cluster.node().equals(row.streamNode())) {
            return Optional.of(() -> streamClosed(session));
        }
        if (stream.isPresent() && (row.streamNode() == null || !stream.get().isWritten())) {
            return Optional.of(() -> streamOpened(session));
        }
        return isOutdated(session.state(), row) ? Optional.of(() -> readAgain(session)) : Optional.empty();
    }

    private Future<Void> readAgain(Session<LegacySession> session) {
        return read(session)
                .map(Futures.also(watchesOthers -> {
                    if (watchesOthers) {
                        watching.look();
                    }
                }))
                .mapEmpty();
    }

    /** A node that is gone, or is back, changes where the stream is without a new revision. */
    private boolean isOutdated(LegacySession state, SessionTable.State row) {
        return row.revision() != state.revision() || elsewhere(row.streamNode()) != state.streamElsewhere();
    }

    private boolean usedSinceNoted(SessionUse copy) {
        return copy.calls() || copy.stream() || copy.ago().toNanos() < System.nanoTime() - noted;
    }
}
