package switchboard.protocol.legacy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.call.Json;
import switchboard.cluster.Cluster;
import switchboard.cluster.NodeMessage;
import switchboard.protocol.ChangeHub;
import switchboard.session.Session;
import switchboard.session.SessionStore;

/**
 * Answers that are resumed on another node than the one where their call runs. An answer that nobody resumes elsewhere costs nothing:
 * the node that has it is asked when a client comes back on another one. Thread-safe.
 */
final class SharedAnswers {
    private static final Logger LOG = LoggerFactory.getLogger(SharedAnswers.class);

    private static final int MOST_READERS = 1000;
    private static final int ID_BYTES = 12;

    /** Several times as long as the pause between two pulls. */
    private static final Duration SILENT = Duration.ofSeconds(20);

    /** How long a node that leaves waits for its readers. */
    private static final Duration LAST_PAGES = Duration.ofSeconds(2);

    private final Cluster cluster;
    private final SessionStore<LegacySession> sessions;
    private final ChangeHub hub;
    private final Duration retry;
    private final SecureRandom random = new SecureRandom();

    /** The readers on other nodes of streams that are here. */
    private final Map<String, RemoteReader> readers = new ConcurrentHashMap<>();

    /** The streams of other nodes that are read here. */
    private final Map<String, RemoteAnswer> answers = new ConcurrentHashMap<>();

    /** Pages on their way to the table. */
    private final AtomicInteger sending = new AtomicInteger();

    private final Promise<Void> allRead = Promise.promise();
    private volatile boolean leaving;

    /** Readers that are over, or whose stream another one has taken over, so that what they asked before does not take it back. */
    private final Cache<String, Boolean> replaced = Caffeine.newBuilder()
            .maximumSize(10_000)
            .expireAfterWrite(Duration.ofMinutes(10))
            .build();

    SharedAnswers(Cluster cluster, SessionStore<LegacySession> sessions, ChangeHub hub, Duration retry) {
        this.cluster = cluster;
        this.sessions = sessions;
        this.hub = hub;
        this.retry = retry;
    }

    /** Resumes a stream of the session {@code key} that another node has. */
    void resume(String key, EventIds.EventPlace position, SessionSharing.Resumption resumption) {
        EventIds.Elsewhere elsewhere = position.elsewhere();
        if (elsewhere == null) {
            resumption.refuse().accept(LegacyHttpException.nothingFollows());
            return;
        }
        byte[] id = new byte[ID_BYTES];
        random.nextBytes(id);
        RemoteAnswer answer = new RemoteAnswer(
                HexFormat.of().formatHex(id), new Asked(key), position.event(), elsewhere, resumption, retry);
        answers.put(answer.id(), answer);
        answer.begin(hub);
    }

    /** The nodes that are asked about streams of the session {@code key}. */
    private final class Asked implements RemoteAnswer.Peers {
        private final String key;

        Asked(String key) {
            this.key = key;
        }

        @Override
        public Future<Boolean> ask(ResumeMessage.Pull pull, String target) {
            return cluster.toNode(new NodeMessage(NodeMessage.Kind.RESUME, key, Json.text(pull.json())), target);
        }

        @Override
        public Future<Boolean> gone(String target) {
            return cluster.gone(target);
        }

        @Override
        public String self() {
            return cluster.node();
        }

        @Override
        public void over(RemoteAnswer answer) {
            answers.remove(answer.id(), answer);
        }
    }

    /** Takes a message of another node, if it is about such an answer; returns whether it is. */
    boolean received(NodeMessage message) {
        try {
            switch (message.kind()) {
                case RESUME -> pulled(message.session(), ResumeMessage.Pull.of(message.body()));
                case RESUMED -> {
                    ResumeMessage.StreamPage page = ResumeMessage.StreamPage.of(message.body());
                    Optional.ofNullable(answers.get(page.reader())).ifPresent(answer -> answer.received(page));
                }
                case RESPONSE, CANCEL, POST, DELIVER, WATCH, CALLS -> {
                    return false;
                }
            }
        } catch (JsonProcessingException | RuntimeException e) {
            LOG.warn(
                    "a message of another node about an answer can't be used: {}",
                    e.getClass().getSimpleName());
        }
        return true;
    }

    private void pulled(String key, ResumeMessage.Pull pull) {
        RemoteReader known = readers.get(pull.reader());
        if (pull.over()) {
            replaced.put(pull.reader(), true); // what it asked before may come later
            Optional.ofNullable(known).ifPresent(reader -> reader.pulled(pull));
        } else if (known != null) {
            known.pulled(pull);
        } else if (replaced.getIfPresent(pull.reader()) != null) {
            send(key, pull.node(), end(pull, ResumeMessage.Outlook.CLOSED));
        } else {
            begin(key, pull);
        }
    }

    private void begin(String key, ResumeMessage.Pull pull) {
        Optional<ReplayBuffer> buffer = sessions.kept(key).map(Session::state).flatMap(LegacySession::replayBuffer);
        Optional<ResumableReply> reply = buffer.flatMap(one -> one.stream(pull.after().stream()));
        if (buffer.isEmpty() || reply.isEmpty()) {
            send(key, pull.node(), end(pull, ResumeMessage.Outlook.UNKNOWN));
            return;
        }
        if (readers.size() >= MOST_READERS) {
            send(key, pull.node(), end(pull, ResumeMessage.Outlook.BUSY));
            return;
        }
        RemoteReader reader = new RemoteReader(
                pull.reader(),
                reply.get(),
                buffer.get(),
                pull.after(),
                page -> {
                    if (page.outlook() == ResumeMessage.Outlook.CLOSED) {
                        replaced.put(page.reader(), true);
                    }
                    send(key, pull.node(), page);
                },
                () -> {
                    readers.remove(pull.reader());
                    lookWhetherAllRead();
                });
        readers.put(pull.reader(), reader);
        reply.get().resume(pull.after(), reader);
        reader.pulled(pull);
    }

    private static ResumeMessage.StreamPage end(ResumeMessage.Pull pull, ResumeMessage.Outlook outlook) {
        return new ResumeMessage.StreamPage(pull.reader(), List.of(), outlook);
    }

    private void send(String key, String node, ResumeMessage.StreamPage page) {
        sending.incrementAndGet();
        Futures.finish(
                cluster.toNode(new NodeMessage(NodeMessage.Kind.RESUMED, key, Json.text(page.json())), node)
                        .onComplete(_ -> sending.decrementAndGet()),
                _ -> lookWhetherAllRead(),
                failure -> LOG.debug("a page is asked for again", failure));
    }

    /** Waits for a moment until nobody reads here: the calls are over, and nodes that have not got all of an answer ask for the rest. */
    Future<Void> leaving() {
        leaving = true;
        lookWhetherAllRead();
        return allRead.future().timeout(LAST_PAGES.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void lookWhetherAllRead() {
        if (leaving && readers.isEmpty() && sending.get() == 0) {
            allRead.tryComplete();
        }
    }

    /** Forgets readers whose nodes don't ask any more. */
    void sweep() {
        readers.values().stream().filter(reader -> reader.silentFor(SILENT)).forEach(RemoteReader::leave);
    }
}
