package switchboard.federation;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import switchboard.async.Futures;
import switchboard.auth.AccessPolicy;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.call.Verb;
import switchboard.watch.WatchNews;

/**
 * The news that an asker may see now: the document is looked for again with the rights of the call that reads them. Where the
 * caller may search but not read, the right to search the source is all that can be checked.
 */
record VisibleNews(FederatedCaller asker, FederationSettings settings, FederationBackend.Dependencies dependencies) {
    /** How many documents are looked for at once. */
    private static final int AT_ONCE = 8;

    /** Those of {@code news} that may be seen, in their order. */
    Future<List<WatchNews>> of(List<WatchNews> news) {
        List<WatchNews> visible = new ArrayList<>();
        List<List<WatchNews>> parts = IntStream.iterate(0, start -> start < news.size(), start -> start + AT_ONCE)
                .mapToObj(start -> news.subList(start, Math.min(news.size(), start + AT_ONCE)))
                .toList();
        return Futures.oneByOne(parts.iterator(), part -> look(part, visible)).map(_ -> visible);
    }

    private Future<Void> look(List<WatchNews> part, List<WatchNews> visible) {
        List<Future<Boolean>> seen = part.stream().map(this::seen).toList();
        return Future.join(seen).map(_ -> {
            for (int i = 0; i < part.size(); i++) {
                if (seen.get(i).result()) {
                    visible.add(part.get(i));
                }
            }
            return null;
        });
    }

    private Future<Boolean> seen(WatchNews news) {
        DocumentUri document = DocumentUri.parse(news.address()).orElse(null);
        if (document == null
                || !dependencies.searchable().contains(document.backend())
                || !asker.backends().contains(document.backend())
                || !asker.shows(document.label())) {
            return Future.succeededFuture(false);
        }
        return decide(document, FederatedCaller.READ) instanceof AccessPolicy.PolicyDecision.Allowed(Caller caller)
                ? there(document, caller)
                : Future.succeededFuture(
                        decide(document, FederatedCaller.SEARCH) instanceof AccessPolicy.PolicyDecision.Allowed);
    }

    private AccessPolicy.PolicyDecision decide(DocumentUri document, Set<Verb> verbs) {
        return dependencies
                .policy()
                .decide(
                        asker.principal(),
                        asker.offered(document.backend()),
                        document.backend(),
                        verbs,
                        List.of(document.source()));
    }

    private Future<Boolean> there(DocumentUri document, Caller caller) {
        return asker.ask(
                        document.backend(),
                        new BackendRequest.ReadDocument(
                                document.source(),
                                document.document(),
                                0,
                                1,
                                settings.declared(document.backend(), document.label())
                                        .fields()),
                        caller,
                        asker.context().remaining())
                .map(reply -> reply instanceof BackendReply.DocumentPart);
    }
}
