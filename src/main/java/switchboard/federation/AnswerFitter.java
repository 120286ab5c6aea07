package switchboard.federation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Principal;
import switchboard.call.ContentBlock;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.catalog.AnswerArguments;

/** Makes search results fit the size that the caller asked for and the limits. Thread-safe. */
public final class AnswerFitter {
    /**
     * Estimated size of an answer besides its content: protocol fields, and punctuation around both copies of the
     * content.
     */
    private static final int AROUND_BYTES = 1_024;
    /** The most bytes that a character can take, written once as JSON and once as JSON inside a JSON string. */
    private static final long BYTES_PER_CHAR = 16;

    /** The largest part of a budget that one of several results takes whole. */
    private static final double WHOLE = 0.7;
    /** Parts measured one by one may take a little less than together. */
    private static final int MARGIN_TOKENS = 10;

    private final ComputationExecutor offLoopExecutor;
    private final AnswerTokenCounter tokens;

    /** Counts tokens with {@code tokens} on {@code executor}. */
    public AnswerFitter(ComputationExecutor offLoopExecutor, AnswerTokenCounter tokens) {
        this.offLoopExecutor = offLoopExecutor;
        this.tokens = tokens;
    }

    /**
     * The limits of an answer.
     *
     * @param results the name of the array that may be cut
     * @param query the query that the results were found with; empty if there is none
     * @param outputSchema decides what must stay, or null
     * @param wanted the caller's own limits
     * @param maxBytes maximum size of the answer
     */
    public record Bounds(
            String results, String query, @Nullable ObjectNode outputSchema, AnswerArguments wanted, int maxBytes) {}

    /** Whether {@code reply} may have to be cut. False is certain. */
    public boolean concerns(ToolReply.Ok reply, Bounds bounds) {
        return reply.structured() != null
                && (bounds.wanted().budgetTokens() != null
                        || bounds.wanted().skip() > 0
                        || chars(reply) * BYTES_PER_CHAR + AROUND_BYTES > bounds.maxBytes());
    }

    /**
     * Fits {@code reply} into {@code bounds}: unchanged, or as JSON with less content.
     *
     * @param principal the caller
     * @param structured the structured content of {@code reply}, as far as the caller may see it
     */
    public Future<ToolReply> fit(Principal principal, ToolReply.Ok reply, ObjectNode structured, Bounds bounds) {
        return offLoopExecutor.run(principal, () -> {
            FieldLimits limits = new FieldLimits(bounds);
            if (bounds.wanted().skip() == 0 && limits.covers(text(reply), structured)) {
                return reply;
            }
            ObjectNode fewer = cut(structured, bounds, limits);
            ToolReply.Ok cut = ToolReply.ok(fewer);
            return reply.shortened(
                    cut.content(),
                    fewer,
                    bounds.wanted().skip(),
                    fewer.path(bounds.results()).size());
        });
    }

    /** The answer with as much as fits. Refs are left out first, and come back where there is room at last. */
    private static ObjectNode cut(ObjectNode structured, Bounds bounds, FieldLimits limits) {
        String key = bounds.results();
        int skip = bounds.wanted().skip();
        RankedRefs refs = new RankedRefs(structured, key);
        ObjectNode least = refs.without();
        DetailTruncator detail = DetailTruncator.of(bounds.outputSchema(), key, bounds.query(), least.path(key));
        for (ObjectNode more : refs.none() ? List.<ObjectNode>of() : List.of(structured, refs.brief())) {
            Optional<ObjectNode> whole = new AnswerTruncator(more, key, skip, detail, limits).whole();
            if (whole.isPresent()) {
                return whole.get();
            }
        }
        ObjectNode cut = new AnswerTruncator(least, key, skip, detail, limits).made();
        return refs.addTo(cut, skip, limits::covers);
    }

    private static long chars(ToolReply.Ok reply) {
        long chars = 0;
        for (ContentBlock block : reply.content()) {
            chars += text(block).length();
        }
        return chars;
    }

    private static String text(ToolReply.Ok reply) {
        StringBuilder text = new StringBuilder();
        reply.content().forEach(block -> text.append(text(block)).append('\n'));
        return text.toString();
    }

    private static String text(ContentBlock block) {
        return switch (block) {
            case ContentBlock.TextBlock plain -> plain.text();
            case ContentBlock.EmbeddedResource resource -> resource.text();
            case ContentBlock.ImageBlock image -> image.data();
            case ContentBlock.AudioBlock audio -> audio.data();
            case ContentBlock.ResourceLink link -> link.uri();
        };
    }

    private final class FieldLimits implements AnswerTruncator.Allowance {
        private final int mostTokens;
        private final boolean budgeted;
        private final int mostBytes;

        FieldLimits(Bounds bounds) {
            Integer budget = bounds.wanted().budgetTokens();
            this.budgeted = budget != null;
            this.mostTokens = budget == null ? Integer.MAX_VALUE - 1 : budget;
            this.mostBytes = bounds.maxBytes();
        }

        @Override
        public boolean covers(ObjectNode answer) {
            return covers(Json.text(answer), answer);
        }

        boolean covers(String text, ObjectNode structured) {
            // Both forms have the same content, which counts once.
            return bytes(text, structured) <= mostBytes - AROUND_BYTES
                    && (!budgeted || tokens.of(text, mostTokens) <= mostTokens);
        }

        private static int bytes(String text, JsonNode structured) {
            return Math.max(
                    Json.bytes(structured).length,
                    Json.bytes(Json.mapper().getNodeFactory().textNode(text)).length);
        }

        @Override
        public double share(JsonNode value) {
            String text = Json.text(value);
            // One more for the comma.
            double tokensUsed = budgeted ? (tokens.of(text, mostTokens) + 1.0) / mostTokens : 0;
            return Math.max(tokensUsed, (bytes(text, value) + 1.0) / (mostBytes - AROUND_BYTES));
        }

        @Override
        public double whole() {
            // Where only the maximum size counts, a result that fits alone is never shortened: there is no way to ask
            // for
            // more.
            return budgeted ? WHOLE : 1;
        }

        @Override
        public OptionalInt needed(ObjectNode head, List<JsonNode> results) {
            double room = 0;
            long bytes = 0;
            for (JsonNode result : results.reversed()) {
                String text = Json.text(result);
                int cost = tokens.of(text, AnswerArguments.MOST_TOKENS) + 1;
                room = Math.max(cost / WHOLE, cost + room);
                bytes += bytes(text, result);
            }
            if (!budgeted || bytes > (mostBytes - AROUND_BYTES) * WHOLE) {
                return OptionalInt.empty();
            }
            int heads = tokens.of(Json.text(head), AnswerArguments.MOST_TOKENS);
            // Rounding must not make the next answer the same one.
            int needed = (int) Math.ceil((heads + room) * 1.03) + MARGIN_TOKENS;
            return needed <= AnswerArguments.MOST_TOKENS ? OptionalInt.of(needed) : OptionalInt.empty();
        }

        @Override
        public boolean exceeds(int tokens) {
            return tokens > mostTokens;
        }
    }
}
