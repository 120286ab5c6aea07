package switchboard.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CosineCalibrationTest {
    @ParameterizedTest
    @CsvSource({"0.4, 0", "0.8, 1", "0.6, 0.5", "0.2, -0.5", "1, 1.5"})
    void aCosineHasItsPlaceBetweenUnrelatedAndRelated(double cosine, double place) {
        assertEquals(place, new CosineCalibration(0.4, 0.8).normalize(cosine), 1e-9);
    }

    @ParameterizedTest
    @CsvSource({"0.5, 0.5", "0.6, 0.5", "-1.1, 0.5", "0.5, 1.1", "NaN, 0.5", "0.5, NaN"})
    void whatIsNoRangeIsRefusedWithItsName(double unrelated, double related) {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> new CosineCalibration(unrelated, related));
        assertTrue(Objects.requireNonNull(refused.getMessage()).startsWith("cosines: "), refused.getMessage());
    }

    @Test
    void theWidestRangeIsAllowed() {
        assertEquals(0.5, new CosineCalibration(-1, 1).normalize(0), 1e-9);
    }
}
