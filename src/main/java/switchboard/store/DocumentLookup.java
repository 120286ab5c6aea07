package switchboard.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.util.Bits;
import org.jspecify.annotations.Nullable;

/** Finds documents and chunks by id or source. */
final class DocumentLookup {
    private static final Sort NEWEST_FIRST = new Sort(
            new SortField(DocumentSchema.BY_CREATED, SortField.Type.LONG, true), TieText.field(DocumentSchema.BY_ID));
    private static final Sort BY_SOURCE = new Sort(
            new SortField(DocumentSchema.BY_SOURCE, SortField.Type.STRING), TieText.field(DocumentSchema.BY_ID));
    private static final Sort BY_PLACE =
            new Sort(new SortField(DocumentSchema.TIE, SortField.Type.STRING), SortField.FIELD_DOC);

    private static final int CHARACTERS = 4_000_000;

    private DocumentLookup() {}

    static Optional<Integer> numberById(Snapshot snapshot, String id) throws IOException {
        return first(snapshot, new TermQuery(new Term(DocumentSchema.ID, id)));
    }

    static Optional<StoredDocument> byId(Snapshot snapshot, String id) throws IOException {
        return document(snapshot, numberById(snapshot, id));
    }

    static Optional<StoredDocument> bySource(Snapshot snapshot, String source) throws IOException {
        return document(snapshot, numberBySource(snapshot, source));
    }

    /**
     * Finds a document by its source. Reads the postings of the term directly, because every put does this and a query
     * would be several times slower.
     */
    private static Optional<Integer> numberBySource(Snapshot snapshot, String source) throws IOException {
        Term term = new Term(DocumentSchema.SOURCE, source);
        for (LeafReaderContext leaf : snapshot.searcher().getLeafContexts()) {
            PostingsEnum parts = leaf.reader().postings(term, PostingsEnum.NONE);
            int last = parts == null ? -1 : last(parts, leaf.reader().getLiveDocs());
            if (last >= 0) {
                return Optional.of(leaf.docBase + last);
            }
        }
        return Optional.empty();
    }

    /**
     * The last live entry of the postings. A document is the last entry of its block, and a source has one live block.
     */
    private static int last(PostingsEnum parts, @Nullable Bits live) throws IOException {
        int last = -1;
        for (int part = parts.nextDoc(); part != DocIdSetIterator.NO_MORE_DOCS; part = parts.nextDoc()) {
            last = live == null || live.get(part) ? part : last;
        }
        return last;
    }

    private static Optional<StoredDocument> document(Snapshot snapshot, Optional<Integer> number) throws IOException {
        return number.isPresent() ? Optional.of(snapshot.document(number.get())) : Optional.empty();
    }

    private static Optional<Integer> first(Snapshot snapshot, Query query) throws IOException {
        ScoreDoc[] found = snapshot.searcher().search(query, 1).scoreDocs;
        return found.length == 0 ? Optional.empty() : Optional.of(found[0].doc);
    }

    static Optional<DocumentText> read(Snapshot snapshot, String id) throws IOException {
        Optional<Integer> number = numberById(snapshot, id);
        return number.isEmpty()
                ? Optional.empty()
                : Optional.of(new DocumentText(snapshot.document(number.get()), snapshot.text(number.get())));
    }

    /**
     * The first of the documents with these ids, as many as have about {@value #CHARACTERS} characters, at least one; those that are
     * gone are left out.
     */
    static List<DocumentForm> forms(Snapshot snapshot, List<String> ids) throws IOException {
        List<DocumentForm> forms = new ArrayList<>();
        long characters = 0;
        for (String id : ids) {
            Optional<Integer> found = numberById(snapshot, id);
            if (found.isPresent()) {
                characters += snapshot.document(found.get()).textLength();
                if (!forms.isEmpty() && characters > CHARACTERS) {
                    break;
                }
                forms.add(form(snapshot, found.get()));
            }
        }
        return forms;
    }

    static DocumentForm form(Snapshot snapshot, int number) throws IOException {
        return DocumentForm.of(
                snapshot.document(number), snapshot.text(number), snapshot.chunks(number), snapshot.vectors(number));
    }

    static DocumentPage list(Snapshot snapshot, ListRequest request) throws IOException {
        Sort sort =
                switch (request.order()) {
                    case NEWEST_FIRST -> NEWEST_FIRST;
                    case BY_SOURCE -> BY_SOURCE;
                };
        Query query = Filters.of(DocumentSchema.DOCUMENT, request.filter());
        TopFieldDocs found = sorted(snapshot, query, request.offset() + request.limit(), sort);
        List<StoredDocument> page = new ArrayList<>();
        for (int i = request.offset(); i < found.scoreDocs.length; i++) {
            page.add(snapshot.document(found.scoreDocs[i].doc));
        }
        return new DocumentPage(page, found.totalHits.value());
    }

    /** The ids of the documents that match {@code query}; empty if they are more than {@code most}. */
    static Optional<List<String>> ids(IndexSearcher searcher, Query query, int most) throws IOException {
        List<String> ids = new ArrayList<>();
        if (searcher.count(query) > most) {
            return Optional.empty();
        }
        for (ScoreDoc found : searcher.search(query, most).scoreDocs) {
            LeafReaderContext leaf =
                    searcher.getLeafContexts().get(ReaderUtil.subIndex(found.doc, searcher.getLeafContexts()));
            SortedDocValues values = DocValues.getSorted(leaf.reader(), DocumentSchema.BY_ID);
            if (values.advanceExact(found.doc - leaf.docBase)) {
                ids.add(values.lookupOrd(values.ordValue()).utf8ToString());
            }
        }
        return Optional.of(ids);
    }

    static List<StoredChunk> chunks(Snapshot snapshot, Filter filter, int limit) throws IOException {
        List<StoredChunk> chunks = new ArrayList<>();
        for (ScoreDoc found : sorted(snapshot, Filters.of(DocumentSchema.CHUNK, filter), limit, BY_PLACE).scoreDocs) {
            chunks.add(snapshot.chunk(found.doc));
        }
        return chunks;
    }

    /** Up to {@code most} documents whose terms another version of {@link TextAnalysis} made. */
    static List<Integer> olderAnalysis(Snapshot snapshot, int most) throws IOException {
        Query older = new BooleanQuery.Builder()
                .add(new TermQuery(new Term(DocumentSchema.KIND, DocumentSchema.DOCUMENT)), BooleanClause.Occur.FILTER)
                .add(
                        new TermQuery(new Term(DocumentSchema.ANALYSIS, TextAnalysis.VERSION)),
                        BooleanClause.Occur.MUST_NOT)
                .add(
                        new TermQuery(new Term(DocumentSchema.ANALYSIS, DocumentSchema.ELSEWHERE)),
                        BooleanClause.Occur.MUST_NOT)
                .build();
        return Stream.of(snapshot.searcher().search(older, most).scoreDocs)
                .map(found -> found.doc)
                .toList();
    }

    private static TopFieldDocs sorted(Snapshot snapshot, Query query, int most, Sort sort) throws IOException {
        int bounded =
                Math.max(1, Math.min(most, snapshot.searcher().getIndexReader().maxDoc()));
        return snapshot.searcher().search(query, new TopFieldCollectorManager(sort, bounded, Integer.MAX_VALUE));
    }
}
