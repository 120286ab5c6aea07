package switchboard.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An embedding model. */
public record EmbedderConfig(
        @Default("onnx")
        @Doc(
                "`onnx`: a model inside the gateway's process, by default bge-small-en-v1.5. `openai`: OpenAI, or a server with a compatible API. `voyage` (or `anthropic`, which has no embeddings of its own): Voyage AI. `ollama`: an Ollama server. `none`: no vectors; search is by keyword only.")
        EmbedderProvider provider,

        @Doc(
                "The model; by default `text-embedding-3-small` for `openai`, `voyage-3` for `voyage`, `nomic-embed-text` for `ollama`. For `onnx` without `folder`: `bge-small-en-v1.5`, or `bge-small-zh-v1.5`, whose files are looked for in `models/` beside the launcher and in the data folder. With `folder`: the name that is stored with the vectors, if not the folder's; another name makes all vectors new.")
        @Nullable
        String model,

        @Doc(
                "For `onnx`: a folder with the ONNX export of a sentence-transformers model (`model.onnx` or `onnx/model.onnx`, `tokenizer.json`, and its configuration files, which say what the next keys don't). Relative to the data folder. With `model: bge-small-zh-v1.5` also its jar.")
        @Nullable
        Path folder,

        @Doc(
                "For `folder`: how the vector of a text is made from those of its tokens: `mean`, `cls` (the first), `max` or `last`; `none` if the graph does it (an output `sentence_embedding`). By default as `1_Pooling/config.json` says.")
        @Nullable
        Pooling pooling,

        @Doc(
                "The provider's URL; by default `https://api.openai.com/v1`, `https://api.voyageai.com/v1` or `http://localhost:11434`.")
        @Nullable
        URI url,

        @Doc("The provider's key.") @Nullable Secret apiKey,

        @AllowedRange(min = "1", max = "16000")
        @Doc(
                "Number of dimensions. Needed for models that the gateway does not know, unless the files of `folder` say it.")
        @Nullable
        Integer dimension,

        @Doc("Prefix for queries, if the model needs one. By default as the files of `folder` say; else none.")
        @Nullable
        String queryPrefix,

        @Doc(
                "Prefix for documents, if the model needs one. By default as the files of `folder` say; else none. After a change run `switchboard reindex`; for a folder to which you gave a name of your own by `model`, give it another name first.")
        @Nullable
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
                "The scripts that the model knows, by Unicode's names (`[Latin, Cyrillic]`). Texts and queries in other scripts are searched by keyword only. By default those of the model for `onnx` without `folder` (Latin, or Han), all for the others.")
        List<String> scripts,

        @Doc(
                "The languages that the model was trained on, by their codes (`[en, de]`); empty: all. For a query in another language keywords count more than vectors. By default that of the model for `onnx` without `folder` and `scripts`, all for the others.")
        List<String> languages,

        @Doc(
                "Whether each sentence of a passage gets a vector, too, and a query is compared with the nearest one. Better for models that say little of a long text; the passages take about twice the time to embed, and several times the room of their vectors. After a change run `switchboard reindex`. By default on for `bge-small-zh-v1.5`, off for the others.")
        @Nullable
        Boolean sentences,

        @Doc(
                "What cosines of the model mean: needed for `min_relevance`, and for the `relevance` of hits that only vectors found. `switchboard eval` measures it. By default: measured for `onnx` without `folder`, unknown for the others.")
        @Nullable
        Cosines cosines) {
    /** How the vector of a text is computed from those of its tokens. */
    public enum Pooling {
        /** The mean of the vectors of all tokens. */
        MEAN,
        /** The vector of the first token. */
        CLS,
        /** The maximum of each dimension. */
        MAX,
        /** The vector of the last token. */
        LAST,
        /** None: the graph gives the vector of the text. */
        NONE
    }

    /** The prefix of queries. */
    public String queriesBegin() {
        return queryPrefix == null ? "" : queryPrefix;
    }

    /** The prefix of documents. */
    public String documentsBegin() {
        return documentPrefix == null ? "" : documentPrefix;
    }

    /** The usual cosines of a model, from which the relevance of a hit is computed. */
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
