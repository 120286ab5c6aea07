package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.NamedFields;
import switchboard.call.Passage;
import switchboard.call.ResourceScope;
import switchboard.call.SearchableSource;
import switchboard.call.SourceQuery;
import switchboard.call.SourceQuery.Condition;
import switchboard.call.SourceQuery.Operator;
import switchboard.call.ToolReply;
import switchboard.testing.BackendHarness;
import switchboard.testing.CalculatedEmbedder;

/** Collections as sources of searches over all backends. */
class CollectionSearchTest extends Suite {
    /** What the recordings search with. */
    private static final float[] RECORDED = {1, 0.2f, 0};

    @Override
    void fixtures() {
        engine.articles();
        engine.articlesWithVectors();
        engine.articlesWithTwoVectors();
        engine.articlesOfTenants();
    }

    @Override
    BackendHarness open() {
        return engine.gateway(CalculatedEmbedder.constant(RECORDED));
    }

    private List<String> sources() {
        return assertInstanceOf(
                        BackendReply.Sources.class,
                        gateway.send(new BackendRequest.ListSources(BackendRequest.FilterFields.KNOWN)))
                .sources()
                .stream()
                .map(SearchableSource::name)
                .filter(name -> List.of("TestArticle", "VecArticle", "TwoVec", "MtArticle").stream()
                        .anyMatch(plain -> engine.name(plain).equals(name)))
                .toList();
    }

    private SearchableSource source(String collection) {
        return assertInstanceOf(
                        BackendReply.Sources.class,
                        gateway.send(new BackendRequest.ListSources(BackendRequest.FilterFields.KNOWN)))
                .sources()
                .stream()
                .filter(source -> source.name().equals(engine.name(collection)))
                .findFirst()
                .orElseThrow();
    }

    private List<Passage> search(String collection, String text, Condition... conditions) {
        return assertInstanceOf(BackendReply.Passages.class, ask(collection, text, conditions))
                .passages();
    }

    private BackendReply ask(String collection, String text, Condition... conditions) {
        return gateway.send(new BackendRequest.SearchSource(
                engine.name(collection), new SourceQuery(text, List.of(conditions), 10)));
    }

    private static Condition condition(String field, Operator comparison, Object value) {
        return new Condition(field, comparison, Json.mapper().valueToTree(value));
    }

    @Test
    void whatHasOneVectorAtMostAndNoTenantsIsASource() {
        assertEquals(List.of(engine.name("TestArticle"), engine.name("VecArticle")), sources());
    }

    @Test
    void aTeamOfATenantHasTheCollectionsWithTenants() {
        asTeam(List.of("*"), Map.of("tenant", "tenant-b"));
        assertEquals(List.of(engine.name("MtArticle")), sources());
        assertEquals(
                FailureKind.DENIED,
                assertInstanceOf(ToolReply.Failed.class, ask("VecArticle", "learning"))
                        .kind());
    }

    @Test
    void aSourceSaysHowManyObjectsItHasAndWhenTheNewestWasWritten() {
        assertEquals(5, source("TestArticle").documents());
        assertEquals(5, source("VecArticle").documents());
        Instant written = Instant.parse(source("VecArticle").updated());
        assertTrue(written.isAfter(Instant.parse("2026-01-01T00:00:00Z")), written::toString);
    }

    @Test
    void aTeamOfATenantLearnsTheNumbersOfItsTenantAlone() {
        asTeam(List.of("*"), Map.of("tenant", "tenant-a"));
        assertEquals(3, source("MtArticle").documents());
        String first = source("MtArticle").updated();
        asTeam(List.of("*"), Map.of("tenant", "tenant-b"));
        assertEquals(2, source("MtArticle").documents());
        assertNotEquals(first, source("MtArticle").updated());
        asTeam(List.of("*"), Map.of("tenant", "tenant-cold"));
        assertNull(source("MtArticle").documents(), "it would have to be loaded");
        assertNull(source("MtArticle").updated());
    }

    @Test
    void nothingIsAskedOfCollectionsThatATeamMayNotSee() {
        engine.stub().ifPresent(stub -> {
            stub.forget();
            try (BackendHarness other = engine.gateway()) {
                other.as(caller -> new Caller(
                        "team",
                        "key",
                        caller.rights(),
                        ResourceScope.anyOf(List.of(engine.name("TestArticle"))),
                        Map.of()));
                other.send(new BackendRequest.ListSources(BackendRequest.FilterFields.KNOWN));
                other.send(new BackendRequest.ListSources(BackendRequest.FilterFields.KNOWN));
            }
            List<String> asked = stub.seen().stream()
                    .filter(seen -> seen.path().equals("/v1/graphql"))
                    .map(seen -> seen.body().path("query").asText())
                    .toList();
            assertEquals(2, asked.size(), "once, and then it is remembered: " + asked);
            asked.forEach(query -> assertFalse(query.contains("VecArticle"), query));
        });
    }

    @Test
    void withoutNumbersTheListComesAllTheSame() {
        engine.stub().ifPresent(stub -> {
            try (BackendHarness other = engine.gateway()) {
                stub.playAs("POST /v1/graphql", "graphql-disabled");
                List<SearchableSource> sources = assertInstanceOf(
                                BackendReply.Sources.class,
                                other.send(new BackendRequest.ListSources(BackendRequest.FilterFields.KNOWN)))
                        .sources();
                assertEquals(2, sources.size());
                sources.forEach(source -> assertNull(source.documents()));
            }
        });
    }

    @Test
    void aPassageHasTitleTextAndTheCosineOfItsVector() {
        Passage best = search("VecArticle", "learning").getFirst();
        assertEquals("Deep Learning Advanced", best.title());
        assertTrue(best.text().startsWith("Hard deep learning topics"), best::text);
        assertEquals("fixed", assertNotNull(best.similarity()).model());
        // [0.9, 0.1, 0] against the query's [1, 0.2, 0]
        assertEquals(0.99624, best.similarity().cosine(), 1e-4);
        assertEquals(2022, best.fields().path("year").asInt());
    }

    private static <T> T assertNotNull(T value) {
        org.junit.jupiter.api.Assertions.assertNotNull(value);
        return value;
    }

    @Test
    void conditionsHoldForEveryHit() {
        try (BackendHarness keywords = engine.gateway()) {
            assertEquals(4, hits(keywords, condition("year", Operator.AT_LEAST, 2020)));
            assertEquals(3, hits(keywords, condition("publishDate", Operator.AT_LEAST, "2021-01-01")));
            assertEquals(
                    4,
                    hits(
                            keywords,
                            condition("status", Operator.EQUAL, "published"),
                            condition("year", Operator.AT_LEAST, 2020)));
            assertEquals(0, hits(keywords, condition("status", Operator.EQUAL, "nothing")));
        }
    }

    private int hits(BackendHarness backend, Condition... conditions) {
        BackendReply.Passages found = assertInstanceOf(
                BackendReply.Passages.class,
                backend.send(new BackendRequest.SearchSource(
                        engine.name("TestArticle"),
                        new SourceQuery("learning guide networks python", List.of(conditions), 10))));
        assertTrue(String.valueOf(found.lacking()).contains("Keyword search only"), found::toString);
        return found.passages().size();
    }

    @Test
    void aConditionThatCantBeAppliedIsAnError() {
        for (Condition condition :
                List.of(condition("nosuch", Operator.EQUAL, 1), condition("author", Operator.AT_LEAST, "B"))) {
            ToolReply.Failed failed =
                    assertInstanceOf(ToolReply.Failed.class, ask("VecArticle", "learning", condition));
            assertEquals(FailureKind.INVALID_ARGUMENT, failed.kind(), failed::message);
        }
    }

    @Test
    void aPropertyWithACapitalLetterIsTheSameInTheCheckOfTexts() {
        try (BackendHarness keywords = engine.gateway()) {
            int hits = hits(keywords, condition("status", Operator.EQUAL, "published"));
            assertTrue(hits > 0);
            assertEquals(hits, hits(keywords, condition("Status", Operator.EQUAL, "published")));
        }
    }

    @Test
    void aDocumentIsReadInParts() {
        Passage best = search("VecArticle", "learning").getFirst();
        BackendReply.DocumentPart part = assertInstanceOf(
                BackendReply.DocumentPart.class,
                gateway.send(new BackendRequest.ReadDocument(
                        engine.name("VecArticle"), best.document(), 0, 10, NamedFields.NONE)));
        assertEquals("Deep Learn", part.text());
        assertEquals(10, part.next());
        ToolReply.Failed missing = assertInstanceOf(
                ToolReply.Failed.class,
                gateway.send(new BackendRequest.ReadDocument(
                        engine.name("VecArticle"), TestEngine.id(9, 9), 0, 10, NamedFields.NONE)));
        assertEquals(FailureKind.NOT_FOUND, missing.kind());
    }
}
