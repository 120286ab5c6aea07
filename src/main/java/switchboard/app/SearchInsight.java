package switchboard.app;

import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import switchboard.auth.AccessPolicy;
import switchboard.backend.ListChanges;
import switchboard.concurrent.BlockingExecutor;
import switchboard.config.AuthConfig;
import switchboard.config.GatewayConfig;
import switchboard.config.InsightConfig;
import switchboard.dispatch.Dispatcher;
import switchboard.embed.Embedders;
import switchboard.federation.FederationBackend;
import switchboard.federation.LearnedSearch;
import switchboard.federation.SearchGapSource;
import switchboard.federation.TeamMembers;
import switchboard.federation.WatchDesk;
import switchboard.insight.InsightSettings;
import switchboard.insight.InsightStore;
import switchboard.insight.SearchLog;
import switchboard.protocol.OperationObserver;
import switchboard.telemetry.AnsweredCall;
import switchboard.telemetry.FinishedRequest;
import switchboard.watch.FolderWatches;
import switchboard.watch.SharedWatches;
import switchboard.watch.WatchBook;
import switchboard.watch.WatchQueue;
import switchboard.watch.WatchSettings;
import switchboard.watch.WebhookQueue;
import switchboard.watch.WebhookRules;

/** Tells the search log what tools have answered, and keeps standing questions. Thread-safe. */
final class SearchInsight implements OperationObserver, AutoCloseable {
    /** Much less than anything is kept. */
    private static final Duration TIDY = Duration.ofMinutes(10);

    /** How long an approval may take until searches rank by it. */
    private static final Duration LOOK = Duration.ofSeconds(2);

    /** How many people may wait for their turn to read the log. */
    private static final int MOST_READERS = 8;

    /** How many changes of standing questions may wait to be written. */
    private static final int MOST_WRITES = 1024;

    private final SearchLog log;
    private final BlockingExecutor executor;

    /** Of its own, since removing what is old may take long. */
    private final BlockingExecutor looks;

    private final LoggedGaps gaps;
    private final LiveTuning tuning;
    private final Optional<WatchDesk> desk;
    private final GatewayWatches watches;
    private final WatchDeliveries deliveries;

    /**
     * A log, and standing questions in the data folder {@code data}. Without teams it only removes what is there of earlier times.
     *
     * @param cluster has the log and the standing questions, if there are several gateways
     * @param dispatcher tells what has changed
     * @param members who there is
     * @param policy what they may do
     */
    SearchInsight(
            GatewayConfig gateway,
            ConfiguredCluster cluster,
            Path data,
            Platform platform,
            Dispatcher dispatcher,
            TeamMembers members,
            AccessPolicy policy) {
        InsightConfig config = gateway.insight();
        InsightStore store = cluster.searchLog(data, platform.clock());
        this.log = new SearchLog(settings(config), store, platform.clock(), platform.meters());
        this.executor = platform.executor("insight", 1);
        this.looks = platform.executor("tuning", 1);
        this.gaps = new LoggedGaps(
                config,
                store,
                new QuestionMeanings(() -> platform.models().embedders().embedder(Embedders.DEFAULT)),
                platform.executor("gaps", MOST_READERS),
                platform.clock());
        this.tuning = new LiveTuning(cluster.tuning(data), platform.clock());
        tuning.look(_ -> {});
        tuning.lookAtTrials(_ -> {});
        WatchSettings asked = watches(config);
        BlockingExecutor writing = platform.executor("questions", MOST_WRITES);
        WatchBook book = cluster.documents()
                .<WatchBook>map(tables -> new SharedWatches(platform.vertx(), tables, asked, writing))
                .orElseGet(() -> new FolderWatches(data, asked, writing));
        WatchQueue queue = new WatchQueue(asked);
        ListChanges changes = new ListChanges(platform.vertx().eventBus(), FederationBackend.ID);
        WatchDesk own = new WatchDesk(book, platform.clock(), changes);
        this.desk = Optional.of(own).filter(_ -> asked.any());
        boolean teams = gateway.auth().mode() == AuthConfig.Mode.KEYS;
        WatchAskers askers = new WatchAskers(teams, members, policy, asked);
        WebhookQueue webhooks = new WebhookQueue();
        this.watches = new GatewayWatches(
                new GatewayWatches.Parts(book, queue, askers, writing, dispatcher, changes, webhooks, own::listed),
                platform);
        this.deliveries = new WatchDeliveries(book, webhooks, askers, platform);
    }

    private static WatchSettings watches(InsightConfig config) {
        Map<String, WatchSettings.TeamWatches> teams = new HashMap<>();
        config.teams().forEach((team, insight) -> {
            InsightConfig.WatchesConfig own = insight.watches();
            if (own != null) {
                teams.put(
                        team,
                        new WatchSettings.TeamWatches(
                                own.most(),
                                own.every(),
                                own.runsPerMinute(),
                                own.maxAge(),
                                own.keepFor(),
                                Optional.ofNullable(own.webhooks())
                                        .map(hooks -> new WebhookRules(
                                                Set.copyOf(hooks.hosts()), hooks::keys, hooks.allowPrivate()))));
            }
        });
        return new WatchSettings(teams, config.teams().keySet());
    }

    /** Where standing questions are asked; empty if nobody may ask any. */
    Optional<WatchDesk> desk() {
        return desk;
    }

    /** What asks standing questions again. */
    GatewayWatches watches() {
        return watches;
    }

    /** What tells webhooks of their news. */
    WatchDeliveries deliveries() {
        return deliveries;
    }

    /** What the log says, and what an operator has approved. */
    LearnedSearch learned() {
        return new LearnedSearch(gaps, tuning);
    }

    /** What operators have approved. */
    LiveTuning tuning() {
        return tuning;
    }

    /** What the log says of what was not found. */
    SearchGapSource gaps() {
        return gaps;
    }

    private static InsightSettings settings(InsightConfig config) {
        Map<String, InsightSettings.TeamInsight> teams = new HashMap<>();
        Set<String> unlogged = new HashSet<>(config.teams().keySet());
        config.logged()
                .forEach((team, insight) -> teams.put(
                        team,
                        new InsightSettings.TeamInsight(
                                switch (insight.queries()) {
                                    case FULL -> InsightSettings.QueryDetail.FULL;
                                    case HASH -> InsightSettings.QueryDetail.HASH;
                                    case NONE -> InsightSettings.QueryDetail.NONE;
                                },
                                insight.keepFor(),
                                insight.maxSize().bytes())));
        unlogged.removeAll(teams.keySet());
        return new InsightSettings(teams, unlogged);
    }

    /** Removes what is too old, now and from time to time, and follows what operators approve. */
    void watch(Vertx vertx, AuditRecorder audit) {
        tidy();
        vertx.setPeriodic(TIDY.toMillis(), _ -> tidy());
        vertx.setPeriodic(
                LOOK.toMillis(),
                _ -> looks.run("", () -> false, () -> {
                    tuning.look(decided -> decided.note(audit));
                    tuning.lookAtTrials(news -> news.note(audit));
                    return true;
                }));
    }

    private void tidy() {
        executor.run("", () -> false, () -> {
            log.tidy();
            return true;
        });
    }

    @Override
    public boolean wantsAnswers(String team) {
        return log.logs(team);
    }

    @Override
    public void answered(AnsweredCall answer) {
        if (answer.backend().equals(FederationBackend.ID)) {
            switch (answer.tool()) {
                case FederationBackend.SEARCH -> log.searched(answer);
                case FederationBackend.READ ->
                    log.read(
                            answer.caller(), answer.structured().path("address").asText());
                case FederationBackend.CHECK ->
                    answer.structured().path("results").findValuesAsText("address").stream()
                            .distinct()
                            .forEach(address -> log.read(answer.caller(), address));
                default -> {}
            }
        } else {
            log.used(answer);
        }
    }

    @Override
    public void finished(FinishedRequest request) {}

    @Override
    public void close() {
        log.close();
        watches.close();
    }
}
