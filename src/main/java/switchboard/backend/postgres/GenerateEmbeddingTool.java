package switchboard.backend.postgres;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.ContentBlock;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.embed.Embedders;

/** {@code generate_embedding}: the vector of a text. */
record GenerateEmbeddingTool(TableEmbedders embedders) implements ToolHandler<GenerateEmbeddingTool.Args> {
    record Args(String text, @Nullable String embedder) {}

    private static final String RULE = "=".repeat(50);

    @Override
    public String name() {
        return "generate_embedding";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        String text = args.text().strip();
        if (text.isEmpty()) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "'text' parameter cannot be empty or whitespace-only. Give the text to embed.");
        }
        Embedders.Named named = embedder(args.embedder());
        return named.embedder()
                .embedQuery(text)
                .recover(GenerateEmbeddingTool::failed)
                .map(vector -> answer(named, text, vector));
    }

    private Embedders.Named embedder(@Nullable String name) {
        return name != null && !embedders.none()
                ? embedders.named(name)
                : embedders
                        .usual()
                        .orElseThrow(
                                () -> new ToolException(
                                        FailureKind.UNAVAILABLE,
                                        "Embedding generation is not enabled in server configuration. The operator can configure an embedder."));
    }

    private static Future<float[]> failed(Throwable failure) {
        if (failure instanceof ToolException expected) {
            ToolReply.Failed reason = expected.failed();
            return Future.failedFuture(new ToolException(new ToolReply.Failed(
                    reason.kind(),
                    "Failed to generate embedding: " + reason.message(),
                    reason.code(),
                    reason.retryAfterMs(),
                    reason.details())));
        }
        return Future.failedFuture(failure);
    }

    private static ToolReply answer(Embedders.Named named, String text, float[] vector) {
        int length = text.codePointCount(0, text.length());
        ObjectNode structured = Json.object()
                .put("provider", named.provider())
                .put("model", named.embedder().model())
                .put("dimensions", vector.length)
                .put("text_length", length)
                .put("text", text);
        ArrayNode numbers = structured.putArray("embedding");
        for (float number : vector) {
            numbers.add(new BigDecimal(Float.toString(number)));
        }
        String block = "Embedding Generated Successfully\n" + RULE + "\nProvider: " + named.provider() + "\nModel: "
                + named.embedder().model() + "\nDimensions: " + vector.length + "\nText Length: " + length
                + " characters\nText: " + text + "\n\nEmbedding Vector:\n" + Json.text(numbers);
        return new ToolReply.Ok(List.of(new ContentBlock.TextBlock(block)), structured);
    }
}
