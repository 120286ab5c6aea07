package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Json;
import switchboard.call.Passage;
import switchboard.call.SourceQuery;

/** Values of every type, at their limits and between, come back from every tool that reads as they were written. */
class WideIntegersContractTest extends Suite {
    private static final int DRAWN = 20;
    private static final long SEED = UUID.randomUUID().getMostSignificantBits();

    /** Those that a double holds: Weaviate keeps no others. */
    private static final List<Long> LIMITS = List.of(
            0L,
            -1L,
            (long) Integer.MAX_VALUE,
            (long) Integer.MIN_VALUE,
            Integer.MAX_VALUE + 1L,
            Integer.MIN_VALUE - 1L,
            1_704_067_200_123L,
            (1L << 53) - 1,
            1L << 53,
            -(1L << 53),
            1L << 60,
            (1L << 62) + 1024,
            Long.MIN_VALUE);

    private final List<Long> values = values();
    private final List<ObjectNode> written = new ArrayList<>();

    private static List<Long> values() {
        List<Long> values = new ArrayList<>(LIMITS);
        Random random = new Random(SEED);
        for (int i = 0; i < DRAWN; i++) {
            values.add((long) (double) (random.nextLong() >> random.nextInt(1, Long.SIZE)));
        }
        return values;
    }

    private static String id(int number) {
        return TestEngine.id(8, number);
    }

    @Override
    void fixtures() {
        engine.stub().ifPresent(stub -> stub.searches().rankAnything());
        engine.collection("WideTarget", TestEngine.properties("name:text", "big:int"));
        engine.put(
                "WideTarget",
                "[{\"id\":\"" + TestEngine.id(9, 1) + "\",\"properties\":{\"name\":\"Ada\",\"big\":1704067200123}}]");
        String nested = "[{\"name\":\"n\",\"dataType\":[\"int\"]},{\"name\":\"ns\",\"dataType\":[\"int[]\"]},"
                + "{\"name\":\"t\",\"dataType\":[\"text\"]}]";
        String plain = TestEngine.properties(
                "title:text",
                "big:int",
                "bigs:int[]",
                "part:number",
                "parts:number[]",
                "yes:boolean",
                "day:date",
                "uid:uuid",
                "place:geoCoordinates",
                "to:" + engine.name("WideTarget"));
        engine.collection(
                "Wide",
                plain.substring(0, plain.length() - 1)
                        + ",{\"name\":\"box\",\"dataType\":[\"object\"],\"nestedProperties\":" + nested
                        + "},{\"name\":\"boxes\",\"dataType\":[\"object[]\"],\"nestedProperties\":" + nested
                        + "}]");
        ArrayNode objects = Json.array();
        for (int i = 0; i < values.size(); i++) {
            ObjectNode object = objects.addObject().put("id", id(i));
            object.set("properties", properties(i));
            written.add(properties(i));
        }
        engine.put("Wide", Json.text(objects));
    }

    private ObjectNode properties(int i) {
        long value = values.get(i);
        ObjectNode box = Json.object().put("n", value).put("t", "deep");
        box.putArray("ns").add(1).add(value);
        ObjectNode properties = Json.object().put("title", "learning").put("big", value);
        properties.putArray("bigs").add(value).add(7).add(-value);
        properties.put("part", i % 2 == 0 ? Double.MAX_VALUE : 4.9e-320);
        properties.putArray("parts").add(0.1).add(-1e300);
        properties.put("yes", i % 2 == 0);
        properties.put("day", "2020-01-15T10:00:00.123456789Z");
        properties.put("uid", id(i));
        properties.putObject("place").put("latitude", -90.0).put("longitude", 180.0);
        properties.set("box", box);
        properties.putArray("boxes").add(box.deepCopy()).add(Json.object().put("n", 3));
        return properties;
    }

    private void same(JsonNode entries, String how) {
        assertEquals(values.size(), entries.size(), how);
        for (JsonNode entry : entries) {
            int i = IntStream.range(0, values.size())
                    .filter(each -> id(each).equals(entry.path("id").asText()))
                    .findFirst()
                    .orElseThrow();
            assertEquals(sorted(written.get(i)), sorted(entry.path("properties")), how + ", seed " + SEED);
        }
    }

    /** In one order of keys, and with each number in one form. */
    private static JsonNode sorted(JsonNode value) {
        if (value.isArray()) {
            ArrayNode list = Json.array();
            value.forEach(element -> list.add(sorted(element)));
            return list;
        }
        if (value.isObject()) {
            ObjectNode object = Json.object();
            value.properties().stream()
                    .sorted(java.util.Map.Entry.comparingByKey())
                    .forEach(member -> object.set(member.getKey(), sorted(member.getValue())));
            return object;
        }
        return value.isNumber()
                ? Json.mapper()
                        .valueToTree(value.decimalValue().stripTrailingZeros().toPlainString())
                : value;
    }

    @Test
    void pageHoldsThemAll() {
        same(
                ok("weaviate-objects-get", "{\"collection_name\":\"%Wide%\",\"limit\":100}")
                        .path("objects"),
                "page");
    }

    @Test
    void objectsByUuidHoldThemAll() {
        ArrayNode alone = Json.array();
        List<String> ids = IntStream.range(0, values.size())
                .mapToObj(WideIntegersContractTest::id)
                .toList();
        for (String id : ids) {
            alone.addAll((ArrayNode)
                    ok("weaviate-objects-get", "{\"collection_name\":\"%Wide%\",\"uuids\":[\"" + id + "\"]}")
                            .path("objects"));
        }
        same(alone, "one by one");
        String all = String.join("\",\"", ids);
        same(
                ok("weaviate-objects-get", "{\"collection_name\":\"%Wide%\",\"uuids\":[\"" + all + "\"]}")
                        .path("objects"),
                "many");
    }

    @Test
    void hybridSearchFindsThemAll() {
        same(
                ok("weaviate-query-hybrid", "{\"collection_name\":\"%Wide%\",\"query\":\"learning\",\"alpha\":0}")
                        .path("results"),
                "hybrid");
    }

    @Test
    void hybridSearchGivesOnlyWhatWasAskedFor() {
        for (JsonNode result : ok(
                        "weaviate-query-hybrid",
                        "{\"collection_name\":\"%Wide%\",\"query\":\"learning\",\"alpha\":0,"
                                + "\"return_properties\":[\"big\"]}")
                .path("results")) {
            assertEquals(1, result.path("properties").size(), result::toString);
            assertTrue(result.path("properties").path("big").canConvertToLong(), result::toString);
        }
    }

    @Test
    void crossReferencesCarryThemToo() {
        engine.collection("WideLink", TestEngine.properties("title:text", "to:" + engine.name("WideTarget")));
        engine.put(
                "WideLink",
                "[{\"id\":\"" + TestEngine.id(9, 2)
                        + "\",\"properties\":{\"title\":\"learning\",\"to\":[{\"beacon\":\"weaviate://localhost/"
                        + engine.name("WideTarget") + "/" + TestEngine.id(9, 1) + "\"}]}}]");
        JsonNode target = ok(
                        "weaviate-query-hybrid",
                        "{\"collection_name\":\"%WideLink%\",\"query\":\"learning\",\"alpha\":0,"
                                + "\"return_properties\":[\"title\",\"to\"]}")
                .path("results")
                .path(0)
                .path("properties")
                .path("to")
                .path(0);
        assertEquals(1_704_067_200_123L, target.path("big").asLong(), target::toString);
        assertEquals("Ada", target.path("name").asText());
    }

    /** A mobile number has up to 11 digits, which Weaviate gives as an integer too. */
    @Test
    void phoneNumbersOfElevenDigitsComeBack() {
        engine.collection("WidePhone", TestEngine.properties("title:text", "phone:phoneNumber"));
        List<String> ids = IntStream.of(20, 21, 22, 23)
                .mapToObj(number -> TestEngine.id(9, number))
                .toList();
        ArrayNode objects = Json.array();
        for (String id : ids) {
            ObjectNode properties = Json.object().put("title", "learning");
            properties.putObject("phone").put("input", "+49 1512 3456789");
            objects.addObject().put("id", id).set("properties", properties);
        }
        engine.put("WidePhone", Json.text(objects));
        for (JsonNode found : List.of(
                ok(
                                "weaviate-objects-get",
                                "{\"collection_name\":\"%WidePhone%\",\"uuids\":[\"" + String.join("\",\"", ids)
                                        + "\"]}")
                        .path("objects"),
                ok(
                                "weaviate-objects-get",
                                "{\"collection_name\":\"%WidePhone%\",\"uuids\":[\"" + ids.getFirst() + "\"]}")
                        .path("objects"),
                ok("weaviate-query-hybrid", "{\"collection_name\":\"%WidePhone%\",\"query\":\"learning\",\"alpha\":0}")
                        .path("results"))) {
            assertTrue(!found.isEmpty(), found::toString);
            for (JsonNode each : found) {
                JsonNode phone = each.path("properties").path("phone");
                assertEquals(15_123_456_789L, phone.path("national").asLong(), each::toString);
                assertEquals(49, phone.path("countryCode").asInt(), each::toString);
                assertEquals("01512 3456789", phone.path("nationalFormatted").asText(), each::toString);
            }
        }
    }

    @Test
    void passagesOfASearchOverAllBackendsCarryThem() {
        List<Passage> passages = assertInstanceOf(
                        BackendReply.Passages.class,
                        gateway.send(new BackendRequest.SearchSource(
                                engine.name("Wide"), new SourceQuery("learning", List.of(), 100))))
                .passages();
        assertEquals(values.size(), passages.size());
        for (Passage passage : passages) {
            int i = Integer.parseInt(
                    passage.document().substring(passage.document().length() - 12));
            assertTrue(passage.toString().contains(Long.toString(values.get(i))), passage::toString);
        }
    }

    @Test
    void filtersReachThem() {
        for (long value : LIMITS) {
            JsonNode found = ok(
                    "weaviate-query-hybrid",
                    "{\"collection_name\":\"%Wide%\",\"query\":\"learning\",\"alpha\":0,\"filters\":{\"path\":"
                            + "[\"big\"],\"operator\":\"Equal\",\"valueInt\":" + value + "}}");
            assertTrue(
                    each(found.path("results"), "properties", "big").contains(Long.toString(value)),
                    () -> value + ": " + found);
        }
    }
}
