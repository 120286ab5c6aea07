package switchboard.federation;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Json;

/**
 * Finds documents that searches have never given, in sources that can list theirs. Thread-safe.
 *
 * @param directory finds the sources
 * @param timeout time limit for each request to a backend
 */
record NeverFound(SourceDirectory directory, Duration timeout) {
    private static final int PAGE = 1_000;
    private static final int MOST_DOCUMENTS = 20_000;
    private static final int MOST_SOURCES = 50;
    private static final int MOST_EXAMPLES = 20;

    /**
     * What is known of a source after some pages.
     *
     * @param read how many documents were listed
     * @param documents how many of these were there all the time in their present version
     */
    private record SourceCount(
            SearchSource source, int read, int documents, int never, List<BackendReply.ListedDocument> examples) {
        static SourceCount none(SearchSource source) {
            return new SourceCount(source, 0, 0, 0, List.of());
        }

        SourceCount plus(List<BackendReply.ListedDocument> page, SearchGapSource.Gaps gaps) {
            // A version has an address of its own: of a newer one it says nothing that an older one was given.
            List<BackendReply.ListedDocument> lasting = page.stream()
                    .filter(document -> document.stored().isBefore(gaps.since()))
                    .toList();
            List<BackendReply.ListedDocument> missing = lasting.stream()
                    .filter(document -> !gaps.given().contains(address(document)))
                    .toList();
            return new SourceCount(
                    source,
                    read + page.size(),
                    documents + lasting.size(),
                    never + missing.size(),
                    Stream.concat(examples.stream(), missing.stream())
                            .limit(MOST_EXAMPLES)
                            .toList());
        }

        private String address(BackendReply.ListedDocument document) {
            return new DocumentUri(source.backend(), source.about().name(), document.id()).toString();
        }

        ObjectNode json() {
            ObjectNode json = Json.object()
                    .put("source", source.label())
                    .put("documents", documents)
                    .put("never_found", never);
            ArrayNode shown = json.putArray("examples");
            examples.forEach(document ->
                    shown.addObject().put("address", address(document)).put("title", document.title()));
            return json;
        }
    }

    /**
     * The sources of {@code gaps} with such documents among those that {@code caller} may see, the source with most of them
     * first. One that does not answer in time is left out.
     */
    Future<ArrayNode> of(FederatedCaller caller, SearchGapSource.Gaps gaps) {
        if (gaps.asked().isEmpty()) {
            return Future.succeededFuture(Json.array());
        }
        Collection<Future<SourceDirectory.Resolved>> found = directory
                .find(caller, new SourceSelector(gaps.asked()), BackendRequest.FilterFields.KNOWN, timeout)
                .values();
        return Future.join(List.copyOf(found))
                .compose(_ -> Future.join(
                        SourceDirectory.Resolved.all(
                                        found.stream().map(Future::result).toList())
                                .sources()
                                .stream()
                                .filter(source -> gaps.asked().contains(source.label()))
                                .limit(MOST_SOURCES)
                                .map(source -> counted(caller, gaps, SourceCount.none(source)))
                                .toList()))
                .map(counts -> {
                    ArrayNode sources = Json.array();
                    counts.<SourceCount>list().stream()
                            .filter(count -> count.never() > 0)
                            .sorted(Comparator.comparingInt(count -> -count.never()))
                            .forEach(count -> sources.add(count.json()));
                    return sources;
                });
    }

    private Future<SourceCount> counted(FederatedCaller caller, SearchGapSource.Gaps gaps, SourceCount before) {
        SearchSource source = before.source();
        if (caller.context().remaining().compareTo(timeout.multipliedBy(2)) < 0) {
            return Future.succeededFuture(SourceCount.none(source));
        }
        BackendRequest page = new BackendRequest.ListDocuments(source.about().name(), before.read(), PAGE);
        return caller.ask(source.backend(), page, source.caller(), timeout)
                .compose(reply -> reply.either(
                        BackendReply.Documents.class,
                        listed -> {
                            SourceCount count = before.plus(listed.documents(), gaps);
                            return listed.documents().size() < PAGE || count.read() >= MOST_DOCUMENTS
                                    ? Future.succeededFuture(count)
                                    : counted(caller, gaps, count);
                        },
                        _ -> Future.succeededFuture(SourceCount.none(source))));
    }
}
