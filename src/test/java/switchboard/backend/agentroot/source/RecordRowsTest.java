package switchboard.backend.agentroot.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.Json;

/** How many records of a file or a database become documents, and under which names. */
class RecordRowsTest {
    private static RecordRows rows(int bytes, int documents) {
        return new RecordRows(new CollectionLimits(bytes, documents));
    }

    private static boolean add(RecordRows rows, String path, String text) {
        return rows.add(path, new RecordRows.DataRecord(path, null, text, Json.object(), SourcePermission.NONE), null);
    }

    private static List<String> paths(RecordRows rows) {
        return rows.scan().items().stream().map(SourceDocument::path).toList();
    }

    private static List<String> skipped(RecordRows rows) {
        return rows.scan().skipped().stream()
                .map(DocumentProvider.Skipped::path)
                .toList();
    }

    @Test
    void asManyRecordsAsDocumentsAreAllowedBecomeDocuments() {
        RecordRows rows = rows(100, 2);
        assertTrue(add(rows, "a", "text"));
        assertTrue(add(rows, "b", "text"));
        assertTrue(rows.scan().complete());
        assertFalse(add(rows, "c", "text"));
        assertEquals(List.of("a", "b"), paths(rows));
        assertEquals(List.of("c"), skipped(rows));
        assertFalse(rows.scan().complete());
    }

    @Test
    void emptyRecordsAreNoDocumentsAndStillLookedAt() {
        RecordRows rows = rows(100, 2); // 2 * 2 + 1000 records
        for (int i = 1; i <= 1004; i++) {
            assertTrue(add(rows, "r" + i, " "), "record " + i);
        }
        assertTrue(rows.scan().complete());
        assertFalse(add(rows, "last", "text"));
        assertEquals(List.of(), paths(rows));
        assertFalse(rows.scan().complete());
    }

    @Test
    void aRecordHasTheSizeOfAFileInBytes() {
        RecordRows rows = rows(10, 5);
        assertTrue(add(rows, "fits", "ä".repeat(5)));
        assertTrue(add(rows, "large", "ä".repeat(5) + "a"));
        assertTrue(add(rows, "next", "text"));
        assertEquals(List.of("fits", "next"), paths(rows));
        assertEquals(List.of("large"), skipped(rows));
        assertTrue(rows.scan().complete(), "nothing is missing that could be there");
    }

    @Test
    void theFirstRecordOfANameCounts() {
        RecordRows rows = rows(100, 5);
        assertTrue(add(rows, "a/b", "first"));
        assertTrue(add(rows, "a//b", "second, a/_/b"));
        assertTrue(add(rows, "a/b", "third"));
        assertEquals(List.of("a/b", "a/_/b"), paths(rows));
        assertEquals(List.of("a/b"), skipped(rows));
    }

    @ParameterizedTest
    @CsvSource({"../x, _/x", "./x/.., _/x/_", "' a / b ', a/b", "'a\tb', 'a b'", "/x, _/x"})
    void namesAreOnesThatCanBeAskedFor(String written, String path) {
        RecordRows rows = rows(100, 5);
        add(rows, written, "text");
        assertEquals(List.of(path), paths(rows));
    }

    @Test
    void aNameHasUpTo500Characters() {
        RecordRows rows = rows(100, 5);
        add(rows, "n".repeat(500), "text");
        add(rows, "m".repeat(501), "text");
        assertEquals(List.of("n".repeat(500), "m".repeat(500)), paths(rows));
    }

    // ---- .gitignore

    private static String rules(int count) {
        return String.join(
                "\n", IntStream.range(0, count).mapToObj(i -> "r" + i).toList());
    }

    @Test
    void aThousandRulesOfAFolderAreRead() {
        assertEquals(true, IgnoreRules.parse(rules(1000)).verdict("r999", false));
        assertNull(IgnoreRules.parse(rules(1001)).verdict("r1000", false));
        assertEquals(true, IgnoreRules.parse("# comment\n\n" + rules(1000)).verdict("r999", false));
    }
}
