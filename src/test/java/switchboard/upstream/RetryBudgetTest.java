package switchboard.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RetryBudgetTest {
    private final RetryBudget budget = new RetryBudget();

    private int spent() {
        int spent = 0;
        while (budget.spend()) {
            spent++;
        }
        return spent;
    }

    @Test
    void twentyRetriesAreSavedInTheBeginning() {
        assertEquals(20, spent());
        assertFalse(budget.spend());
    }

    @Test
    void fiveCallsEarnOneRetry() {
        spent();
        for (int call = 1; call <= 4; call++) {
            budget.earn();
            assertFalse(budget.spend(), call + " calls");
        }
        budget.earn();
        assertTrue(budget.spend());
        assertFalse(budget.spend());
    }

    @Test
    void noMoreThanTwentyAreSavedHoweverManyCallsThereAre() {
        for (int call = 0; call < 1_000; call++) {
            budget.earn();
        }
        assertEquals(20, spent());
    }
}
