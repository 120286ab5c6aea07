package switchboard.store;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The terms by which a chunk is found: those of its text. In source code those of the {@link DefinedNames} follow once
 * more, several times: what a function is called says more about it than what it calls (BM25F; Robertson, Zaragoza and Taylor
 * 2004).
 */
final class ChunkTerms {
    /** How often a defined name counts besides the text that it is in. */
    static final int NAMES = 4;

    private ChunkTerms() {}

    /** The terms of a text, in order; without a language as in English. */
    static List<String> of(String text, Optional<Language> language) {
        List<String> terms = TextAnalysis.ofDocument(text, language);
        if (!SourceCode.is(List.of(text))) {
            return terms;
        }
        List<String> names = TextAnalysis.ofDocument(String.join(" ", DefinedNames.of(text)), Optional.empty());
        List<String> all = new ArrayList<>(terms);
        Collections.nCopies(NAMES, names).forEach(all::addAll);
        return all;
    }
}
