package switchboard.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcceptedTypesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/json, text/event-stream | true | true",
                "application/json | true | false",
                "text/event-stream | false | true",
                "TEXT/Event-Stream , Application/JSON | true | true",
                "*/* | true | true",
                "application/* | true | false",
                "text/* | false | true",
                "text/html, image/png | false | false",
                "application/json;charset=utf-8 | true | false",
                "application/json;q=0 | false | false",
                "application/json; q=0.0, text/event-stream;q=0.001 | false | true",
                "application/json; q = 0.000 | false | false",
                "application/json;q=0.5 | true | false",
                "application/json;level=1;q=0 | false | false",
                "application/json;q=1, text/event-stream;q=0 | true | false",
                "application/json;q=, text/event-stream;q=1.000 | false | true",
                ";, ;;q=0, application/json | true | false",
                "application/jsonx, xtext/event-stream | false | false"
            })
    void aTypeIsAcceptedUnlessItIsNotNamedOrHasTheQualityZero(String header, boolean json, boolean stream) {
        AcceptedTypes types = AcceptedTypes.of(header);
        assertEquals(new AcceptedTypes(json, stream), types);
        assertEquals(!json && !stream, types.nothing());
    }

    @Test
    void whoSaysNothingTakesEverything() {
        for (String header : new String[] {null, "", "  "}) {
            assertEquals(new AcceptedTypes(true, true), AcceptedTypes.of(header));
        }
        assertTrue(AcceptedTypes.of(",").nothing());
    }
}
