package switchboard.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopFieldDocs;

/** Finding documents and chunks by what they are called rather than by what is in them. */
final class Lookup {
    private static final Sort NEWEST_FIRST = new Sort(
            new SortField(Block.BY_CREATED, SortField.Type.LONG, true),
            new SortField(Block.BY_ID, SortField.Type.STRING));
    private static final Sort BY_SOURCE = new Sort(
            new SortField(Block.BY_SOURCE, SortField.Type.STRING), new SortField(Block.BY_ID, SortField.Type.STRING));
    private static final Sort BY_PLACE = new Sort(new SortField(Block.TIE, SortField.Type.STRING), SortField.FIELD_DOC);

    private Lookup() {}

    static Optional<Integer> numberById(Snapshot snapshot, String id) throws IOException {
        return first(snapshot, new TermQuery(new Term(Block.ID, id)));
    }

    static Optional<StoredDocument> byId(Snapshot snapshot, String id) throws IOException {
        return document(snapshot, numberById(snapshot, id));
    }

    static Optional<StoredDocument> bySource(Snapshot snapshot, String source) throws IOException {
        Query query = new BooleanQuery.Builder()
                .add(new TermQuery(new Term(Block.SOURCE, source)), Occur.FILTER)
                .add(new TermQuery(new Term(Block.KIND, Block.DOCUMENT)), Occur.FILTER)
                .build();
        return document(snapshot, first(snapshot, query));
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

    static DocumentPage list(Snapshot snapshot, ListRequest request) throws IOException {
        Sort sort =
                switch (request.order()) {
                    case NEWEST_FIRST -> NEWEST_FIRST;
                    case BY_SOURCE -> BY_SOURCE;
                };
        Query query = Filters.of(Block.DOCUMENT, request.filter());
        TopFieldDocs found = sorted(snapshot, query, request.offset() + request.limit(), sort);
        List<StoredDocument> page = new ArrayList<>();
        for (int i = request.offset(); i < found.scoreDocs.length; i++) {
            page.add(snapshot.document(found.scoreDocs[i].doc));
        }
        return new DocumentPage(page, found.totalHits.value());
    }

    static List<StoredChunk> chunks(Snapshot snapshot, Filter filter, int limit) throws IOException {
        List<StoredChunk> chunks = new ArrayList<>();
        for (ScoreDoc found : sorted(snapshot, Filters.of(Block.CHUNK, filter), limit, BY_PLACE).scoreDocs) {
            chunks.add(snapshot.chunk(found.doc));
        }
        return chunks;
    }

    private static TopFieldDocs sorted(Snapshot snapshot, Query query, int most, Sort sort) throws IOException {
        int bounded =
                Math.max(1, Math.min(most, snapshot.searcher().getIndexReader().maxDoc()));
        return snapshot.searcher().search(query, new TopFieldCollectorManager(sort, bounded, Integer.MAX_VALUE));
    }
}
