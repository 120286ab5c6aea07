package switchboard.embed;

import java.nio.file.Path;
import switchboard.config.RerankConfig;

/**
 * A cross-encoder that runs in this process. Immutable.
 *
 * @param name the folder's name
 * @param files graph and tokenizer
 * @param maxTokens maximum length of a query and a passage together, with special tokens
 */
record CrossEncoderModel(String name, ModelFiles files, int maxTokens) {
    /**
     * The model in {@code folder}.
     *
     * @throws IllegalArgumentException with a message for the operator that names the file and what to do
     */
    static CrossEncoderModel read(Path folder, RerankConfig config) {
        return ExportFolder.read(folder, "text-classification", export -> {
            Path graph = export.graph();
            return new CrossEncoderModel(
                    export.name(),
                    new ModelFiles.InFolder(graph, export.tokenizer(graph)),
                    export.maxTokens(config.maxTokens()));
        });
    }
}
