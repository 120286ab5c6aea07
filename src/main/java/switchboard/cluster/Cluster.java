package switchboard.cluster;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.auth.BudgetLedger;
import switchboard.auth.BudgetPayer;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.TeamShare;
import switchboard.config.ClusterConfig;
import switchboard.session.SessionLimits;

/**
 * This node among those that share a database. It joins once the schema is there, tries until then, and stays joined while the database is
 * away. Agreements are transactions; notices only tell others to look. Thread-safe.
 */
public final class Cluster {
    private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);

    /** The pause between two polls, and between two refreshes of the node's row. */
    private static final long PERIOD_MS = 2_000;

    private static final int SWEEP_EVERY = 15;
    private static final long JOIN_AGAIN_MS = 1_000;

    private static final String ENDED = "ended";
    private static final String CHANGED = "changed";
    private static final String MESSAGES = "messages";
    private static final String READ = "read";
    private static final String ASKED = "asked";
    static final String DOCUMENTS = "documents";

    /** An operator has decided something. */
    static final String DECIDED = "decided";

    private final Vertx vertx;
    private final ClusterConfig config;
    private final String version;
    private final String name;
    private final BlockingExecutor executor;
    private final ClusterServers direct;
    private final ClusterDatabase database;
    private final NodeTable nodes;
    private final MessageTable messages;
    private final CallMessages calls;
    private final Inbox inbox;
    private final SessionTable sessions;
    private final ConsoleSessionTable consoleSessions;
    private final DocumentTables documents;
    private final NodeBudgets budgets;
    private final UsageTable usage;
    private final InsightTable insight;
    private final TuningTable tuning;
    private final OperatorDecisions decisions;
    private final Notices notices;
    private final Acknowledgements acknowledgements;
    private final String id = NodeNames.randomId();
    private final AtomicReference<Set<String>> others = new AtomicReference<>(Set.of());
    private final AtomicBoolean polling = new AtomicBoolean();
    private volatile @Nullable ClusterListener listener;
    private volatile boolean joined;

    /** Why it could not join the last time. */
    private volatile String problem = "";

    private volatile boolean closed;
    private volatile long timer = -1;
    private final Steadiness steadiness = new Steadiness();
    private int polls;

    /**
     * A node, which does nothing yet.
     *
     * @param limits of the sessions of all nodes together
     * @param executor for migrations, which block
     * @param share the part of what waits for connections that one team may use
     * @throws IllegalArgumentException with a message for the operator, if the configuration can't be used
     */
    public Cluster(
            Vertx vertx,
            ClusterConfig config,
            SessionLimits limits,
            String version,
            BlockingExecutor executor,
            TeamShare share,
            MeterRegistry meters,
            Clock clock) {
        this.vertx = vertx;
        this.config = config;
        this.name = NodeNames.name(config.node());
        this.version = version;
        this.executor = executor;
        this.direct = ClusterServers.direct(config);
        this.database = new ClusterDatabase(vertx, ClusterServers.ofStatements(config), config.connections(), clock);
        String quoted = '"' + config.schema() + '"';
        this.nodes = new NodeTable(database, quoted);
        this.messages = new MessageTable(database, quoted);
        this.calls = new CallMessages(id, name, messages, others::get, () -> joined && reachable(), this::announce);
        this.inbox = new Inbox(() -> messages.take(id), this::received);
        this.sessions = new SessionTable(database, quoted, limits);
        this.consoleSessions = new ConsoleSessionTable(database, quoted);
        this.acknowledgements = new Acknowledgements(vertx);
        this.notices = new Notices(vertx, direct, database, channel(config), this::noticed, this::listens);
        this.documents = new DocumentTables(
                database, config, id, share, backend -> notices.send(DOCUMENTS + " " + id + " " + backend));
        this.decisions = new OperatorDecisions(database, quoted, () -> tell(DECIDED, "-"));
        this.usage = new UsageTable(database, quoted, this::joined);
        this.insight = new InsightTable(database, quoted, this::joined);
        this.tuning = new TuningTable(database, quoted, this::joined);
        this.budgets = new NodeBudgets(
                id, database, quoted, this::size, payer -> notices.send(ASKED + " " + id + " " + payer.text()));
        ClusterMeters.register(this, meters);
    }

    /** The name of the channel of LISTEN and NOTIFY that the gateways of {@code config} share. */
    static String channel(ClusterConfig config) {
        return config.schema() + "_notices";
    }

    /** The id of this node: random, 12 characters, another one after each start. */
    public String node() {
        return id;
    }

    /** The sessions of all nodes. */
    public SessionTable sessions() {
        return sessions;
    }

    /** The sessions of the console of all nodes. */
    public ConsoleSessionTable consoleSessions() {
        return consoleSessions;
    }

    /** The documents of all nodes. */
    public DocumentTables documents() {
        return documents;
    }

    /** The limits that hold over all nodes. */
    public BudgetLedger budgets() {
        return budgets;
    }

    /** What teams have called on all nodes. */
    public UsageTable usage() {
        return usage;
    }

    /** The search log of all nodes. */
    public InsightTable insight() {
        return insight;
    }

    /** What was decided about weights of searches on all nodes. */
    public TuningTable tuning() {
        return tuning;
    }

    /** What operators have decided for all nodes. */
    public OperatorDecisions decisions() {
        return decisions;
    }

    /** Tells {@code own} what happens on other nodes, once this one has joined. */
    public void listen(ClusterListener own) {
        listener = own;
    }

    /** What nodes send each other of their calls. */
    public CallMessages calls() {
        return calls;
    }

    /** Joins as soon as it can. */
    public void start() {
        join();
    }

    /** Whether it has joined once; then it stays so. */
    public boolean joined() {
        return joined;
    }

    /** Whether the database answers and notices arrive. */
    public boolean up() {
        return joined && database.up() && notices.listens();
    }

    /** How many nodes share the database, this one included, as last seen. */
    int size() {
        return others.get().size() + 1;
    }

    /** Whether the database answered last; notices may be lost. */
    public boolean reachable() {
        return database.up();
    }

    /** Its state in words, for {@code /health/ready}; contains no secrets. */
    public String detail() {
        if (!joined) {
            return problem.isEmpty() ? "waits for the database" : "has not joined yet: " + problem;
        }
        if (!database.up()) {
            return "the database can't be reached; known sessions go on";
        }
        return notices.listens()
                ? size() + " nodes"
                : "notices do not arrive (LISTEN); changes on other nodes are known after some seconds";
    }

    private void join() {
        if (closed) {
            return;
        }
        Future<Set<String>> seen = executor.run(() -> {
                    new Migrations(direct.jdbc(), config.schema()).run();
                    return true;
                })
                .compose(_ -> decisions.read())
                .compose(_ -> nodes.beat(id, name, version));
        Futures.finish(seen, this::hasJoined, failure -> {
            String reason = ClusterDatabase.reason(failure);
            if (!reason.equals(problem)) {
                LOG.warn("this gateway can't join the cluster yet, and tries again every second: {}", reason);
            }
            problem = reason;
            LOG.debug("the cluster can't be joined", failure);
            vertx.setTimer(JOIN_AGAIN_MS, _ -> join());
        });
    }

    private void hasJoined(Set<String> seen) {
        others.set(seen);
        notices.open();
        timer = vertx.setPeriodic(PERIOD_MS, _ -> poll());
        joined = true;
        documents.open();
        LOG.info("node {} ({}) has joined {} others", name, id, seen.size());
    }

    private ClusterListener listener() {
        return Objects.requireNonNull(listener, "somebody listens");
    }

    private void received(NodeMessage message) {
        if (!calls.received(message)) {
            listener().received(message);
        }
    }

    /** Notices arrive from now on. */
    private void listens() {
        documents.poll(true);
        poll();
    }

    private void poll() {
        if (closed || !polling.compareAndSet(false, true)) {
            return;
        }
        documents.poll(false);
        boolean sweeps = polls++ % SWEEP_EVERY == 0;
        if (sweeps) {
            documents.sweep();
        }
        Future<Void> all = nodes.beat(id, name, version)
                .map(Futures.also(others::set))
                .andThen(steadiness::beaten)
                .map(Futures.also(_ -> inbox.read()))
                .compose(_ -> decisions.compare().transform(_ -> listener().poll()))
                .compose(_ -> sweeps ? sweep() : Future.succeededFuture());
        Futures.settle(all, _ -> polling.set(false), _ -> {});
    }

    private Future<Void> sweep() {
        return sessions.sweep()
                .compose(_ -> consoleSessions.sweep())
                .compose(_ -> messages.sweep())
                .compose(_ -> budgets.sweep())
                .compose(_ -> nodes.sweep());
    }

    private void noticed(String notice) {
        String[] words = notice.split(" ", 4);
        switch (words[0]) {
            case MESSAGES -> {
                if (words.length > 1 && words[1].equals(id)) {
                    inbox.read();
                }
            }
            case READ -> {
                if (words.length > 3 && words[2].equals(id)) {
                    acknowledgements.arrived(words[1], words[3]);
                }
            }
            case DOCUMENTS -> {
                if (words.length == 3 && !words[1].equals(id)) {
                    documents.changed(words[2]);
                }
            }
            case ASKED -> {
                String[] asked = notice.split(" ", 3);
                if (asked.length == 3 && !asked[1].equals(id)) {
                    budgets.asked(BudgetPayer.of(asked[2]));
                }
            }
            case ENDED -> read(words, listener()::ended);
            case CHANGED -> read(words, listener()::changed);
            case DECIDED -> read(words, _ -> decisions.read());
            default -> LOG.debug("a notice that this version does not know");
        }
    }

    /** Reads the notice {@code words}: kind, number, sender, key. */
    private void read(String[] words, Function<String, Future<Void>> reader) {
        if (words.length == 4 && !words[2].equals(id)) {
            Futures.settle(
                    reader.apply(words[3]),
                    _ -> notices.send(READ + " " + words[1] + " " + words[2] + " " + id),
                    _ -> {});
        }
    }

    /** Tells the other nodes that a session has ended; completes when they know, or after a moment. */
    public Future<Void> tellEnded(String key) {
        return tell(ENDED, key);
    }

    /** The same for one that has changed. */
    public Future<Void> tellChanged(String key) {
        return tell(CHANGED, key);
    }

    private Future<Void> tell(String kind, String key) {
        Acknowledgements.Expected expected = acknowledgements.of(others.get());
        notices.send(kind + " " + expected.number() + " " + id + " " + key);
        return expected.over();
    }

    /** Sends a message to the node {@code target}; returns whether it runs. */
    public Future<Boolean> toNode(NodeMessage message, String target) {
        return messages.toNode(message, target).map(this::announce);
    }

    /** Sends a message to all other nodes. */
    public Future<Void> toOthers(NodeMessage message) {
        return messages.toOthers(message, id).map(this::announce).mapEmpty();
    }

    /** Sends a message to the node with the stream of its session, if another one has it. */
    public Future<Void> toStream(NodeMessage message) {
        return messages.toStream(message, id).map(this::announce).mapEmpty();
    }

    /**
     * Whether the node {@code target} is gone: it has left, or does not say any more that it runs, although the database could be
     * reached all the time.
     */
    public Future<Boolean> gone(String target) {
        return nodes.presence(target).map(alive -> alive.isEmpty() || (!alive.get() && steadiness.lasts()));
    }

    private boolean announce(List<String> targets) {
        targets.forEach(target -> notices.send(MESSAGES + " " + target));
        return !targets.isEmpty();
    }

    /** Leaves: what others should know is written, then everything is closed. */
    public Future<Void> close() {
        closed = true;
        vertx.cancelTimer(timer);
        Future<Void> left = joined
                ? listener().leaving().transform(_ -> sessions.left(id)).compose(_ -> nodes.leave(id))
                : Future.succeededFuture();
        return left.transform(_ -> notices.close()).transform(_ -> database.close());
    }
}
