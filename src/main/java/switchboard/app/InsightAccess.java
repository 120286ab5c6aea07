package switchboard.app;

import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import switchboard.app.BootException.Stage;
import switchboard.async.Futures;
import switchboard.cluster.CommandInsight;
import switchboard.config.ClusterConfig;
import switchboard.config.GatewayConfig;
import switchboard.insight.InsightFolder;
import switchboard.insight.InsightStore;
import switchboard.insight.InsightUnavailableException;
import switchboard.insight.SharedInsight;
import switchboard.tuning.SharedTuning;
import switchboard.tuning.TuningFolder;
import switchboard.watch.ForgottenSharedWatches;
import switchboard.watch.ForgottenWatches;
import switchboard.watch.WatchForgetting;

/**
 * The search log, and what is tuned by it, for a command: in the database that gateways share, or else in the data folder. Closing
 * blocks.
 */
public final class InsightAccess implements AutoCloseable {
    private final Path data;
    private final InsightStore log;
    private final TuningFolder tuning;
    private final @Nullable Vertx vertx;
    private final @Nullable CommandInsight shared;

    private InsightAccess(
            Path data, InsightStore log, TuningFolder tuning, @Nullable Vertx vertx, @Nullable CommandInsight shared) {
        this.data = data;
        this.log = log;
        this.tuning = tuning;
        this.vertx = vertx;
        this.shared = shared;
    }

    /**
     * Opens the log of the gateways of {@code config}. A database is not asked before something is read.
     *
     * @throws BootException if the configuration can't be used
     */
    public static InsightAccess open(GatewayConfig config, Installation installation) {
        InsightFolder folder = new InsightFolder(installation.data());
        ClusterConfig cluster = config.cluster();
        if (cluster == null) {
            return new InsightAccess(installation.data(), folder, new TuningFolder(installation.data()), null, null);
        }
        Vertx vertx = Platform.eventLoops();
        try {
            CommandInsight shared = new CommandInsight(vertx, cluster, Clock.systemUTC());
            return new InsightAccess(
                    installation.data(),
                    new SharedInsight(shared.table(), folder, Clock.systemUTC()),
                    new TuningFolder(installation.data(), new SharedTuning(shared.tuning())),
                    vertx,
                    shared);
        } catch (IllegalArgumentException e) {
            Platform.finish("threads", vertx.close());
            throw new BootException(Stage.CONFIGURATION, List.of(String.valueOf(e.getMessage())));
        }
    }

    /** The log. */
    public InsightStore log() {
        return log;
    }

    /** What was proposed and decided, as it is now. Blocks. */
    public TuningFolder tuning() throws IOException {
        tuning.pull();
        return tuning;
    }

    /**
     * Forgets standing questions. Blocks.
     *
     * @return how many are gone or have changed; empty if a running gateway keeps them and does that a moment later
     */
    public OptionalLong forget(WatchForgetting what) throws IOException {
        OptionalLong files = new ForgottenWatches(data).forget(what); // with a shared database, of earlier times
        if (shared == null) {
            return files;
        }
        var rows = Futures.await(
                new ForgottenSharedWatches(shared.watches()).forget(what),
                SharedInsight.REMOVING,
                why -> new InsightUnavailableException("Standing questions are", why));
        if (rows.unread() > 0) {
            throw new IOException(rows.unread() + " standing questions can't be read by this version, and stay; "
                    + rows.changed() + " others are gone or have changed. Use the version of the gateways.");
        }
        return OptionalLong.of(files.orElse(0) + rows.changed());
    }

    @Override
    public void close() {
        if (shared != null) {
            Platform.finish("database", shared.close());
        }
        if (vertx != null) {
            Platform.finish("threads", vertx.close());
        }
    }
}
