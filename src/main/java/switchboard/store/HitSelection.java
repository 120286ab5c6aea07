package switchboard.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;

/**
 * The hits among ranked chunks, within {@link SearchRequest.HitLimits}: chunks with the same text are one, and each document has
 * its {@link PerDocumentLimit}. If there are too few, a search goes deeper with {@link #others} and selects again. For one
 * search.
 */
final class HitSelection {
    private final Snapshot snapshot;
    private final SearchRequest.HitLimits limits;

    /** Documents that have their places. */
    private final Set<Integer> full = new HashSet<>();

    /** Documents of which as many texts were refused as a document has places: most are copies of one that is full. */
    private final Set<Integer> repeating = new HashSet<>();

    /** Texts of which there are several copies, so that deeper ones can only be more of them. */
    private final Set<BytesRef> copied = new HashSet<>();

    HitSelection(Snapshot snapshot, SearchRequest.HitLimits limits) {
        this.snapshot = snapshot;
        this.limits = limits;
    }

    /**
     * Chunks with the same text.
     *
     * @param best the best of them
     * @param document its document
     * @param copies the documents of the others, best first
     * @param key the text; empty if copies are hits of their own
     */
    record TextGroup(ScoredChunk best, int document, Set<Integer> copies, Optional<BytesRef> key) {}

    /**
     * The hits, best first.
     *
     * @param ranking all chunks that were found so far, best first
     */
    List<TextGroup> of(List<ScoredChunk> ranking) throws IOException {
        return choose(
                switch (limits.copies()) {
                    case SEPARATE -> separate(ranking);
                    case FOLDED -> folded(ranking);
                });
    }

    private List<TextGroup> separate(List<ScoredChunk> ranking) throws IOException {
        List<TextGroup> groups = new ArrayList<>();
        for (ScoredChunk one : ranking) {
            groups.add(new TextGroup(one, snapshot.documentOf(one.chunk()), Set.of(), Optional.empty()));
        }
        return groups;
    }

    private List<TextGroup> folded(List<ScoredChunk> ranking) throws IOException {
        List<TextGroup> groups = new ArrayList<>();
        Map<BytesRef, TextGroup> byText = new HashMap<>();
        Map<Integer, ChunkTexts.ChunkText> texts = ChunkTexts.of(snapshot.searcher(), ranking);
        for (ScoredChunk one : ranking) {
            ChunkTexts.ChunkText found = Objects.requireNonNull(texts.get(one.chunk()));
            int document = found.document();
            Optional<BytesRef> key = found.key();
            TextGroup same = key.map(byText::get).orElse(null);
            // What a document repeats is not a copy of it.
            if (same == null || same.document() == document) {
                TextGroup group = new TextGroup(one, document, new LinkedHashSet<>(), key);
                groups.add(group);
                key.ifPresent(text -> byText.putIfAbsent(text, group));
            } else {
                same.copies().add(document);
                key.ifPresent(copied::add);
            }
        }
        return groups;
    }

    private List<TextGroup> choose(List<TextGroup> groups) throws IOException {
        List<TextGroup> chosen = new ArrayList<>();
        PerDocumentLimit<Integer> places = new PerDocumentLimit<>(limits.perDocument());
        Map<Integer, Integer> refused = new HashMap<>();
        for (TextGroup group : groups) {
            if (chosen.size() == limits.topK()) {
                break;
            }
            if (!repeatsFull(group) && places.take(group.document(), group.copies())) {
                chosen.add(group);
            } else {
                refused.merge(group.document(), 1, Integer::sum);
                group.copies().forEach(copy -> refused.merge(copy, 1, Integer::sum));
            }
        }
        chosen.stream().map(TextGroup::document).filter(places::full).forEach(full::add);
        refused.forEach((document, times) -> {
            if (times >= limits.perDocument()) {
                repeating.add(document);
            }
        });
        return chosen;
    }

    /** Whether a document that has its places, and is not searched any more, has the text, too. */
    private boolean repeatsFull(TextGroup group) throws IOException {
        if (group.key().isEmpty() || full.isEmpty() || full.contains(group.document())) {
            return false;
        }
        Query same = new BooleanQuery.Builder()
                .add(new TermQuery(new Term(DocumentSchema.TEXT_KEY, group.key().get())), Occur.FILTER)
                .add(chunksOf(full), Occur.FILTER)
                .build();
        return snapshot.searcher().count(same) > 0;
    }

    private Query chunksOf(Set<Integer> documents) throws IOException {
        List<BytesRef> ids = new ArrayList<>();
        for (int document : documents) {
            ids.add(MetadataTerms.term("doc_id", new Filter.Value.TextValue(snapshot.id(document))));
        }
        return new TermInSetQuery(MetadataTerms.FIELD, ids);
    }

    /** The chunks that pass {@code filter} and could be hits. */
    Optional<Query> others(Optional<Query> filter) throws IOException {
        if (full.isEmpty() && repeating.isEmpty() && copied.isEmpty()) {
            return filter;
        }
        return Optional.of(new BooleanQuery.Builder()
                .add(filter.orElse(MatchAllDocsQuery.INSTANCE), Occur.FILTER)
                .add(chunksOf(full), Occur.MUST_NOT)
                .add(chunksOf(repeating), Occur.MUST_NOT)
                .add(new TermInSetQuery(DocumentSchema.TEXT_KEY, copied), Occur.MUST_NOT)
                .build());
    }
}
