package switchboard.store;

import java.util.Set;

/** English words that say nothing by themselves. */
final class EnglishWords {
    /** Left out of texts and queries. */
    static final Set<String> STOP = words("a an and are as at be but by for if in into is it no not of on or such that"
            + " the their then there these they this to was will with");

    /** Left out of queries, too. */
    static final Set<String> QUESTION =
            words("what how does do did which when where why who whom can could should would i you me my we our your");

    /** Other frequent words, by which English texts are told from those in other languages. */
    private static final Set<String> FREQUENT = words(
            "about after all also any because been before between both each even every first from had has have he her"
                    + " his its may more most much must one only other out over own same see set she so some than them"
                    + " through two under until up use used using very were while within without");

    private EnglishWords() {}

    private static Set<String> words(String spaced) {
        return Set.of(spaced.split(" "));
    }

    /** Whether a word, in lower case, is frequent in English texts of all kinds. */
    static boolean frequent(String word) {
        return STOP.contains(word) || QUESTION.contains(word) || FREQUENT.contains(word);
    }
}
