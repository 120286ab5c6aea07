package switchboard.store;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The terms by which a chunk is found: those of its text, in order, and after them again those that say more about it than others
 * (BM25F; Robertson, Zaragoza and Taylor 2004). In source code these are the {@link DefinedNames}, several times: what a function is
 * called says more about it than what it calls. In other texts they are the title of the document and the headings. What is
 * repeated has no place in the text: it is near nothing.
 *
 * @param all the terms
 * @param inText how many of them, the first ones, are those of the text
 */
record ChunkTerms(List<String> all, int inText) {
    ChunkTerms {
        all = List.copyOf(all);
    }

    /** How often a defined name counts besides the text that it is in. */
    static final int NAMES = 4;

    private static final char SPACE = ' ';
    private static final char BREAK = '\n';

    /** The terms of a text below {@code headings}; without a language as in English. */
    static ChunkTerms of(String text, String headings, Optional<Language> language) {
        List<String> terms = TextAnalysis.ofDocument(text, language);
        List<String> all = new ArrayList<>(terms);
        if (SourceCode.is(List.of(text))) {
            String names = String.join(" ", DefinedNames.of(text));
            Collections.nCopies(NAMES, TextAnalysis.ofDocument(names, Optional.empty()))
                    .forEach(all::addAll);
        } else {
            all.addAll(TextAnalysis.ofDocument(headings, language));
        }
        return new ChunkTerms(all, terms.size());
    }

    /** Those that {@link #line} has written. */
    static ChunkTerms ofLine(String line) {
        int end = line.indexOf(BREAK);
        List<String> terms = new ArrayList<>(split(end < 0 ? line : line.substring(0, end)));
        int inText = terms.size();
        terms.addAll(split(end < 0 ? "" : line.substring(end + 1)));
        return new ChunkTerms(terms, inText);
    }

    private static List<String> split(String spaced) {
        return spaced.isEmpty() ? List.of() : List.of(spaced.split(String.valueOf(SPACE)));
    }

    /** The terms, separated by white space: a line break is before what is repeated. */
    String line() {
        String text = String.join(" ", all.subList(0, inText));
        return inText == all.size() ? text : text + BREAK + String.join(" ", all.subList(inText, all.size()));
    }
}
