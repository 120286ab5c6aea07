package switchboard.backend.opensearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Caller;
import switchboard.call.Json;
import switchboard.call.ResourceScope;
import switchboard.call.Rights;

class IndexMappingTest {
    private static IndexMapping mapping(String... properties) throws JsonProcessingException {
        StringBuilder answer = new StringBuilder();
        for (int i = 0; i < properties.length; i++) {
            answer.append(i == 0 ? "" : ", ")
                    .append("\"i" + i + "\": {\"mappings\": {\"properties\": {" + properties[i] + "}}}");
        }
        return IndexMapping.of(Json.parse("{" + answer + "}"));
    }

    private static Optional<String> exact(IndexMapping mapping, String field) {
        return mapping.field(field).map(MappedField::exact);
    }

    @Test
    void exactValuesAreThoseThatAreKeptAsTheyAre() throws JsonProcessingException {
        IndexMapping mapping = mapping("""
                "plain": {"type": "keyword"},
                "folded": {"type": "keyword", "normalizer": "lower"},
                "stored": {"type": "long", "index": false},
                "title": {"type": "text", "fields": {"a": {"type": "keyword", "normalizer": "lower"}, "b": {"type": "keyword"}}},
                "body": {"type": "text", "fields": {"english": {"type": "text"}}},
                "other": {"type": "alias", "path": "plain"},
                "inner": {"properties": {"x": {"type": "date"}}},
                "many": {"type": "nested", "properties": {"x": {"type": "keyword"}, "v": {"type": "knn_vector", "dimension": 3}}}""");
        assertEquals(Optional.of("plain"), exact(mapping, "plain"));
        assertEquals(Optional.empty(), exact(mapping, "folded"));
        assertEquals(Optional.empty(), exact(mapping, "stored"));
        assertEquals(Optional.of("title.b"), exact(mapping, "title"));
        assertEquals(Optional.empty(), exact(mapping, "body"));
        assertEquals(Optional.of("inner.x"), exact(mapping, "inner.x"));
        assertTrue(mapping.field("many.x").isEmpty());
        assertEquals(List.of("many.v"), List.copyOf(mapping.vectorPaths()));
        assertEquals(Optional.empty(), mapping.vectorOf(3));
        assertEquals(List.of("body", "title"), mapping.fullTexts());
    }

    @Test
    void indicesBehindAnAliasDiffer() throws JsonProcessingException {
        IndexMapping mapping = mapping("""
                "v": {"type": "knn_vector", "dimension": 3}, "w": {"type": "dense_vector", "dims": 4, "similarity": "cosine"},
                "t": {"type": "text", "fields": {"k": {"type": "keyword"}}}, "n": {"type": "long"}""", """
                "v": {"type": "knn_vector", "dimension": 5}, "w": {"type": "dense_vector", "dims": 4, "similarity": "cosine"},
                "t": {"type": "text"}, "n": {"type": "keyword"}""");
        assertEquals(List.of("v", "w"), List.copyOf(mapping.vectorPaths()));
        assertEquals(Optional.empty(), mapping.vectorOf(3));
        assertEquals(Optional.of("w"), mapping.vectorOf(4).map(MappedField::name));
        assertEquals("text", mapping.field("t").orElseThrow().type());
        assertFalse(mapping.field("t").orElseThrow().filterable());
        assertEquals(MappedField.CONFLICT, mapping.field("n").orElseThrow().type());
    }

    @Test
    void oddMappingsAreNoDefect() throws JsonProcessingException {
        StringBuilder deep = new StringBuilder();
        for (int i = 0; i < 45; i++) {
            deep.append("\"a\": {\"properties\": {");
        }
        assertEquals(0, mapping(deep + "}}".repeat(45)).fields().size());
        assertEquals(
                0,
                IndexMapping.of(Json.parse("{\"i\": {\"mappings\": {}}, \"j\": {}, \"k\": 1}"))
                        .fields()
                        .size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs", "Docs-2", "größe", ".kibana", "a.b", "a+b", "100%"})
    void namesOfOneIndex(String name) {
        assertTrue(IndexNames.valid(name), name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "*",
                "a*",
                "a,b",
                "-a",
                "_all",
                "+a",
                "<a-{now/d}>",
                "c:a",
                "a/b",
                "a b",
                "a#",
                "a?",
                "a\n"
            })
    void namesOfMoreOrLess(String name) {
        assertFalse(IndexNames.valid(name), name);
    }

    @Test
    void namesAreAsLongAsTheEngineTakes() {
        assertTrue(IndexNames.valid("a".repeat(255)));
        assertFalse(IndexNames.valid("a".repeat(256)));
        assertFalse(IndexNames.valid("ä".repeat(128)));
    }

    @Test
    void hiddenNamesNeedAPatternOfTheirOwn() {
        Caller all = Caller.unrestricted();
        assertFalse(new IndexNames(List.of("*")).allow(".secrets", all));
        assertTrue(new IndexNames(List.of("*", ".sec*")).allow(".secrets", all));
        assertFalse(new IndexNames(List.of("docs-*")).allow("tickets", all));
        Caller docs = new Caller("t", "k", Rights.ALL, ResourceScope.anyOf(List.of("docs*")), java.util.Map.of());
        assertTrue(new IndexNames(List.of("*")).allow("docs-1", docs));
        assertFalse(new IndexNames(List.of("*")).allow("tickets", docs));
    }

    @Test
    void longQuestionsAreCutBeforeTheEngineRefusesThem() throws JsonProcessingException {
        IndexMapping two = mapping(
                "\"a\": {\"type\": \"text\"}, \"b\": {\"type\": \"text\", \"fields\": {\"k\": {\"type\": \"keyword\"}}}");
        assertEquals(3, two.searchable());
        IndexQuery words = query("word ".repeat(400), List.of());
        SearchText cut = SearchText.of(words, two);
        assertEquals(333, cut.words().split(" ").length);
        assertEquals(1, cut.notes().size());
        assertEquals(
                List.of(),
                SearchText.of(query("word ".repeat(333), List.of()), two).notes());
        assertEquals(
                333,
                SearchText.of(query("字".repeat(400), List.of()), two).words().length());
        assertEquals(
                List.of(),
                SearchText.of(query("word ".repeat(400), List.of("a")), two).notes());
        StringBuilder wide = new StringBuilder("\"a\": {\"type\": \"text\"}");
        for (int i = 0; i < 200; i++) {
            wide.append(", \"k" + i + "\": {\"type\": \"keyword\"}");
        }
        SearchText texts = SearchText.of(query("word", List.of()), mapping(wide.toString()));
        assertEquals(List.of("a"), texts.fields());
        assertEquals(1, texts.notes().size());
    }

    private static IndexQuery query(String text, List<String> fields) {
        return new IndexQuery(
                "i",
                text,
                SearchMode.HYBRID,
                false,
                Optional.empty(),
                List.of(),
                new IndexQuery.Page(0, 10),
                new IndexQuery.SearchOptions(fields, List.of(), false, List.of(), false));
    }
}
