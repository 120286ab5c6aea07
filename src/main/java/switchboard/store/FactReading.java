package switchboard.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
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

/** The facts of all documents, segment by segment from the terms that filters use: far fewer than there are documents. */
final class FactReading {
    private final LeafReader segment;
    private final FixedBitSet documents;
    private final Map<Integer, Map<String, List<String>>> values = new HashMap<>();

    private FactReading(LeafReader segment) throws IOException {
        this.segment = segment;
        this.documents = documents(segment);
    }

    static void each(Snapshot snapshot, Set<String> names, Consumer<DocumentFacts> each) throws IOException {
        for (LeafReaderContext leaf : snapshot.searcher().getLeafContexts()) {
            FactReading reading = new FactReading(leaf.reader());
            for (String name : names) {
                reading.read(name);
            }
            reading.hand(each);
        }
    }

    /** Chunks carry the facts of their document, too; these are the documents themselves. */
    private static FixedBitSet documents(LeafReader segment) throws IOException {
        FixedBitSet documents = new FixedBitSet(segment.maxDoc());
        PostingsEnum found = segment.postings(new Term(Block.KIND, Block.DOCUMENT), PostingsEnum.NONE);
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
        Terms facts = segment.terms(Facts.FIELD);
        if (facts == null) {
            return;
        }
        BytesRef prefix = Facts.prefix(name, Facts.TEXT);
        TermsEnum terms = facts.iterator();
        PostingsEnum found = null;
        boolean more = terms.seekCeil(prefix) != TermsEnum.SeekStatus.END;
        while (more && StringHelper.startsWith(terms.term(), prefix)) {
            found = terms.postings(found, PostingsEnum.NONE);
            add(name, Facts.text(terms.term(), prefix.length), found);
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

    private void hand(Consumer<DocumentFacts> each) throws IOException {
        SortedDocValues ids = DocValues.getSorted(segment, Block.BY_ID);
        SortedDocValues sources = DocValues.getSorted(segment, Block.BY_SOURCE);
        BitSetIterator all = new BitSetIterator(documents, documents.cardinality());
        for (int at = all.nextDoc(); at != DocIdSetIterator.NO_MORE_DOCS; at = all.nextDoc()) {
            Map<String, List<String>> found = values.remove(at);
            each.accept(new DocumentFacts(term(ids, at), term(sources, at), found == null ? Map.of() : found));
        }
    }

    private static String term(SortedDocValues values, int document) throws IOException {
        return values.advanceExact(document)
                ? values.lookupOrd(values.ordValue()).utf8ToString()
                : "";
    }
}
