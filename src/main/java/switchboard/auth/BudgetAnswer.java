package switchboard.auth;

import java.util.Map;

/**
 * The answer to reports.
 *
 * @param nowMillis the database's clock, in milliseconds since 1970-01-01T00:00Z
 * @param grants by payer; one is missing if its report has to be made as the first one
 */
public record BudgetAnswer(long nowMillis, Map<BudgetPayer, BudgetGrant> grants) {
    public BudgetAnswer {
        grants = Map.copyOf(grants);
    }
}
