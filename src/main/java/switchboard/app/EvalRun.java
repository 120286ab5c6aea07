package switchboard.app;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import switchboard.app.BootException.Stage;
import switchboard.config.GatewayConfig;
import switchboard.embed.Embedder;
import switchboard.embed.Embedders;
import switchboard.eval.EvalReport;
import switchboard.eval.Evaluation;
import switchboard.eval.JudgedSet;
import switchboard.store.LuceneDocumentStore;
import switchboard.store.StoreSettings;

/** Measures retrieval on a judged set, in a store of its own. Blocks; for a command's thread. */
public final class EvalRun {
    private EvalRun() {}

    /**
     * Indexes {@code set} and asks its queries by keyword, by vector and combined.
     *
     * @param config names the embedders
     * @param embedder which of them
     * @param work where index and vectors are kept; another run with the same goes on where this one ended
     * @throws BootException if there is no such embedder, or the store can't be opened
     */
    public static EvalReport run(
            GatewayConfig config, String embedder, JudgedSet set, Path work, Evaluation.Progress progress)
            throws IOException {
        try (Platform platform = Platform.create(config, Clock.systemUTC())) {
            Embedder model = platform.models()
                    .embedders()
                    .find(embedder)
                    .map(Embedders.Named::embedder)
                    .orElseThrow(() -> new BootException(
                            Stage.CONFIGURATION, List.of("there is no embedder \"" + embedder + "\"")));
            LuceneDocumentStore store = LuceneDocumentStore.open(
                            platform.vertx(),
                            platform.meters(),
                            platform.clock(),
                            StoreSettings.of(work.resolve("store"), "eval"))
                    .await();
            try {
                return new Evaluation(store, model, work.resolve("vectors"), progress)
                        .run(set, Evaluation.standardModes());
            } finally {
                Platform.finish("store", store.close());
            }
        }
    }
}
