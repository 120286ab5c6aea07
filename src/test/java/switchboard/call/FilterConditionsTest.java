package switchboard.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.backend.FieldGuesser;

/** What the filters of a search mean, and which documents they let through. */
class FilterConditionsTest {
    private static ObjectNode json(String text) {
        try {
            return (ObjectNode) Json.parse(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> read(String filters) {
        return FilterConditions.of(json(filters)).stream()
                .map(condition -> condition.field() + " " + condition.comparison() + " " + condition.value())
                .toList();
    }

    @Test
    void aValueIsToBeEqualAndAnObjectComparesInItsOrder() {
        assertEquals(List.of(), FilterConditions.of(null));
        assertEquals(List.of(), read("{}"));
        assertEquals(List.of("a EQUAL \"x\"", "b EQUAL 1.5", "c EQUAL true"), read("{'a':'x','b':1.5,'c':true}"));
        assertEquals(
                List.of("y MORE_THAN 1", "y AT_LEAST 2", "y LESS_THAN 3", "y AT_MOST 4", "y EQUAL 5"),
                read("{'y':{'gt':1,'gte':2,'lt':3,'lte':4,'eq':5}}"));
        assertEquals(List.of("f EQUAL false"), read("{'f':{'eq':false}}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "{'y':{'ne':1}}|filters.y has an unknown comparison \"ne\"; comparisons are eq, gt, gte, lt, lte.",
                "{'y':{'gt':true}}|filters.y compares true or false by order; use eq.",
                "{'y':null}|filters.y must be a string, a number, true or false, or an object such as {\"gte\": 2020}.",
                "{'y':[1]}|filters.y must be a string, a number, true or false, or an object such as {\"gte\": 2020}.",
                "{'y':{}}|filters.y must be a string, a number, true or false, or an object such as {\"gte\": 2020}.",
                "{'y':{'eq':[]}}|filters.y must be a string, a number, true or false, or an object such as {\"gte\": 2020}."
            })
    void anythingElseIsRefusedWithItsField(String filters, String message) {
        ObjectNode given = json(filters);
        ToolException refused = assertThrows(ToolException.class, () -> FilterConditions.of(given));
        assertEquals(FailureKind.INVALID_ARGUMENT, refused.failed().kind());
        assertEquals(message, refused.failed().message());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "{'y':1}|{'y':1}|true",
                "{'y':1}|{'y':1.0}|true",
                "{'y':1}|{'y':2}|false",
                "{'y':1}|{'y':'1'}|false",
                "{'y':'1'}|{'y':1}|false",
                "{'y':1}|{}|false",
                "{'y':1}|{'y':null}|false",
                "{'y':{'gte':2}}|{'y':2}|true",
                "{'y':{'gte':2}}|{'y':1}|false",
                "{'y':{'gt':2}}|{'y':2}|false",
                "{'y':{'gt':2}}|{'y':3}|true",
                "{'y':{'lte':2}}|{'y':2}|true",
                "{'y':{'lte':2}}|{'y':3}|false",
                "{'y':{'lt':2}}|{'y':2}|false",
                "{'y':{'lt':2}}|{'y':1}|true",
                "{'y':{'gte':2,'lt':4}}|{'y':4}|false",
                "{'y':{'gte':2,'lt':4}}|{'y':3}|true",
                "{'a':1,'b':2}|{'a':1,'b':2}|true",
                "{'a':1,'b':2}|{'a':1,'b':3}|false",
                "{'f':true}|{'f':true}|true",
                "{'f':true}|{'f':false}|false",
                "{'f':true}|{'f':'true'}|false",
                "{'f':'true'}|{'f':true}|false",
                "{'s':'b'}|{'s':'B'}|false",
                "{'s':{'gt':'a'}}|{'s':'b'}|true",
                "{'s':{'gt':'a'}}|{'s':'B'}|false",
                "{'y':2}|{'y':[1,2]}|true",
                "{'y':2}|{'y':[1,3]}|false",
                "{'y':2}|{'y':[]}|false",
                "{'t':'2024-01-01T00:00:00Z'}|{'t':'2024-01-01T01:00:00+01:00'}|true",
                "{'t':{'lt':'2024-01-01T00:00:00Z'}}|{'t':'2024-01-01T00:30:00+01:00'}|true",
                "{'t':{'gt':'2024-01-01T00:00:00Z'}}|{'t':'2024-01-01T00:30:00+01:00'}|false",
                "{'t':{'gte':'2024-01-01'}}|{'t':'later'}|true"
            })
    void aDocumentMeetsAllConditionsOrNotAtAll(String filters, String document, boolean met) {
        assertEquals(met, new FieldGuesser(json(document)).meets(FilterConditions.of(json(filters))), filters);
    }
}
