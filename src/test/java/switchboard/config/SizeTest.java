package switchboard.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizeTest {
    @ParameterizedTest
    @CsvSource({
        "0B, 0",
        "1B, 1",
        "1023B, 1023",
        "1KiB, 1024",
        "3MiB, 3145728",
        "2GiB, 2147483648",
        "1TiB, 1099511627776",
        "8388607TiB, 9223370937343148032"
    })
    void aSizeIsItsBytesAndWrittenAsItWasRead(String text, long bytes) {
        assertEquals(new Size(bytes), Size.parse(text));
        assertEquals(text, Size.parse(text).toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "1 MiB", "-1B", "1.5MiB", "1MB", "1mib", "8388608TiB", "1234567890123456789B"})
    void whatIsNoSizeIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> Size.parse(text));
    }

    @Test
    void asAnIntItEndsAtTheGreatest() {
        assertEquals(Integer.MAX_VALUE, new Size(Integer.MAX_VALUE).toInt());
        assertEquals(Integer.MAX_VALUE, Size.parse("2GiB").toInt());
        assertEquals(Integer.MAX_VALUE, Size.parse("1TiB").toInt());
        assertEquals(1024, Size.parse("1KiB").toInt());
    }

    @Test
    void sizesHaveAnOrderAndNoneIsNegative() {
        assertEquals(1, Size.parse("1KiB").compareTo(Size.parse("1023B")));
        assertEquals(0, Size.parse("1KiB").compareTo(Size.parse("1024B")));
        assertEquals(Size.ofMiB(1), Size.parse("1024KiB"));
        assertThrows(IllegalArgumentException.class, () -> new Size(-1));
    }
}
