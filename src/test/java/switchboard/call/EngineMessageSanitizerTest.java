package switchboard.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EngineMessageSanitizerTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.3.17",
                "10.0.3.17:8080",
                "255.255.255.255",
                "0.0.0.0:80",
                "[::1]:7700",
                "[fe80::1]",
                "localhost",
                "localhost:7700",
                "weaviate.default.svc",
                "db-0.internal",
                "db-0.internal:5432",
                "db.example.com:5432"
            })
    void anAddressIsTakenOutWhereverItStands(String address) {
        assertEquals("see (address) there", EngineMessageSanitizer.plain("see " + address + " there"));
        assertEquals("(address)", EngineMessageSanitizer.plain(address));
        assertEquals(
                "\"(address)\", (address).", EngineMessageSanitizer.plain("\"" + address + "\", " + address + "."));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dial tcp weaviate:8080: i/o timeout|dial tcp (address): i/o timeout",
                "could not connect to weaviate:8080|could not connect to (address)",
                "connection to weaviate-1:80 lost|connection to (address) lost",
                "http://weaviate:8080/v1|http://(address)/v1",
                "user@db:5432|user@(address)",
                "the host db:5432 is gone|the host (address) is gone",
                "weaviate:8080: connection refused|(address): connection refused",
                "weaviate:8080 refused the connection|(address) refused the connection",
                "db:5432 timed out|(address) timed out",
                "asked engine-7:8080 in vain|asked (address) in vain",
                "no such host at <url> and weaviate:8080|no such host at <url> and (address)",
                "neither 10.0.0.7 nor weaviate:80|neither (address) nor (address)",
            })
    void aNameWithAPortIsAnAddressBesideWordsAboutConnections(String said, String plain) {
        assertEquals(plain, EngineMessageSanitizer.plain(said));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "year:2024",
                "no value for word:1234 in the filter",
                "chapter:12345 of book:1984",
                "call +49.30.123.45.67 or 01.23.45.67.89",
                "phone 030.123.456.789 and 555.123.456.789",
                "+1 (555) 123-4567",
                "0049 30 1234567",
                "version 1.40.2",
                "256.1.1.1",
                "1.2.3.4.5",
                "at 10:15 or 2026-01-01T10:15:00Z",
                "the ratio is 1:1000",
                "articles.id = 17",
                "localhosts and internals"
            })
    void whatOnlyLooksLikeAnAddressStays(String said) {
        assertEquals(said, EngineMessageSanitizer.plain(said));
    }

    @Test
    void namesOfClassesAndTracesOfCallsAreTakenOut() {
        String plain = EngineMessageSanitizer.plain("java.lang.IllegalStateException: no index\n"
                + "\tat org.example.Index.open(Index.java:17)\n"
                + "Caused by: java.io.IOException\n... 12 more\nTry another.");
        assertEquals("no index\nTry another.", plain);
        assertEquals(
                "lookup of a host: no such host",
                EngineMessageSanitizer.plain("lookup weaviate on 10.0.0.2:53: no such host"));
    }

    @Test
    void aStepFollowsAsASentenceOfItsOwn() {
        assertEquals("It failed. Try again.", EngineMessageSanitizer.then("It failed", "Try again."));
        assertEquals("It failed. Try again.", EngineMessageSanitizer.then("It failed. ", "Try again."));
        assertEquals("It failed! Try again.", EngineMessageSanitizer.then("It failed!", "Try again."));
        assertEquals("Why? Try again.", EngineMessageSanitizer.then("Why?", "Try again."));
        assertEquals("Try again.", EngineMessageSanitizer.then(" ", "Try again."));
    }

    @Test
    void aLongTextTakesTimeInProportion() {
        String text = "1.".repeat(200_000) + "a-".repeat(200_000) + "connect ".repeat(50_000);
        String plain = EngineMessageSanitizer.plain(text);
        assertFalse(plain.contains("(address)"));
        assertTrue(plain.length() > 1_000_000);
    }
}
