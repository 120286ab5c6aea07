package switchboard.embed;

import java.net.URI;
import java.nio.file.Path;
import switchboard.concurrent.TeamShare;
import switchboard.config.RerankConfig;
import switchboard.upstream.UpstreamServices;

/**
 * Creates the reranker of a configuration. It is loaded or connected on first use.
 *
 * @param services what it runs on
 * @param share the part of its threads that one team may use
 * @param modelFolders where the files of models are
 */
public record RerankerFactory(UpstreamServices services, TeamShare share, ModelFolders modelFolders) {
    /**
     * Creates it.
     *
     * @throws IllegalArgumentException with a message for the operator that names what is wrong
     */
    public Reranking create(RerankConfig config) {
        try {
            return new Reranking(reranker(config), config.candidates(), config.timeout());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("rerank: " + e.getMessage(), e);
        }
    }

    private Reranker reranker(RerankConfig config) {
        return switch (config.provider()) {
            case ONNX -> {
                Path folder = config.folder();
                if (folder == null) {
                    throw new IllegalArgumentException(
                            "folder is missing: onnx needs the one with the export of a cross-encoder");
                }
                yield new OnnxReranker(
                        services.vertx(),
                        services.meters(),
                        CrossEncoderModel.read(modelFolders.folder(folder), config),
                        share);
            }
            case HTTP -> {
                URI url = config.url();
                if (url == null) {
                    throw new IllegalArgumentException(
                            "url is missing: http needs the URL before /rerank, such as https://api.jina.ai/v1");
                }
                yield new HttpReranker(config, url, services);
            }
        };
    }
}
