package switchboard.protocol.legacy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import switchboard.call.Json;

/** What two nodes say to each other about a stream that is resumed on one and runs on the other. */
sealed interface ResumeMessage {
    /** It as JSON. */
    ObjectNode json();

    /**
     * Asks for the next messages; they come when there are some.
     *
     * @param reader the reader on the node that asks
     * @param node that node
     * @param after the last message that it has
     * @param partial the number of the message of which it has a part
     * @param bytes how much of that message it has
     * @param over whether it wants nothing any more
     */
    record Pull(String reader, String node, ReplayBuffer.EventId after, long partial, int bytes, boolean over)
            implements ResumeMessage {
        @Override
        public ObjectNode json() {
            return Json.object()
                    .put("reader", reader)
                    .put("node", node)
                    .put("stream", after.stream())
                    .put("after", after.number())
                    .put("partial", partial)
                    .put("bytes", bytes)
                    .put("over", over);
        }

        static Pull of(String text) throws JsonProcessingException {
            JsonNode json = Json.parse(text);
            return new Pull(
                    json.path("reader").asText(),
                    json.path("node").asText(),
                    new ReplayBuffer.EventId(
                            json.path("stream").asLong(), json.path("after").asLong()),
                    json.path("partial").asLong(),
                    json.path("bytes").asInt(),
                    json.path("over").asBoolean());
        }
    }

    /** How a stream goes on. */
    enum Outlook {
        /** There may be more. */
        MORE,
        /** It ends here for this reader, who may resume it. */
        CLOSED,
        /** It is not kept, or was never there. */
        UNKNOWN,
        /** Too many streams are passed on now. */
        BUSY
    }

    /** The next messages for the reader {@code reader}. */
    record StreamPage(String reader, List<MessagePart> parts, Outlook outlook) implements ResumeMessage {
        @Override
        public ObjectNode json() {
            ObjectNode json = Json.object().put("reader", reader).put("outlook", outlook.name());
            ArrayNode all = json.putArray("parts");
            parts.forEach(part -> all.addObject()
                    .put("number", part.number())
                    .put("from", part.from())
                    .put("text", part.text())
                    .put("whole", part.whole())
                    .put("last", part.last()));
            return json;
        }

        static StreamPage of(String text) throws JsonProcessingException {
            JsonNode json = Json.parse(text);
            List<MessagePart> parts = new ArrayList<>();
            json.path("parts")
                    .forEach(part -> parts.add(new MessagePart(
                            part.path("number").asLong(),
                            part.path("from").asInt(),
                            part.path("text").asText(),
                            part.path("whole").asBoolean(),
                            part.path("last").asBoolean())));
            return new StreamPage(
                    json.path("reader").asText(),
                    parts,
                    Outlook.valueOf(json.path("outlook").asText()));
        }
    }

    /**
     * A message, or a part of a large one.
     *
     * @param number its number on the stream
     * @param from where the part begins, in bytes
     * @param whole whether nothing of the message follows
     * @param last whether no message follows
     */
    record MessagePart(long number, int from, String text, boolean whole, boolean last) {}
}
