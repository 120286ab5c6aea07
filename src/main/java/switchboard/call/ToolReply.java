package switchboard.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The result of a tool call: success or failure, as a value and never as an exception. */
public sealed interface ToolReply extends BackendReply permits ToolReply.Ok, ToolReply.Failed, RelayedReply {
    /**
     * Success.
     *
     * @param content the blocks for the agent
     * @param structured the same as a JSON object, because some clients read only one of the two (images and
     *     audio are in the blocks only); null if the tool has blocks only; must not be changed
     * @param kept values for the caller's session, if it has one
     * @param given the documents that it gives, for the search log
     */
    record Ok(List<ContentBlock> content, @Nullable ObjectNode structured, SessionValues kept, GivenDocuments given)
            implements ToolReply {
        public Ok {
            content = List.copyOf(content);
        }

        /** Success without values for the session. */
        public Ok(List<ContentBlock> content, @Nullable ObjectNode structured) {
            this(content, structured, SessionValues.NONE, GivenDocuments.NONE);
        }

        /** The same with values for the caller's session. */
        public Ok keeping(SessionValues values) {
            return new Ok(content, structured, values, given);
        }

        /** The same with another content. */
        public Ok with(List<ContentBlock> otherContent, @Nullable ObjectNode otherStructured) {
            return new Ok(otherContent, otherStructured, kept, given);
        }

        /** The same, which gives {@code documents}, if the search log wants to know of this call. */
        public Ok giving(CallContext context, Supplier<GivenDocuments> documents) {
            return context.wantsGiven() ? new Ok(content, structured, kept, documents.get()) : this;
        }

        /** The same with the parts from {@code left} on, {@code count} of them, as another content. */
        public Ok shortened(List<ContentBlock> fewer, ObjectNode fewerStructured, int left, int count) {
            return new Ok(fewer, fewerStructured, kept, given.shown(left, count));
        }
    }

    /**
     * Failure.
     *
     * @param kind the kind of failure
     * @param message what is wrong and what to do next; safe to show
     * @param code the engine's own code (SQLSTATE, Meilisearch code), if any
     * @param retryAfterMs when to try again, if known
     * @param details additional data, an object that must not be changed, or null
     */
    record Failed(
            FailureKind kind,
            String message,
            @Nullable String code,
            @Nullable Long retryAfterMs,
            @Nullable ObjectNode details)
            implements ToolReply {

        /** A failure with only a kind and a message. */
        public Failed(FailureKind kind, String message) {
            this(kind, message, null, null, null);
        }

        /** The same with the engine's code. */
        public Failed withCode(String engineCode) {
            return new Failed(kind, message, engineCode, retryAfterMs, details);
        }

        /** The same with a time after which to try again. */
        public Failed withRetryAfterMs(long ms) {
            return new Failed(kind, message, code, ms, details);
        }

        /** The same with another message. */
        public Failed withMessage(String text) {
            return new Failed(kind, text, code, retryAfterMs, details);
        }

        /** The same with one more detail. */
        public Failed withDetail(String name, JsonNode value) {
            ObjectNode facts = details == null ? Json.object() : details.deepCopy();
            facts.set(name, value);
            return withDetails(facts);
        }

        /** The same with the names that were probably meant, the most similar one first: at least one. */
        public Failed suggesting(List<String> names) {
            return withMessage(message + " Did you mean \"" + String.join("\", \"", names) + "\"?")
                    .withDetail("suggestion", new TextNode(names.getFirst()));
        }

        /** The same with other details. */
        public Failed withDetails(ObjectNode facts) {
            return new Failed(kind, message, code, retryAfterMs, facts);
        }
    }

    /** Success with a text for people, and a second block with the fields that only {@code structured} has. */
    static Ok withText(String text, ObjectNode structured, List<String> onlyStructured) {
        ObjectNode rest = Json.object();
        for (String field : onlyStructured) {
            if (structured.has(field)) {
                rest.set(field, structured.get(field));
            }
        }
        return new Ok(
                List.of(new ContentBlock.TextBlock(text), new ContentBlock.TextBlock(Json.text(rest))), structured);
    }

    /** Success with a JSON object: structured, and as a text block. */
    static Ok ok(ObjectNode structured) {
        return new Ok(List.of(new ContentBlock.TextBlock(Json.text(structured))), structured);
    }

    /** Success with a record that becomes the JSON object. */
    static Ok ok(Record structured) {
        return ok(Json.tree(structured));
    }

    /** Success with text only. */
    static Ok text(String text) {
        return new Ok(List.of(new ContentBlock.TextBlock(text)), null);
    }

    /** Failure with a kind and a message. */
    static Failed failed(FailureKind kind, String message) {
        return new Failed(kind, message);
    }
}
