package switchboard.store;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.BytesRef;

/** The languages, besides English, of the chunks in an index. */
final class Languages {
    private Languages() {}

    /** The languages of {@code searcher}'s chunks; also those of deleted chunks that are still in the files. */
    static Set<Language> of(IndexSearcher searcher) throws IOException {
        Set<Language> languages = EnumSet.noneOf(Language.class);
        for (LeafReaderContext leaf : searcher.getLeafContexts()) {
            Terms codes = leaf.reader().terms(DocumentSchema.LANGUAGE);
            if (codes != null) {
                TermsEnum each = codes.iterator();
                for (BytesRef code = each.next(); code != null; code = each.next()) {
                    Optional<Language> known = Language.of(code.utf8ToString());
                    known.ifPresent(languages::add);
                }
            }
        }
        return languages;
    }
}
