package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What another client changes in a schema is there with the next call, however short before the schema was read. */
class ChangedSchemaContractTest extends Suite {
    private static final String ID = TestEngine.id(6, 1);
    private static final String BY_UUID = "{\"collection_name\":\"%Changing%\",\"uuids\":[\"" + ID + "\",\""
            + TestEngine.id(6, 2) + "\",\"" + TestEngine.id(6, 3) + "\"],\"return_properties\":[\"title\",\"pages\"]}";
    private static final String SEARCH = "{\"collection_name\":\"%Changing%\",\"query\":\"learning\",\"alpha\":0";
    private static final String LONG = "{\"path\":[\"pages\"],\"operator\":\"GreaterThan\",\"valueInt\":5}";

    @Override
    void fixtures() {
        engine.stub().ifPresent(stub -> stub.searches().rankAnything());
    }

    /** The gateway has seen the collection without pages; then it is made again, with them. */
    @BeforeEach
    void makeTheCollectionAgain() {
        engine.collection("Changing", TestEngine.properties("title:text", "gone:text"));
        engine.put("Changing", "[{\"id\":\"" + ID + "\",\"properties\":{\"title\":\"learning\",\"gone\":\"x\"}}]");
        ok("weaviate-objects-get", BY_UUID);
        ok("weaviate-query-hybrid", SEARCH + "}");
        engine.collection("Changing", TestEngine.properties("title:text", "pages:int"));
        engine.put("Changing", "[{\"id\":\"" + ID + "\",\"properties\":{\"title\":\"learning\",\"pages\":9}}]");
    }

    @Test
    void searchReturnsTheNewProperty() {
        JsonNode found = ok("weaviate-query-hybrid", SEARCH + "}").path("results");
        assertEquals(List.of("9"), each(found, "properties", "pages"));
        assertFalse(found.path(0).path("properties").has("gone"));
    }

    @Test
    void searchAcceptsTheNewPropertyByName() {
        assertEquals(
                List.of("9"),
                each(
                        ok("weaviate-query-hybrid", SEARCH + ",\"return_properties\":[\"pages\"]}")
                                .path("results"),
                        "properties",
                        "pages"));
    }

    @Test
    void filterOnTheNewPropertyIsAccepted() {
        assertEquals(
                1,
                ok("weaviate-query-hybrid", SEARCH + ",\"filters\":" + LONG + "}")
                        .path("results")
                        .size());
        assertEquals(
                1,
                ok("weaviate-objects-delete", "{\"collection_name\":\"%Changing%\",\"where\":" + LONG + "}")
                        .path("matches")
                        .asInt());
    }

    @Test
    void lookupKnowsTheNewProperty() {
        JsonNode found = ok("weaviate-objects-get", BY_UUID);
        assertEquals(List.of("9"), each(found.path("objects"), "properties", "pages"));
        assertFalse(found.has("unknown_properties"), found::toString);
    }

    @Test
    void upsertDoesNotSayThatItCreatedTheNewProperty() {
        JsonNode answer = ok(
                "weaviate-objects-upsert",
                "{\"collection_name\":\"%Changing%\",\"objects\":[{\"properties\":{\"title\":\"t\",\"pages\":1}}]}");
        assertFalse(answer.has("created_properties"), answer::toString);
    }

    @Test
    void collectionThatIsGoneIsNotFound() {
        engine.drop("Changing");
        fails("NOT_FOUND", "weaviate-objects-get", BY_UUID, "%Changing%");
        fails("NOT_FOUND", "weaviate-query-hybrid", SEARCH + "}", "%Changing%");
    }
}
