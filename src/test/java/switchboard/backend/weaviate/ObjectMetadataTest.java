package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;

/** What an answer says about an object besides its properties. */
class ObjectMetadataTest {
    private static JsonNode json(String text) {
        try {
            return Json.parse(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private static void tidied(String wanted, String additional) {
        assertEquals(
                json(wanted).toString(), ObjectMetadata.tidy(json(additional)).toString(), additional);
    }

    @Test
    void numbersThatComeAsTextAreNumbers() {
        tidied("{'score':0.75}", "{'score':'0.75'}");
        tidied("{'creationTimeUnix':1700000000123}", "{'creationTimeUnix':'1700000000123'}");
        tidied("{'score':0}", "{'score':'0'}");
        tidied("{'distance':0.5}", "{'distance':0.5}");
        tidied("{'score':'much'}", "{'score':'much'}");
    }

    @Test
    void anExplanationStaysTextAlsoIfItLooksLikeANumber() {
        tidied("{'explainScore':'12'}", "{'explainScore':'12'}");
        tidied("{'explainScore':'the best','score':1.5}", "{'explainScore':'the best','score':'1.5'}");
    }

    @Test
    void whatIsEmptyIsLeftOut() {
        tidied("{}", "{'id':'1','score':null,'vector':[],'vectors':{}}");
        tidied("{'vector':[1,2]}", "{'vector':[1,2]}");
        tidied("{}", "{'vectors':{'title':[],'body':null}}");
        tidied("{'vectors':{'body':[0.5]}}", "{'vectors':{'title':[],'body':[0.5]}}");
    }

    @Test
    void namesAreKnownInAnyCase() {
        Set<ObjectMetadata> all = EnumSet.allOf(ObjectMetadata.class);
        Set<ObjectMetadata> usual = Set.of(ObjectMetadata.SCORE);
        assertEquals(usual, ObjectMetadata.of(null, all, usual));
        assertEquals(Set.of(), ObjectMetadata.of(List.of(), all, usual));
        assertEquals(
                Set.of(ObjectMetadata.DISTANCE, ObjectMetadata.CREATION_TIME),
                ObjectMetadata.of(List.of("DISTANCE", "creationTimeUnix"), all, usual));
        ToolException unknown = assertThrows(
                ToolException.class,
                () -> ObjectMetadata.of(
                        List.of("distance"), EnumSet.of(ObjectMetadata.SCORE, ObjectMetadata.ID), usual));
        assertEquals(FailureKind.INVALID_ARGUMENT, unknown.failed().kind());
        assertEquals(
                "return_metadata: \"distance\" is not known; known are id, score.",
                unknown.failed().message());
    }
}
