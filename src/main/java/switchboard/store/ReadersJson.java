package switchboard.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Who may read a document, in its JSON. */
final class ReadersJson {
    private static final String ALLOW = "allow";
    private static final String ALLOW_EACH = "allow_each";

    /** {@link DocumentDetails#given} alone; only together with {@link #FROM_SOURCE}. */
    private static final String GIVEN = "given";

    private static final String FROM_SOURCE = "from_source";

    private ReadersJson() {}

    static void write(DocumentDetails details, ObjectNode json) {
        List<List<String>> places = details.allow().places();
        if (places.size() == 1) {
            places.getFirst().forEach(json.putArray(ALLOW)::add);
        } else if (places.size() > 1) {
            // A version that does not know allow_each reads this: nobody.
            AllowedReaders.NOBODY.places().getFirst().forEach(json.putArray(ALLOW)::add);
            write(details.allow(), json.putArray(ALLOW_EACH));
        }
        if (details.fromSource().restricted()) {
            write(details.given(), json.putArray(GIVEN));
            write(details.fromSource(), json.putArray(FROM_SOURCE));
        }
    }

    private static void write(AllowedReaders readers, ArrayNode each) {
        readers.places().forEach(names -> names.forEach(each.addArray()::add));
    }

    /** See {@link DocumentDetails#given}. */
    static AllowedReaders given(JsonNode json) {
        if (json.has(FROM_SOURCE)) {
            return places(json.path(GIVEN));
        }
        return json.has(ALLOW_EACH) ? places(json.path(ALLOW_EACH)) : AllowedReaders.anyOf(names(json.path(ALLOW)));
    }

    /** See {@link DocumentDetails#fromSource}. */
    static AllowedReaders fromSource(JsonNode json) {
        return places(json.path(FROM_SOURCE));
    }

    private static AllowedReaders places(JsonNode each) {
        List<List<String>> places = new ArrayList<>();
        each.forEach(names -> places.add(names(names)));
        return new AllowedReaders(places);
    }

    private static List<String> names(JsonNode array) {
        List<String> names = new ArrayList<>();
        array.forEach(name -> names.add(name.textValue()));
        return names;
    }
}
