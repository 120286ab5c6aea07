package switchboard.backend.postgres.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumberedParametersTest {
    private static final Map<String, String> TYPES = Map.of("q", "text", "n", "bigint");

    @ParameterizedTest
    @CsvSource(
            delimiterString = "-->",
            quoteCharacter = '~',
            value = {
                "a = :q AND b > :n AND c = :q --> a = $1::text AND b > $2::bigint AND c = $1::text",
                "a[1:n], b::text, ':q', :other, \":n\" --> a[1$1::bigint], b::text, ':q', :other, \":n\"",
                "v <=> :q::vector ORDER BY v <=> :q::vector --> v <=> $1::vector ORDER BY v <=> $1::vector",
                "v <=> :q :: HALFVEC(3) --> v <=> $1 :: HALFVEC(3)",
                "v <=> CAST(:q AS vector) --> v <=> CAST($1 AS vector)",
                "v <=> cast ( :q as extensions.\"vector\"(3)) --> v <=> cast ( $1 as extensions.\"vector\"(3))",
                "v <=> :q::ext.sparsevec, w <=> CAST(:q AS ext.sparsevec) --> v <=> $1::ext.sparsevec, w <=> CAST($1 AS ext.sparsevec)",
                "v <=> :q::vector, length(:q) --> v <=> $1::text::vector, length($1::text)",
                "v <=> :q::vector, w <=> :q::halfvec --> v <=> $1::text::vector, w <=> $1::text::halfvec",
                "v <=> :q::a.vector, w <=> :q::b.vector --> v <=> $1::text::a.vector, w <=> $1::text::b.vector",
                ":q::uuid --> $1::text::uuid",
                ":q::vector[] --> $1::text::vector[]",
                "f(:q AS vector) --> f($1::text AS vector)",
                "CAST(:q || '' AS vector) --> CAST($1::text || '' AS vector)",
                ":q:: --> $1::text::",
                ":q::a. --> $1::text::a.",
                "CAST(:q AS --> CAST($1::text AS",
            })
    void putsNumbersAndTypes(String named, String numbered) {
        assertEquals(numbered, NumberedParameters.of(named, TYPES).sql());
    }

    @Test
    void numbersAreInTheOrderOfFirstUse() {
        assertEquals(
                List.of("n", "q"), NumberedParameters.of(":n, :q, :n", TYPES).order());
        assertEquals(List.of(), NumberedParameters.of("SELECT 1", TYPES).order());
    }
}
