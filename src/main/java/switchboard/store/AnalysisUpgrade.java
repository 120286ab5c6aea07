package switchboard.store;

import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/**
 * Analyses again, from their kept texts, the documents that an earlier version of {@link TextAnalysis} analysed. It runs
 * after the start, some documents in each commit, while the store serves; a later start continues where one was stopped.
 * Searches find documents of both versions.
 */
final class AnalysisUpgrade {
    /** Documents in one commit. Callers' changes to the namespace wait no longer than that. */
    static final int PAGE = 50;

    private static final Logger LOG = LoggerFactory.getLogger(AnalysisUpgrade.class);

    private final GroupCommit commits;
    private final Queue<Namespace> namespaces = new ArrayDeque<>();

    AnalysisUpgrade(NamespaceCatalog catalog, GroupCommit commits) {
        this.commits = commits;
        for (NamespaceIndex index : catalog.indexes()) {
            if (!index.facts().analysed() && index.damage().isEmpty()) {
                namespaces.add(index.namespace());
            }
        }
    }

    /** Begins in a store that has just been opened, if it is to be {@code upgraded}. */
    static void begin(StoreSettings settings, NamespaceCatalog catalog, GroupCommit commits) {
        if (settings.upgraded()) {
            new AnalysisUpgrade(catalog, commits).run();
        }
    }

    /** Works through all namespaces. Never fails: what could not be done is done after the next start. */
    Future<Void> run() {
        Namespace next = namespaces.poll();
        if (next == null) {
            return Future.succeededFuture();
        }
        return upgrade(next, 0).transform(done -> {
            if (done.succeeded()) {
                LOG.info(
                        "Analysed {} documents of {} again, with the text analysis of this version",
                        done.result(),
                        next.name());
            } else if (done.cause() instanceof ToolException closing
                    && closing.failed().kind() == FailureKind.UNAVAILABLE) {
                LOG.debug("The next start analyses the rest of {}: {}", next.name(), closing.getMessage());
                return Future.succeededFuture();
            } else {
                LOG.warn(
                        "The documents of {} can't be analysed again now; the next start tries again: {}",
                        next.name(),
                        done.cause().toString());
            }
            return run();
        });
    }

    private Future<Integer> upgrade(Namespace namespace, int before) {
        return commits.submit(namespace, new GroupCommit.Rewrite<>(batch -> batch.analyse(PAGE)))
                .compose(count ->
                        count < PAGE ? Future.succeededFuture(before + count) : upgrade(namespace, before + count));
    }
}
