package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.SearchableSource;
import switchboard.call.SourceQuery;
import switchboard.call.SourceQuery.Condition;
import switchboard.call.SourceQuery.Operator;
import switchboard.call.ToolReply;
import switchboard.call.UnknownFields;
import switchboard.testing.BackendHarness;

/** Which properties of a collection conditions may name, and with which values. */
class FilterablePropertiesTest extends Suite {
    @Override
    void fixtures() {
        engine.stub().ifPresent(stub -> stub.searches().rankAnything());
        engine.collection(
                "Kinds",
                TestEngine.properties(
                                "title:text",
                                "number:int",
                                "rating:number",
                                "yes:boolean",
                                "day:date",
                                "key:uuid",
                                "tags:text[]",
                                "picture:blob",
                                "place:geoCoordinates")
                        .replace(
                                "{\"name\":\"rating\",",
                                "{\"name\":\"rating\",\"indexFilterable\":false,\"indexRangeFilters\":false,"));
        engine.put("Kinds", """
                [{"id":"%1$s","properties":{"title":"tug boat","number":1,"yes":true,"day":"2024-02-29T00:00:00Z","key":"%1$s","tags":["x","y"]}}]
                """.formatted(TestEngine.id(7, 1)));
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

    private BackendReply ask(String collection, String text, Condition... conditions) {
        return gateway.send(new BackendRequest.SearchSource(
                engine.name(collection), new SourceQuery(text, List.of(conditions), 10)));
    }

    private static Condition condition(String field, Operator comparison, Object value) {
        return new Condition(field, comparison, Json.mapper().valueToTree(value));
    }

    @Test
    void fieldsHaveTheTypesOfTheirProperties() {
        StringBuilder fields = new StringBuilder();
        source("Kinds").fields().forEach(field -> fields.append(field.name())
                .append(field.types())
                .append(field.ranges() ? " ranges " : " "));
        assertEquals(
                "day[DATE_TIME] ranges key[STRING] number[NUMBER] ranges tags[STRING] title[STRING] yes[BOOLEAN] ",
                fields.toString());
    }

    @Test
    void aConditionOfTheRightTypeFindsTheObject() {
        try (BackendHarness keywords = engine.gateway()) {
            for (Condition right : List.of(
                    condition("key", Operator.EQUAL, TestEngine.id(7, 1)),
                    condition("tags", Operator.EQUAL, "y"),
                    condition("day", Operator.AT_MOST, "2024-02-29"),
                    condition("number", Operator.AT_LEAST, 1),
                    condition("yes", Operator.EQUAL, true))) {
                BackendReply reply = keywords.send(new BackendRequest.SearchSource(
                        engine.name("Kinds"), new SourceQuery("tug boat", List.of(right), 10)));
                assertEquals(
                        1,
                        assertInstanceOf(BackendReply.Passages.class, reply, right::toString)
                                .passages()
                                .size(),
                        right::toString);
            }
        }
    }

    @Test
    void aConditionOfAnotherTypeIsAnError() {
        for (Condition wrong : List.of(
                condition("number", Operator.EQUAL, "1"),
                condition("title", Operator.EQUAL, 1),
                condition("title", Operator.MORE_THAN, "a"),
                condition("yes", Operator.EQUAL, "true"),
                condition("day", Operator.EQUAL, "yesterday"),
                condition("day", Operator.AT_LEAST, 2024),
                condition("key", Operator.EQUAL, "x"),
                condition("key", Operator.LESS_THAN, TestEngine.id(7, 1)))) {
            ToolReply.Failed failed = assertInstanceOf(ToolReply.Failed.class, ask("Kinds", "a", wrong));
            assertEquals(FailureKind.INVALID_ARGUMENT, failed.kind(), failed::message);
            assertTrue(UnknownFields.in(failed).isEmpty(), failed::message);
        }
    }

    @Test
    void aPropertyThatFiltersCantNameIsUnknown() {
        for (String unknown : List.of("rating", "picture", "place", "numbr")) {
            ToolReply.Failed failed =
                    assertInstanceOf(ToolReply.Failed.class, ask("Kinds", "a", condition(unknown, Operator.EQUAL, 1)));
            assertEquals(
                    Map.of(unknown, unknown.equals("numbr") ? "number" : ""),
                    UnknownFields.in(failed).orElseThrow().near());
        }
    }
}
