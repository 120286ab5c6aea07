package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.Passage;

/** Which sources a search asks, what their passages say, and how each of them ended. */
class SourceSelectorTest {
    private static boolean accepts(SourceSelector choice, String backend, String name) {
        return choice.accepts(new SearchSource(backend, Caller.unrestricted(), FederationFixture.source(name)));
    }

    @ParameterizedTest
    @CsvSource({
        "docs, true, true",
        "docs:books, true, true",
        "docs:*, true, true",
        "docs:b*, true, true",
        "d*, true, true",
        "*:books, true, true",
        "docs:films, true, false",
        "doc, false, false",
        "docs2:books, false, false",
        "books, false, false"
    })
    void aGlobIsABackendOrASourceOfIt(String glob, boolean concerned, boolean accepted) {
        SourceSelector choice = new SourceSelector(List.of("nothing", glob));
        assertEquals(concerned, choice.concerns("docs"));
        assertEquals(accepted, accepts(choice, "docs", "books"));
    }

    @Test
    void withoutAChoiceAllAreSearched() {
        assertTrue(new SourceSelector(List.of()).concerns("docs"));
        assertTrue(accepts(new SourceSelector(List.of()), "docs", "books"));
        assertFalse(new SourceSelector(List.of("")).concerns("docs"));
        assertFalse(accepts(new SourceSelector(List.of("")), "docs", "books"));
    }

    @Test
    void aDocumentIsInASourcesRankingOnce() {
        RankedPassages ranked = new RankedPassages(
                        new SearchSource("docs", Caller.unrestricted(), FederationFixture.source("books")),
                        2,
                        List.of(
                                FederationFixture.passage("1", "best", null),
                                FederationFixture.passage("2", "other", null),
                                FederationFixture.passage("1", "worse", null)),
                        switchboard.call.TermStatistics.NONE)
                .limited(1, new SignalTreatments(SignalRules.MARK_ALL));
        assertEquals(
                List.of("best", "other"),
                ranked.passages().stream().map(Passage::text).toList());
        assertEquals(
                new DocumentUri("docs", "books", "2"),
                ranked.address(ranked.passages().getLast()));
    }

    private static Passage declared(FederationSettings.Declared declared) {
        ObjectNode fields =
                Json.object().put("body", "B").put("head", "H").put("link", "L").put("year", 2020);
        return DeclaredFields.of(new Passage("1", "t", "u", "x", 0.5, null, fields), declared);
    }

    @Test
    void declaredFieldsReplaceWhatWasFoundWhereTheyAreTexts() {
        Passage all = declared(new FederationSettings.Declared(1, null, "body", "head", "link"));
        assertEquals(List.of("B", "H", "L"), List.of(all.text(), all.title(), String.valueOf(all.url())));
        assertEquals("1", all.document());
        assertEquals(0.5, all.score());
        Passage none = declared(new FederationSettings.Declared(1, "about", null, null, null));
        assertEquals(List.of("x", "t", "u"), List.of(none.text(), none.title(), String.valueOf(none.url())));
        Passage gone = declared(new FederationSettings.Declared(1, null, "nope", "year", "nope"));
        assertEquals(List.of("x", "t", "u"), List.of(gone.text(), gone.title(), String.valueOf(gone.url())));
        for (FederationSettings.Declared one : List.of(
                new FederationSettings.Declared(1, null, "body", null, null),
                new FederationSettings.Declared(1, null, null, "head", null),
                new FederationSettings.Declared(1, null, null, null, "link"))) {
            Passage changed = declared(one);
            assertEquals(
                    List.of(
                            one.text() == null ? "x" : "B",
                            one.title() == null ? "t" : "H",
                            one.url() == null ? "u" : "L"),
                    List.of(changed.text(), changed.title(), String.valueOf(changed.url())));
        }
    }

    @ParameterizedTest
    @EnumSource(FailureKind.class)
    void aFailureIsATimeoutARefusalOrAnError(FailureKind kind) {
        SourceStatus.Status expected = Optional.ofNullable(Map.of(
                                FailureKind.TIMEOUT, SourceStatus.Status.TIMEOUT,
                                FailureKind.CANCELLED, SourceStatus.Status.TIMEOUT,
                                FailureKind.DENIED, SourceStatus.Status.DENIED,
                                FailureKind.DENIED_UPSTREAM, SourceStatus.Status.DENIED)
                        .get(kind))
                .orElse(SourceStatus.Status.ERROR);
        assertEquals(expected, SourceStatus.Status.of(kind));
    }

    @ParameterizedTest
    @EnumSource(SourceStatus.Status.class)
    void onlyOkAndPartialAreAnswers(SourceStatus.Status status) {
        assertEquals(
                Set.of("ok", "partial").contains(status.word()),
                new SourceStatus("docs", status, 0, 1, null, null).answered());
    }
}
