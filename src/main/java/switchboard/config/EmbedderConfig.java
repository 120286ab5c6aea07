package switchboard.config;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A model that turns text into vectors. */
public record EmbedderConfig(
        @Default("onnx")
        @Doc(
                "`onnx`: bge-small-en-v1.5 inside the gateway's process. `openai`: OpenAI and whatever speaks its interface. `voyage` (or `anthropic`, which has no embeddings of its own): Voyage AI. `ollama`: an Ollama server. `none`: no vectors; search is by keyword only.")
        EmbedderProvider provider,

        @Doc(
                "The model; if left out `text-embedding-3-small` for `openai`, `voyage-3` for `voyage`, `nomic-embed-text` for `ollama`.")
        @Nullable
        String model,

        @Doc(
                "Where the provider answers; if left out `https://api.openai.com/v1`, `https://api.voyageai.com/v1` or `http://localhost:11434`.")
        @Nullable
        URI url,

        @Doc("The provider's key.") @Nullable Secret apiKey,

        @AllowedRange(min = "1", max = "16000")
        @Doc("Numbers in a vector. Needed for models that the gateway does not know.")
        @Nullable
        Integer dimension,

        @Default("\"\"") @Doc("What stands before a text that is searched for, where the model wants something there.")
        String queryPrefix,

        @Default("\"\"") @Doc("What stands before a text that is to be found.")
        String documentPrefix,

        @AllowedRange(min = "16", max = "1000000")
        @Doc("The longest text in tokens, where it differs from the model's own.")
        @Nullable
        Integer maxTokens,

        @Default("64") @AllowedRange(min = "1", max = "1000") @Doc("Texts in one request to the provider.")
        int batch,

        @Default("30s")
        @AllowedRange(min = "100ms", max = "10m")
        @Doc("How long one request may take, retries included.")
        Duration timeout,

        @Default("1000") @AllowedRange(min = "0", max = "1000000") @Doc("Vectors of searches that are remembered.")
        int cache,

        @Doc(
                "The scripts that the model knows, by Unicode's names (`[Latin, Cyrillic]`). Texts and searches in others go by their words only. If left out: Latin for `onnx`, all for the others.")
        List<String> scripts) {
    /** Where vectors come from. */
    public enum EmbedderProvider {
        /** A model in this process. */
        ONNX,
        /** OpenAI, or a server with the same interface. */
        OPENAI,
        /** Voyage AI. */
        VOYAGE,
        /** Another name for {@link #VOYAGE}: what pgEdge's server calls it. */
        ANTHROPIC,
        /** An Ollama server. */
        OLLAMA,
        /** Nowhere. */
        NONE
    }
}
