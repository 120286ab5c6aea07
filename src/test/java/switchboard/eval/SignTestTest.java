package switchboard.eval;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SignTestTest {
    @Test
    void valuesAreThoseOfTheBinomialDistribution() {
        assertEquals(1, new SignTest(0, 0).p());
        assertEquals(1, new SignTest(1, 0).p(), 1e-12);
        assertEquals(2 / 1024.0, new SignTest(10, 0).p(), 1e-12);
        assertEquals(2 * 11 / 1024.0, new SignTest(9, 1).p(), 1e-12);
        assertEquals(2 * 11 / 1024.0, new SignTest(1, 9).p(), 1e-12);
        assertEquals(2 * 56 / 1024.0, new SignTest(2, 8).p(), 1e-12);
        assertEquals(1, new SignTest(5, 5).p());
        assertEquals(1, new SignTest(25_000, 25_000).p(), 1e-9);
        assertEquals(0.000369, new SignTest(25_399, 24_601).p(), 0.00002, "as the normal distribution has it");
        assertTrue(new SignTest(50_000, 0).p() < 1e-300);
    }
}
