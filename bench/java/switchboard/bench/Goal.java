package switchboard.bench;

import java.util.List;
import java.util.Locale;

/**
 * What was to be reached, and what was measured.
 *
 * @param sense whether more or less is better
 */
record Goal(String what, Sense sense, double bound, double measured) {
    /** On which side of its bound a figure should be. */
    enum Sense {
        AT_LEAST(">="),
        AT_MOST("<=");

        private final String sign;

        Sense(String sign) {
            this.sign = sign;
        }
    }

    /** Whether it was reached; what could not be measured was not. */
    boolean met() {
        return switch (sense) {
            case AT_LEAST -> measured >= bound;
            case AT_MOST -> measured <= bound;
        };
    }

    /** Prints {@code goals} as a table. */
    static void print(List<Goal> goals) {
        Markdown table = new Markdown("target", "bound", "measured", "");
        for (Goal goal : goals) {
            table.row(
                    goal.what,
                    goal.sense.sign + " " + number(goal.bound),
                    number(goal.measured),
                    goal.met() ? "met" : "**not met**");
        }
        table.print();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, Math.abs(value) < 10 ? "%.2f" : "%.0f", value);
    }
}
