package switchboard.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collector;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BitSetIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.StringHelper;

/**
 * Reads metadata of all documents, segment by segment, from the terms that filters use. There are far fewer terms than
 * documents.
 */
final class MetadataReader {
    private final LeafReader segment;
    private final FixedBitSet documents;
    private final Map<Integer, Map<String, List<String>>> values = new HashMap<>();

    private MetadataReader(LeafReader segment) throws IOException {
        this.segment = segment;
        this.documents = documents(segment);
    }

    static <A, R> R collect(Snapshot snapshot, Set<String> names, Collector<MetadataRow, A, R> collector)
            throws IOException {
        A collected = collector.supplier().get();
        for (LeafReaderContext leaf : snapshot.searcher().getLeafContexts()) {
            MetadataReader reading = new MetadataReader(leaf.reader());
            for (String name : names) {
                reading.read(name);
            }
            reading.hand(document -> collector.accumulator().accept(collected, document));
        }
        return collector.finisher().apply(collected);
    }

    /** The entries of documents. Chunks have the metadata of their document, too, and must not be counted. */
    private static FixedBitSet documents(LeafReader segment) throws IOException {
        FixedBitSet documents = new FixedBitSet(segment.maxDoc());
        PostingsEnum found =
                segment.postings(new Term(DocumentSchema.KIND, DocumentSchema.DOCUMENT), PostingsEnum.NONE);
        if (found != null) {
            Bits live = segment.getLiveDocs();
            for (int at = found.nextDoc(); at != DocIdSetIterator.NO_MORE_DOCS; at = found.nextDoc()) {
                if (live == null || live.get(at)) {
                    documents.set(at);
                }
            }
        }
        return documents;
    }

    private void read(String name) throws IOException {
        Terms facts = segment.terms(MetadataTerms.FIELD);
        if (facts == null) {
            return;
        }
        BytesRef prefix = MetadataTerms.prefix(name, MetadataTerms.TEXT);
        TermsEnum terms = facts.iterator();
        PostingsEnum found = null;
        boolean more = terms.seekCeil(prefix) != TermsEnum.SeekStatus.END;
        while (more && StringHelper.startsWith(terms.term(), prefix)) {
            found = terms.postings(found, PostingsEnum.NONE);
            add(name, MetadataTerms.text(terms.term(), prefix.length), found);
            more = terms.next() != null;
        }
    }

    private void add(String name, String value, PostingsEnum found) throws IOException {
        for (int at = found.nextDoc(); at != DocIdSetIterator.NO_MORE_DOCS; at = found.nextDoc()) {
            if (documents.get(at)) {
                values.computeIfAbsent(at, _ -> new HashMap<>())
                        .computeIfAbsent(name, _ -> new ArrayList<>(1))
                        .add(value);
            }
        }
    }

    private void hand(Consumer<MetadataRow> each) throws IOException {
        SortedDocValues ids = DocValues.getSorted(segment, DocumentSchema.BY_ID);
        SortedDocValues sources = DocValues.getSorted(segment, DocumentSchema.BY_SOURCE);
        List<String> idTerms = terms(ids);
        List<String> sourceTerms = terms(sources);
        BitSetIterator all = new BitSetIterator(documents, documents.cardinality());
        for (int at = all.nextDoc(); at != DocIdSetIterator.NO_MORE_DOCS; at = all.nextDoc()) {
            Map<String, List<String>> found = values.remove(at);
            each.accept(new MetadataRow(
                    term(ids, idTerms, at), term(sources, sourceTerms, at), found == null ? Map.of() : found));
        }
    }

    /** All values in order. Looking them up one by one would unpack a block for each. */
    private static List<String> terms(SortedDocValues values) throws IOException {
        List<String> all = new ArrayList<>(values.getValueCount());
        TermsEnum terms = values.termsEnum();
        for (BytesRef term = terms.next(); term != null; term = terms.next()) {
            all.add(term.utf8ToString());
        }
        return all;
    }

    private static String term(SortedDocValues values, List<String> terms, int document) throws IOException {
        return values.advanceExact(document) ? terms.get(values.ordValue()) : "";
    }
}
