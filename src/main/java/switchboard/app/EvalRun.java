package switchboard.app;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import switchboard.config.GatewayConfig;
import switchboard.embed.Embedder;
import switchboard.embed.Reranking;
import switchboard.eval.EvalComparison;
import switchboard.eval.EvalComparison.EvalRunResult;
import switchboard.eval.Evaluation;
import switchboard.eval.JudgedSet;
import switchboard.store.Fusion;
import switchboard.store.LuceneDocumentStore;
import switchboard.store.StoreSettings;

/** Measures retrieval on a judged set, in a store of its own. Blocks: call it on the thread of a command. */
public final class EvalRun {
    private static final String NO_MODEL = "none";

    private EvalRun() {}

    /**
     * The variants to compare.
     *
     * @param embedders names of the configuration; {@code none} is search without vectors, if none is called so
     * @param train queries to fit the weights on, if they are to be fitted; of the same documents
     */
    public record Compared(List<String> embedders, Optional<JudgedSet> train) {}

    /**
     * Indexes {@code set} for each embedder and runs its queries by keyword, by vector and combined; by keyword only where an
     * embedder's provider is {@code none}.
     *
     * @param config has the embedders
     * @param installation where the files of models are
     * @param work where index and vectors are kept; another run with the same goes on where this one ended
     * @throws CommandRefusedException if there is no such embedder
     */
    public static EvalComparison run(
            GatewayConfig config,
            Installation installation,
            Compared compared,
            JudgedSet set,
            Path work,
            Evaluation.EvalListener progress)
            throws IOException {
        try (Platform platform = Platform.forCommand(config, installation, Clock.systemUTC())) {
            LuceneDocumentStore store = LuceneDocumentStore.open(
                            platform.vertx(),
                            platform.meters(),
                            platform.clock(),
                            StoreSettings.of(work.resolve("store"), "eval"))
                    .await();
            try {
                EvalComparison all = new EvalComparison(set.name(), set.texts().size(), List.of());
                for (String name : compared.embedders()) {
                    Optional<Embedder> model = embedder(platform, name);
                    Evaluation evaluation = new Evaluation(store, model, work.resolve("vectors"), progress);
                    EvalComparison measured = evaluation.run(set, modes(model));
                    List<EvalRunResult> runs = new ArrayList<>(measured.runs());
                    runs.addAll(reranked(evaluation, set, platform.models().reranking()));
                    if (compared.train().isPresent() && model.isPresent()) {
                        runs.addAll(tuned(evaluation, set, compared.train().get()));
                    }
                    all = all.and(named(runs, name, compared.embedders().size()), measured.cosines());
                }
                return all;
            } finally {
                Platform.finish("store", store.close());
            }
        }
    }

    private static Optional<Embedder> embedder(Platform platform, String name) {
        try {
            return platform.models().embedders().embedder(name);
        } catch (IllegalArgumentException unknown) {
            if (name.equals(NO_MODEL)) {
                return Optional.empty();
            }
            throw new CommandRefusedException(String.valueOf(unknown.getMessage()));
        }
    }

    private static Map<String, Fusion> modes(Optional<Embedder> model) {
        return model.isPresent() ? Evaluation.standardModes() : Evaluation.keywordModes();
    }

    /** The runs with their embedder in their names, if there are several. */
    private static List<EvalRunResult> named(List<EvalRunResult> runs, String embedder, int embedders) {
        return embedders == 1
                ? runs
                : runs.stream()
                        .map(run -> new EvalRunResult(
                                run.name() + " (" + embedder + ")", run.byQuery(), run.millis(), run.failed()))
                        .toList();
    }

    private static List<EvalRunResult> reranked(Evaluation evaluation, JudgedSet set, Optional<Reranking> reranking) {
        return reranking.stream()
                .map(second -> evaluation.reranked(set, second))
                .toList();
    }

    private static List<EvalRunResult> tuned(Evaluation evaluation, JudgedSet set, JudgedSet train) throws IOException {
        Fusion.WeightedSum best = evaluation.tune(train);
        String mode = "tuned " + best.weight() + "/" + best.bigrams() + "/" + best.proximity() + "/" + best.feedback();
        return evaluation.run(set, Map.of(mode, best)).runs();
    }
}
