package switchboard.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A model that reads the query and a passage together, and orders the passages that a search found. */
public record RerankConfig(
        @Doc(
                "`onnx`: a cross-encoder inside the gateway's process, from `folder`. `http`: a server with the API of Cohere, Jina or Voyage AI (`POST <url>/rerank`), as vLLM and LiteLLM have it, too.")
        RerankProvider provider,

        @Doc("For `http`: the model's name at its server, if that wants one.") @Nullable
        String model,

        @Doc(
                "For `onnx`: a folder with the ONNX export of a cross-encoder (`model.onnx` or `onnx/model.onnx`, `tokenizer.json`). Relative to the data folder.")
        @Nullable
        Path folder,

        @Doc("For `http`: the URL before `/rerank`, such as `https://api.cohere.com/v2` or `https://api.jina.ai/v1`.")
        @Nullable
        URI url,

        @Doc("For `http`: the server's key, if it needs one.") @Nullable
        Secret apiKey,

        @AllowedRange(min = "32", max = "8192")
        @Doc(
                "For `onnx`: maximum length of a query and a passage together, in tokens, if it differs from the model's own. Less is faster.")
        @Nullable
        Integer maxTokens,

        @Default("50")
        @AllowedRange(min = "2", max = "200")
        @Doc("How many of the passages that were found are reranked.")
        int candidates,

        @Default("2s")
        @AllowedRange(min = "50ms", max = "1m")
        @Doc(
                "How long that may take for one search. If it takes longer or fails, the results stay as they were found, and say so.")
        Duration timeout) {
    /** Where the reranker runs: in this process or at a server. */
    public enum RerankProvider {
        /** In this process. */
        ONNX,
        /** At a server. */
        HTTP
    }
}
