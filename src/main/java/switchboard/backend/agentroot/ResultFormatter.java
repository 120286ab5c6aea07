package switchboard.backend.agentroot;

import static switchboard.async.Futures.also;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import switchboard.backend.agentroot.Ranking.Ranked;
import switchboard.backend.agentroot.text.Sentences;
import switchboard.backend.embedded.CallerStore;
import switchboard.call.Caller;
import switchboard.call.Json;
import switchboard.concurrent.BlockingExecutor;
import switchboard.store.DocumentStore;
import switchboard.store.StoredDocument;
import switchboard.text.SurrogatePairs;

/** Formats the documents of a search result. */
final class ResultFormatter {
    private static final int MAX_CONTENT = 20_000;
    private static final int MAX_ALL_CONTENT = 400_000;

    private final CallerStore store;
    private final MatchedChunks matchedChunks;
    private final BlockingExecutor executor;

    /**
     * Formats documents of {@code store}.
     *
     * @param executor finds signals in their texts
     */
    ResultFormatter(CallerStore store, MatchedChunks matchedChunks, BlockingExecutor executor) {
        this.store = store;
        this.matchedChunks = matchedChunks;
        this.executor = executor;
    }

    /** How detailed results are. */
    enum Detail {
        /** Its name, title and first sentence, and where in it the query matched. */
        L0,
        /** Also its metadata, and the text that matched. */
        L1,
        /** Its metadata and its whole text. */
        L2;

        static Detail of(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT));
        }
    }

    /** A ranked document for session demotion. */
    record DocumentResult(Ranked ranked) implements SessionDemotion.Demotable<DocumentResult> {
        @Override
        public String key() {
            return DocumentAddresses.file(ranked.document()) + "@"
                    + ranked.document().contentHash();
        }

        @Override
        public double score() {
            return ranked.score();
        }

        @Override
        public DocumentResult scored(double score) {
            return new DocumentResult(ranked.scored(score));
        }
    }

    /** Items of a ranking. */
    static List<DocumentResult> items(List<Ranked> ranked) {
        return ranked.stream().map(DocumentResult::new).toList();
    }

    /** The results of {@code query} as JSON. */
    Future<ArrayNode> json(String query, List<DocumentResult> items, Detail detail, Caller caller) {
        return matchedChunks
                .of(query, items.stream().map(DocumentResult::ranked).toList(), detail, caller)
                .compose(matched -> json(items, detail, matched, caller));
    }

    private Future<ArrayNode> json(
            List<DocumentResult> items, Detail detail, Map<String, MatchedChunks.Matched> matched, Caller caller) {
        DocumentStore readable = store.of(caller);
        ArrayNode array = Json.array();
        List<Future<?>> texts = new ArrayList<>();
        List<Runnable> marks = new ArrayList<>();
        int share = MAX_ALL_CONTENT / Math.max(1, items.size());
        for (DocumentResult item : items) {
            ObjectNode one = array.addObject();
            StoredDocument document = item.ranked().document();
            describe(one, document, item.score(), detail);
            MatchedChunks.Matched passage = matched.get(document.id());
            if (passage != null) {
                one.setAll(passage.members());
            }
            if (detail == Detail.L2) {
                texts.add(readable.read(List.of(document.namespace()), document.id())
                        .map(also(found ->
                                found.ifPresent(text -> content(one, text.text(), Math.min(MAX_CONTENT, share))))));
                marks.add(() -> ResultSignals.mark(one, "content", null));
            } else {
                marks.add(() -> ResultSignals.mark(one, "text", passage == null ? null : passage.text()));
            }
        }
        return texts.isEmpty()
                ? marked(array, marks, caller)
                : Future.all(texts).compose(_ -> marked(array, marks, caller));
    }

    private Future<ArrayNode> marked(ArrayNode array, List<Runnable> marks, Caller caller) {
        if (marks.isEmpty()) {
            return Future.succeededFuture(array);
        }
        return executor.run(caller.chargedTeam(), () -> false, () -> {
            marks.forEach(Runnable::run);
            return array;
        });
    }

    /** Adds a text of at most {@code max} characters to a result, and says if it was cut. */
    static void content(ObjectNode one, String text, int max) {
        String start = SurrogatePairs.start(text, max);
        one.put("content", start);
        if (start.length() < text.length()) {
            one.put("contentTruncated", true).put("totalChars", text.length());
        }
    }

    private static void describe(ObjectNode one, StoredDocument document, double score, Detail detail) {
        DocumentView.name(one, document).put("score", rounded(score));
        String summary = DocumentMetadata.text(document, "summary");
        if (!summary.isEmpty()) {
            one.put("summary", detail == Detail.L0 ? Sentences.first(summary) : summary);
        }
        if (detail == Detail.L0) {
            return;
        }
        put(one, "category", DocumentMetadata.text(document, "category"));
        put(one, "difficulty", DocumentMetadata.text(document, "difficulty"));
        put(one, "language", DocumentMetadata.text(document, "language"));
        DocumentMetadata.list(document, "keywords").forEach(one.withArray("keywords")::add);
        DocumentMetadata.list(document, "concepts").forEach(one.withArray("concepts")::add);
        Optional.ofNullable(document.lastModified()).ifPresent(modified -> one.put("lastModified", modified));
        ObjectNode user = UserMetadata.of(document);
        if (!user.isEmpty()) {
            one.set("userMetadata", user);
        }
    }

    private static void put(ObjectNode one, String name, String value) {
        if (!value.isEmpty()) {
            one.put(name, value);
        }
    }

    /** Rounds a score to four decimals. */
    static double rounded(double score) {
        return Math.round(score * 10_000) / 10_000.0;
    }
}
