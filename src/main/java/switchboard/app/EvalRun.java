package switchboard.app;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import switchboard.app.BootException.Stage;
import switchboard.config.GatewayConfig;
import switchboard.embed.Embedder;
import switchboard.embed.Embedders;
import switchboard.eval.EvalReport;
import switchboard.eval.Evaluation;
import switchboard.eval.JudgedSet;
import switchboard.store.Fusion;
import switchboard.store.LuceneDocumentStore;
import switchboard.store.StoreSettings;

/** Measures retrieval on a judged set, in a store of its own. Blocks: call it on the thread of a command. */
public final class EvalRun {
    private EvalRun() {}

    /**
     * Indexes {@code set} and runs its queries by keyword, by vector and combined.
     *
     * @param config names the embedders
     * @param embedder which of them
     * @param train queries to fit the weights on, if they are to be fitted; of the same documents
     * @param work where index and vectors are kept; another run with the same goes on where this one ended
     * @throws BootException if there is no such embedder, or the store can't be opened
     */
    public static EvalReport run(
            GatewayConfig config,
            String embedder,
            JudgedSet set,
            Optional<JudgedSet> train,
            Path work,
            Evaluation.EvalListener progress)
            throws IOException {
        try (Platform platform = Platform.forCommand(config, Clock.systemUTC())) {
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
                Evaluation evaluation = new Evaluation(store, model, work.resolve("vectors"), progress);
                EvalReport report = evaluation.run(set, Evaluation.standardModes());
                return train.isEmpty() ? report : tuned(evaluation, report, set, train.get());
            } finally {
                Platform.finish("store", store.close());
            }
        }
    }

    private static EvalReport tuned(Evaluation evaluation, EvalReport untuned, JudgedSet set, JudgedSet train)
            throws IOException {
        Fusion.WeightedSum best = evaluation.tune(train);
        String mode = "tuned " + best.weight() + "/" + best.bigrams() + "/" + best.feedback();
        List<EvalReport.ReportLine> lines = new ArrayList<>(untuned.modes());
        lines.addAll(evaluation.run(set, Map.of(mode, best)).modes());
        return new EvalReport(untuned.collection(), untuned.documents(), untuned.queries(), lines);
    }
}
