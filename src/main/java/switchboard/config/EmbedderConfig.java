package switchboard.config;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An embedding model. */
public record EmbedderConfig(
        @Default("onnx")
        @Doc(
                "`onnx`: bge-small-en-v1.5 inside the gateway's process. `openai`: OpenAI, or a server with a compatible API. `voyage` (or `anthropic`, which has no embeddings of its own): Voyage AI. `ollama`: an Ollama server. `none`: no vectors; search is by keyword only.")
        EmbedderProvider provider,

        @Doc(
                "The model; by default `text-embedding-3-small` for `openai`, `voyage-3` for `voyage`, `nomic-embed-text` for `ollama`.")
        @Nullable
        String model,

        @Doc(
                "The provider's URL; by default `https://api.openai.com/v1`, `https://api.voyageai.com/v1` or `http://localhost:11434`.")
        @Nullable
        URI url,

        @Doc("The provider's key.") @Nullable Secret apiKey,

        @AllowedRange(min = "1", max = "16000")
        @Doc("Number of dimensions. Needed for models that the gateway does not know.")
        @Nullable
        Integer dimension,

        @Default("\"\"") @Doc("Prefix for queries, if the model needs one.")
        String queryPrefix,

        @Default("\"\"") @Doc("Prefix for documents, if the model needs one.")
        String documentPrefix,

        @AllowedRange(min = "16", max = "1000000")
        @Doc("Maximum length of a text in tokens, if it differs from the model's own.")
        @Nullable
        Integer maxTokens,

        @Default("64") @AllowedRange(min = "1", max = "1000") @Doc("Texts in one request to the provider.")
        int batch,

        @Default("30s")
        @AllowedRange(min = "100ms", max = "10m")
        @Doc("How long one request may take, retries included.")
        Duration timeout,

        @Default("1000") @AllowedRange(min = "0", max = "1000000") @Doc("How many vectors of queries are cached.")
        int cache,

        @Doc(
                "The scripts that the model knows, by Unicode's names (`[Latin, Cyrillic]`). Texts and queries in other scripts are searched by keyword only. By default: Latin for `onnx`, all for the others.")
        List<String> scripts,

        @Doc(
                "The languages that the model was trained on, by their codes (`[en, de]`); empty: all. A query in another language is found more by its words than by its meaning. By default: English for `onnx` without `scripts`, all for the others.")
        List<String> languages,

        @Doc(
                "What cosines of the model mean: needed for `relevance` of what only vectors found, and for `min_relevance`. `switchboard eval` measures it. By default: measured for `onnx`, unknown for the others.")
        @Nullable
        Cosines cosines) {
    /** What cosines of a model mean. */
    public record Cosines(
            @AllowedRange(min = "-1", max = "1")
            @Doc("The usual cosine of a question and a passage about something else.")
            double unrelated,

            @AllowedRange(min = "-1", max = "1") @Doc("The usual cosine of a question and a passage that answers it.")
            double related) {}

    /** The provider of embeddings. */
    public enum EmbedderProvider {
        /** A model in this process. */
        ONNX,
        /** OpenAI, or a server with a compatible API. */
        OPENAI,
        /** Voyage AI. */
        VOYAGE,
        /** Another name for {@link #VOYAGE}, as in pgEdge's server. */
        ANTHROPIC,
        /** An Ollama server. */
        OLLAMA,
        /** No embeddings. */
        NONE
    }
}
