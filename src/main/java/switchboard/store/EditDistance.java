package switchboard.store;

import java.util.Arrays;

/**
 * Counts in how many letters others differ from a text: letters that are added, left out or replaced, and neighbours that are exchanged
 * (optimal string alignment; Boytsov 2011, section 2.1). Of the table only the places near its diagonal are filled, where a small
 * distance can be (Ukkonen 1985). For one thread.
 */
final class EditDistance {
    private final int[] letters;
    private final int most;

    /** Stands for any distance above {@link #most}. */
    private final int far;

    /** The rows of the table for the letters of the other text: this one, and the two before. */
    private int[] row;

    private int[] before;
    private int[] twoBefore;

    /**
     * Compares with {@code letters}.
     *
     * @param most a larger distance is not counted to its end
     */
    EditDistance(int[] letters, int most) {
        this.letters = letters;
        this.most = most;
        this.far = most + 1;
        this.row = new int[letters.length + 1];
        this.before = new int[letters.length + 1];
        this.twoBefore = new int[letters.length + 1];
    }

    /** The distance to the first {@code length} of {@code other}, or any number above {@code most} if it is larger. */
    int to(int[] other, int length) {
        if (Math.abs(length - letters.length) > most) {
            return far;
        }
        Arrays.fill(before, far);
        Arrays.setAll(row, place -> Math.min(place, far));
        for (int at = 1; at <= length; at++) {
            int[] free = twoBefore;
            twoBefore = before;
            before = row;
            row = free;
            if (fill(other, at) > most) {
                return far;
            }
        }
        return row[letters.length];
    }

    /** Fills the row of the letter {@code at}, from 1; returns its least number, below which no later one is. */
    private int fill(int[] other, int at) {
        int letter = other[at - 1];
        int first = Math.max(1, at - most);
        int last = Math.min(letters.length, at + most);
        row[first - 1] = first == 1 ? Math.min(at, far) : far;
        int least = row[first - 1];
        for (int place = first; place <= last; place++) {
            int distance = Math.min(before[place], row[place - 1]) + 1;
            distance = Math.min(distance, before[place - 1] + (letter == letters[place - 1] ? 0 : 1));
            boolean exchanged =
                    at > 1 && place > 1 && letter == letters[place - 2] && other[at - 2] == letters[place - 1];
            row[place] = exchanged ? Math.min(distance, twoBefore[place - 2] + 1) : distance;
            least = Math.min(least, row[place]);
        }
        if (last < letters.length) {
            row[last + 1] = far;
        }
        return least;
    }
}
