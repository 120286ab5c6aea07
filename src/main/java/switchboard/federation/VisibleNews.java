package switchboard.federation;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import switchboard.async.Futures;
import switchboard.auth.AccessPolicy;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.ToolReply;
import switchboard.call.Verb;
import switchboard.watch.WatchNews;

/**
 * The news that an asker may see now: the document is looked for again with the rights of the call that reads them. Where the
 * caller may search but not read, the right to search the source is all that can be checked.
 */
record VisibleNews(FederatedCaller asker, FederationSettings settings, FederationBackend.Dependencies dependencies) {
    /** Failures that say something about the document; after others it may be there. */
    private static final Set<FailureKind> HIDING = EnumSet.of(
            FailureKind.NOT_FOUND, FailureKind.DENIED, FailureKind.DENIED_UPSTREAM, FailureKind.INVALID_ARGUMENT);

    /** How many documents are looked for at once. */
    private static final int AT_ONCE = 8;

    /**
     * News after the look for its documents.
     *
     * @param visible what may be seen
     * @param unchecked what can't be checked now, because a backend does not answer
     */
    record SeenNews(List<WatchNews> visible, List<WatchNews> unchecked) {
        static final SeenNews NONE = new SeenNews(List.of(), List.of());

        SeenNews {
            visible = List.copyOf(visible);
            unchecked = List.copyOf(unchecked);
        }
    }

    /** Whether a document may be seen. */
    private enum Sight {
        VISIBLE,
        HIDDEN,
        UNKNOWN
    }

    /** What of {@code news} may be seen, in its order. */
    Future<SeenNews> of(List<WatchNews> news) {
        List<Sight> sights = new ArrayList<>();
        List<List<WatchNews>> parts = IntStream.iterate(0, start -> start < news.size(), start -> start + AT_ONCE)
                .mapToObj(start -> news.subList(start, Math.min(news.size(), start + AT_ONCE)))
                .toList();
        return Futures.oneByOne(parts.iterator(), part -> look(part, sights)).map(_ -> {
            return new SeenNews(those(news, sights, Sight.VISIBLE), those(news, sights, Sight.UNKNOWN));
        });
    }

    private static List<WatchNews> those(List<WatchNews> news, List<Sight> sights, Sight sight) {
        return IntStream.range(0, news.size())
                .filter(i -> sights.get(i) == sight)
                .mapToObj(news::get)
                .toList();
    }

    private Future<Void> look(List<WatchNews> part, List<Sight> sights) {
        List<Future<Sight>> looks = part.stream().map(this::seen).toList();
        return Future.join(looks).map(_ -> {
            looks.forEach(look -> sights.add(look.result()));
            return null;
        });
    }

    private Future<Sight> seen(WatchNews news) {
        DocumentUri document = DocumentUri.parse(news.address()).orElse(null);
        if (document == null
                || !dependencies.searchable().contains(document.backend())
                || !asker.backends().contains(document.backend())
                || !asker.shows(document.label())) {
            return Future.succeededFuture(Sight.HIDDEN);
        }
        if (decide(document, FederatedCaller.READ) instanceof AccessPolicy.PolicyDecision.Allowed(Caller caller)) {
            return there(document, caller);
        }
        return Future.succeededFuture(
                decide(document, FederatedCaller.SEARCH) instanceof AccessPolicy.PolicyDecision.Allowed
                        ? Sight.VISIBLE
                        : Sight.HIDDEN);
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

    private Future<Sight> there(DocumentUri document, Caller caller) {
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
                .map(reply -> switch (reply) {
                    case BackendReply.DocumentPart _ -> Sight.VISIBLE;
                    case ToolReply.Failed failed when !HIDING.contains(failed.kind()) -> Sight.UNKNOWN;
                    default -> Sight.HIDDEN;
                });
    }
}
