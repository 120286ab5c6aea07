package switchboard.store;

import java.util.Iterator;
import java.util.List;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/** A token stream of terms that were computed before. */
final class PrecomputedTokenStream extends TokenStream {
    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
    private final List<String> terms;
    private Iterator<String> rest;

    PrecomputedTokenStream(List<String> terms) {
        this.terms = terms;
        this.rest = terms.iterator();
    }

    @Override
    public boolean incrementToken() {
        if (!rest.hasNext()) {
            return false;
        }
        clearAttributes();
        term.append(rest.next());
        return true;
    }

    @Override
    public void reset() {
        rest = terms.iterator();
    }
}
