package switchboard.auth;

/**
 * Who has limits.
 *
 * @param team the team's name
 * @param key the key's id; empty for the team
 */
public record BudgetPayer(String team, String key) implements Comparable<BudgetPayer> {
    private static final String BETWEEN = "\t";

    @Override
    public int compareTo(BudgetPayer other) {
        int byTeam = team.compareTo(other.team);
        return byTeam == 0 ? key.compareTo(other.key) : byTeam;
    }

    /** It as one text, for a notice. */
    public String text() {
        return team + BETWEEN + key;
    }

    /** The payer of {@link #text}. */
    public static BudgetPayer of(String text) {
        int between = text.lastIndexOf(BETWEEN);
        return between < 0
                ? new BudgetPayer(text, "")
                : new BudgetPayer(text.substring(0, between), text.substring(between + 1));
    }
}
