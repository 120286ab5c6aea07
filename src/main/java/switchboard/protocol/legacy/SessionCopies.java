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
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.auth.PrincipalId;
import switchboard.call.Json;
import switchboard.cluster.Cluster;
import switchboard.cluster.NodeMessage;
import switchboard.cluster.SessionRow;
import switchboard.cluster.SessionTable;
import switchboard.session.SavedSession;
import switchboard.session.Session;
import switchboard.session.SessionOwner;
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

    /** So many copies are read again in one poll. */
    private static final int MOST_READ = 100;

    private static final Duration LEAST_REMAINING = Duration.ofSeconds(1);

    private final Cluster cluster;
    private final SessionStore<LegacySession> sessions;
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

    SessionCopies(Cluster cluster, SessionStore<LegacySession> sessions, ResumeLimits resume, Duration idleTtl) {
        this.cluster = cluster;
        this.sessions = sessions;
        this.resume = resume;
        this.idleTtl = idleTtl;
        Duration quarter = idleTtl.dividedBy(4);
        this.noting = quarter.compareTo(NOTING) < 0 ? quarter : NOTING;
    }

    static SessionOwner owner(SessionRow row) {
        SessionRow.Owner owner = row.owner();
        return new SessionOwner(new PrincipalId(owner.team(), owner.identity(), owner.proof()), owner.view());
    }

    static SessionRow.Owner owner(SessionOwner owner) {
        return new SessionRow.Owner(
                owner.team(), owner.identity().id(), owner.identity().proof(), owner.view());
    }

    /** Keeps a copy of a session. */
    void adopt(SessionRow row) {
        if (over.getIfPresent(row.key()) != null) {
            return;
        }
        try {
            LegacySession state = SessionStateJson.read(Json.parse(row.state()), resume);
            state.share(cluster.node());
            state.seen(row.revision(), elsewhere(row));
            Duration remaining = idleTtl.minusMillis(row.times().idleMs());
            var _ = sessions.adopt(new SavedSession<>(
                    row.key(),
                    owner(row),
                    state,
                    Duration.ofMillis(row.times().ageMs()),
                    remaining.compareTo(LEAST_REMAINING) < 0 ? LEAST_REMAINING : remaining));
        } catch (JsonProcessingException | IllegalArgumentException e) {
            LOG.warn(
                    "a shared session can't be read by this version ({})",
                    e.getClass().getSimpleName());
        }
    }

    private boolean elsewhere(SessionRow row) {
        return row.streamNode() != null && !row.streamNode().equals(cluster.node());
    }

    /** A session has ended. */
    void ended(String key) {
        over.put(key, true);
        sessions.kept(key).ifPresent(sessions::end);
    }

    /** A session has changed on another node: reads it again if there is a copy. */
    Future<Void> read(String key) {
        Optional<Session<LegacySession>> copy =
                sessions.kept(key).filter(session -> session.state().streamSession() == null);
        if (copy.isEmpty()) {
            return Future.succeededFuture();
        }
        return cluster.sessions().find(key).map(row -> {
            row.ifPresent(now -> refresh(copy.get().state(), now));
            return null;
        });
    }

    private void refresh(LegacySession state, SessionRow row) {
        if (state.changed()) {
            return; // They are written first; the row's next revision has them.
        }
        try {
            SessionStateJson.refresh(state, Json.parse(row.state()));
            state.seen(row.revision(), elsewhere(row));
        } catch (JsonProcessingException e) {
            LOG.warn("a shared session can't be read by this version", e);
        }
    }

    /** Makes the noted changes of a copy to the row, one write after another. Never fails: what could not be written is tried again. */
    Future<Void> write(Session<LegacySession> session) {
        LegacySession state = session.state();
        return state.changed() ? state.inOrder(() -> writeNow(session)) : Future.succeededFuture();
    }

    private Future<Void> writeNow(Session<LegacySession> session) {
        List<SessionChange> changes = session.state().takeChanges();
        if (changes.isEmpty() || session.state().streamSession() != null) {
            return Future.succeededFuture();
        }
        return cluster.sessions()
                .change(session.key(), json -> changed(json, changes))
                .compose(_ -> cluster.tellChanged(session.key()))
                .recover(failure -> {
                    LOG.debug("a session is saved later", failure);
                    session.state().putBack(changes);
                    return Future.succeededFuture();
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

    /** The stream of a session is open on this node; the one on another node ends. */
    Future<Void> streamOpened(Session<LegacySession> session) {
        return session.state().inOrder(() -> cluster.sessions()
                .streamOpened(session.key(), cluster.node())
                .compose(before -> before.isEmpty() || before.equals(cluster.node())
                        ? Future.succeededFuture(false)
                        : cluster.toNode(new NodeMessage(NodeMessage.Kind.STREAM_MOVED, session.key(), "{}"), before))
                .compose(_ -> cluster.tellChanged(session.key())));
    }

    /** Notes the uses of the copies since the last time. */
    Future<Void> touch() {
        long now = System.nanoTime();
        boolean streams = notes.incrementAndGet() % STREAMS_EVERY == 0;
        Duration since = Duration.ofNanos(now - noted).plusSeconds(1);
        List<SessionTable.Use> uses = sessions.uses().stream()
                .filter(use ->
                        use.calls() || (use.stream() ? streams : use.ago().compareTo(since) < 0))
                .map(use -> new SessionTable.Use(use.key(), use.ago().toMillis(), use.calls(), use.stream()))
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
        List<String> outdated = new ArrayList<>();
        List<Future<Void>> late = new ArrayList<>();
        for (SessionUse copy : copies) {
            Optional<Session<LegacySession>> session =
                    sessions.kept(copy.key()).filter(one -> one.state().streamSession() == null);
            if (session.isEmpty()) {
                continue;
            }
            SessionTable.State row = rows.get(copy.key());
            if (row == null || (!row.open() && !usedSinceNoted(copy))) {
                sessions.end(session.get());
            } else if (session.get().state().changed()) {
                late.add(write(session.get()));
            } else if (row.streamless() && session.get().state().stream().isPresent()) {
                late.add(streamOpened(session.get()));
            } else if (row.revision() != session.get().state().revision() && outdated.size() < MOST_READ) {
                outdated.add(copy.key());
            }
        }
        Future<Void> all = Future.join(late).mapEmpty();
        for (String key : outdated) {
            all = all.compose(_ -> read(key));
        }
        return all;
    }

    private boolean usedSinceNoted(SessionUse copy) {
        return copy.calls() || copy.stream() || copy.ago().toNanos() < System.nanoTime() - noted;
    }
}
