package switchboard.convert;

import switchboard.text.SurrogatePairs;

/**
 * Finds good positions to cut a text: paragraph ends are better than line ends, then sentence ends, then spaces, then
 * any position.
 */
final class CutPoints {
    private static final int NONE = 5;

    private CutPoints() {}

    /**
     * The best position within {@code reach} of {@code aim}, in {@code (least, end)}; of equally good ones the
     * nearest.
     */
    static int near(String text, int aim, int reach, int least, int end) {
        int low = Math.max(least, aim - reach);
        int high = Math.min(end - 1, aim + reach);
        int best = SurrogatePairs.after(text, Math.min(Math.max(aim, least), end));
        int bestRank = NONE;
        for (int distance = 0; distance <= reach; distance++) {
            for (int at : new int[] {aim - distance, aim + distance}) {
                int rank = at < low || at > high ? NONE : rank(text, at);
                if (rank < bestRank) {
                    best = at;
                    bestRank = rank;
                }
            }
            if (bestRank == 0) {
                break;
            }
        }
        return Math.max(best, least);
    }

    /**
     * The first good position to start reading, from {@code from} on: after a sentence or line, else after a word;
     * else {@code end}.
     */
    static int firstAfter(String text, int from, int end) {
        int word = end;
        for (int at = Math.max(1, from); at < end; at++) {
            int rank = rank(text, at);
            if (rank <= 2) {
                return at;
            }
            if (rank == 3 && word == end) {
                word = at;
            }
        }
        return word;
    }

    /** The cost of cutting before {@code at}: 0 is best, {@link #NONE} is worst. */
    private static int rank(String text, int at) {
        char before = text.charAt(at - 1);
        if (before == '\n') {
            return at >= 2 && text.charAt(at - 2) == '\n' ? 0 : 1;
        }
        boolean space = Character.isWhitespace(before);
        boolean sentence = space && at >= 2 && ".!?:;".indexOf(text.charAt(at - 2)) >= 0;
        if (sentence || "。！？".indexOf(before) >= 0) {
            return 2;
        }
        return space ? 3 : NONE;
    }
}
