package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import switchboard.backend.agentroot.source.CollectionOrigin;
import switchboard.backend.agentroot.source.DocumentProvider.Skipped;
import switchboard.backend.agentroot.source.SourcePermission;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.store.AllowedReaders;
import switchboard.store.DocumentAccess;

/** Bounds of an update's reply and of a document's own facts. */
class AgentrootLimitsTest {
    @Test
    void fiftySkippedDocumentsAreNamedInOrderAndAllAreCounted() {
        UpdateCounts tally = new UpdateCounts(DocumentAccess.EVERYTHING);
        IntStream.range(0, 50)
                .forEach(i -> tally.skipped(new Skipped("p" + (99 - i), "too large", SourcePermission.NONE)));
        assertEquals(50, tally.reply("c", 0, true).path("skipped").size());
        tally.skipped(new Skipped("a", "too large", SourcePermission.NONE));
        ObjectNode reply = tally.reply("c", 3, false);
        assertEquals(50, reply.path("skipped").size());
        assertEquals(51, reply.path("skippedTotal").asInt());
        assertEquals("p50", reply.path("skipped").path(0).path("path").asText());
        assertEquals(3, reply.path("remaining").asInt());
        assertFalse(reply.path("complete").asBoolean());
    }

    @Test
    void whatWasWrittenOrRemovedIsAChange() {
        UpdateCounts tally = new UpdateCounts(DocumentAccess.EVERYTHING);
        tally.count(UpdateCounts.DocumentOutcome.unchanged(AllowedReaders.ALL));
        assertEquals(Set.of(), readers(tally));
        assertEquals(0, tally.written());
        for (UpdateCounts.Change change : UpdateCounts.Change.values()) {
            tally.count(new UpdateCounts.DocumentOutcome(change, null, AllowedReaders.ALL));
        }
        assertEquals(3, tally.written());
        assertEquals(Set.of(AllowedReaders.ALL), readers(tally));
        assertEquals(List.of(3, 1, 1, 1, 2, 0), counts(tally));
        UpdateCounts gone = new UpdateCounts(DocumentAccess.EVERYTHING);
        gone.removed(AllowedReaders.anyOf(List.of("user:ann")));
        assertEquals(Set.of(AllowedReaders.anyOf(List.of("user:ann"))), readers(gone));
    }

    private static Set<AllowedReaders> readers(UpdateCounts tally) {
        CollectionOrigin origin = new CollectionOrigin("/", "*", Map.of());
        return tally.report(new CollectionDefinition("c", "file", origin, AllowedReaders.ALL), 0, true)
                .readers();
    }

    /** What a caller may not read any more was removed for it, and what it could not read before was added. */
    @Test
    void whatIsHiddenIsNotCounted() {
        AllowedReaders ann = AllowedReaders.anyOf(List.of("user:ann"));
        AllowedReaders all = AllowedReaders.ALL;
        UpdateCounts tally = new UpdateCounts(new DocumentAccess.ForReaders(Set.of("user:eve")));
        assertFalse(tally.count(new UpdateCounts.DocumentOutcome(UpdateCounts.Change.ADDED, null, ann)));
        assertFalse(tally.count(new UpdateCounts.DocumentOutcome(UpdateCounts.Change.CHANGED, ann, ann)));
        assertFalse(tally.count(UpdateCounts.DocumentOutcome.unchanged(ann)));
        tally.removed(ann);
        assertFalse(tally.skippedOfUnknownReaders(new Skipped("a", "wrong", SourcePermission.NONE)));
        assertEquals(List.of(0, 0, 0, 0, 0, 0), counts(tally));
        assertTrue(tally.count(new UpdateCounts.DocumentOutcome(UpdateCounts.Change.CHANGED, ann, all)));
        assertTrue(tally.count(new UpdateCounts.DocumentOutcome(UpdateCounts.Change.RENAMED, ann, all)));
        assertFalse(tally.count(new UpdateCounts.DocumentOutcome(UpdateCounts.Change.CHANGED, all, ann)));
        assertFalse(tally.count(new UpdateCounts.DocumentOutcome(UpdateCounts.Change.RENAMED, all, ann)));
        assertEquals(List.of(2, 2, 0, 0, 0, 1), counts(tally));
        ObjectNode reply = tally.reply("c", 0, true);
        assertEquals(1, reply.path("skippedTotal").asInt());
        assertEquals(0, reply.path("skipped").size());
        assertEquals(6, tally.written(), "the update itself goes by all of them");
    }

    private static List<Integer> counts(UpdateCounts tally) {
        ObjectNode reply = tally.reply("c", 0, true);
        return Stream.of("filesUpdated", "added", "changed", "renamed", "unchanged", "removed")
                .map(name -> reply.path(name).asInt())
                .toList();
    }

    @Test
    void whatADocumentIsFoundByCountsMoreThanItsTitle() {
        ObjectNode user = Json.object().put("area", "birds");
        user.putArray("tags").add("lake").add("heron");
        assertEquals(
                "k1 k2\nk1 k2\nk1 k2" + "\nbirds lake heron ".repeat(4),
                WeightedSearchText.words(List.of("k1", "k2"), user));
        assertEquals("", WeightedSearchText.words(List.of(), Json.object()));
        String longest = "v".repeat(7_999);
        assertEquals(
                String.join("\n", Collections.nCopies(4, longest + " ")),
                WeightedSearchText.words(List.of(), Json.object().put("a", longest)));
        assertEquals(
                String.join("\n", Collections.nCopies(4, "v".repeat(8_000))),
                WeightedSearchText.words(List.of(), Json.object().put("a", "v".repeat(9_000))));
    }

    private static ObjectNode keys(int count) {
        ObjectNode facts = Json.object();
        IntStream.range(0, count).forEach(i -> facts.put("k" + i, i));
        return facts;
    }

    private static void refused(ObjectNode old, ObjectNode added) {
        ToolException refusal =
                assertThrows(ToolException.class, () -> UserMetadata.merged(old, added, new ArrayList<>()));
        assertEquals(FailureKind.INVALID_ARGUMENT, refusal.failed().kind());
    }

    @Test
    void aDocumentHasUpTo200KeysAnd64KiBOfItsOwnFacts() {
        assertEquals(
                200,
                UserMetadata.merged(keys(199), Json.object().put("x", 1), new ArrayList<>())
                        .size());
        refused(keys(200), Json.object().put("x", 1));
        int around = "{\"x\":\"\"}".length();
        ObjectNode largest = Json.object().put("x", "v".repeat(64 * 1024 - around));
        assertEquals(largest, UserMetadata.merged(Json.object(), largest, new ArrayList<>()));
        refused(Json.object(), Json.object().put("x", "v".repeat(64 * 1024 - around + 1)));
    }

    @Test
    void newValuesWinAndWhatCanNotBeStoredIsNamed() throws Exception {
        List<String> dropped = new ArrayList<>();
        ObjectNode old = Json.object().put("a", "old").put("b", "old");
        ObjectNode added = (ObjectNode) Json.parse(
                "{\"a\":\"new\",\"tags\":[\"x\",\"y\"],\"flag\":false,\"none\":null,\"deep\":{},\"mixed\":[\"x\",1]}");
        assertEquals(
                Json.parse("{\"a\":\"new\",\"b\":\"old\",\"tags\":[\"x\",\"y\"],\"flag\":false}"),
                UserMetadata.merged(old, added, dropped));
        assertEquals(List.of("none", "deep", "mixed"), dropped);
        assertEquals("old", old.path("a").asText(), "the stored facts are not changed");
    }
}
