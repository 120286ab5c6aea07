package switchboard.embed;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.config.EmbedderConfig;
import switchboard.config.EmbedderConfig.Pooling;

/**
 * A folder with the ONNX export of a sentence-transformers model. Its files say what the configuration does not: {@code
 * modules.json}, {@code 1_Pooling/config.json}, {@code sentence_bert_config.json}, {@code
 * config_sentence_transformers.json}, {@code tokenizer_config.json}, {@code config.json}. Blocks, and reads small files
 * only; the graph is read when the model is loaded.
 *
 * @see <a href="https://sbert.net/docs/sentence_transformer/usage/efficiency.html">the export</a>
 */
final class ModelFolder {
    private static final String CONFIG = "config.json";

    private final ExportFolder folder;
    private final EmbedderConfig config;

    private ModelFolder(ExportFolder folder, EmbedderConfig config) {
        this.folder = folder;
        this.config = config;
    }

    /**
     * The model in {@code folder}.
     *
     * @param config wins over what the files say
     * @throws IllegalArgumentException with a message for the operator that names the file and what to do
     */
    static OnnxModel read(Path folder, EmbedderConfig config) {
        return ExportFolder.read(folder, "feature-extraction", export -> new ModelFolder(export, config).model());
    }

    private OnnxModel model() throws IOException {
        Path graph = folder.graph();
        List<Pooling> poolings = poolings();
        JsonNode prompts = folder.json("config_sentence_transformers.json").path("prompts");
        String documents = said(
                config.documentPrefix(), prompts.path("document"), prompts.path("passage"), prompts.path("corpus"));
        return new OnnxModel(
                name(graph, poolings, documents),
                new ModelFiles.InFolder(graph, folder.tokenizer(graph)),
                poolings,
                dimension(),
                folder.maxTokens(config.maxTokens()),
                said(config.queryPrefix(), prompts.path("query")),
                documents,
                ModelTraits.UNKNOWN.configured(config));
    }

    private static String said(@Nullable String configured, JsonNode... prompts) {
        return configured != null
                ? configured
                : Stream.of(prompts)
                        .filter(JsonNode::isTextual)
                        .map(JsonNode::textValue)
                        .findFirst()
                        .orElse("");
    }

    /** The folder's name alone does not identify the vectors: another graph or pooling in the same folder is another model. */
    private String name(Path graph, List<Pooling> poolings, String documents) throws IOException {
        String said = config.model();
        if (said != null) {
            return said;
        }
        return VectorModelName.of(
                folder.name(), graph.getFileName() + " " + Files.size(graph) + " " + poolings + " " + documents);
    }

    /** How to make the vector of a text, the best first. */
    private List<Pooling> poolings() throws IOException {
        Pooling configured = config.pooling();
        if (configured != null) {
            return List.of(configured);
        }
        // Layers after the pooling are in the graph, or nowhere.
        Optional<Pooling> told =
                layers().isEmpty() ? told(poolingFile(), folder.json(poolingFile())) : Optional.empty();
        return told.map(pooling -> List.of(Pooling.NONE, pooling)).orElse(List.of(Pooling.NONE));
    }

    private Optional<Pooling> told(String file, JsonNode pooling) throws IOException {
        List<String> modes = new ArrayList<>();
        if (pooling.path("pooling_mode").isTextual()) {
            modes.add(pooling.path("pooling_mode").textValue());
        }
        pooling.properties().stream()
                .filter(entry -> entry.getKey().startsWith("pooling_mode_")
                        && entry.getValue().asBoolean(false))
                .forEach(entry -> modes.add(entry.getKey().substring("pooling_mode_".length())));
        if (modes.isEmpty()) {
            return Optional.empty();
        }
        Pooling one = modes.size() > 1
                ? null
                : switch (modes.getFirst()) {
                    case "cls", "cls_token" -> Pooling.CLS;
                    // Divided by another number, and scaled to length 1 it is the same.
                    case "mean", "mean_tokens", "mean_sqrt_len_tokens" -> Pooling.MEAN;
                    case "max", "max_tokens" -> Pooling.MAX;
                    case "lasttoken" -> Pooling.LAST;
                    default -> null;
                };
        if (one == null) {
            throw new IOException(file + " wants " + String.join(" and ", modes)
                    + ", which is not known here. Export the model with its pooling in the graph (an output"
                    + " sentence_embedding) and set pooling: none, or choose another model.");
        }
        return Optional.of(one);
    }

    /** The modules in {@code modules.json} besides the transformer, the pooling and the scaling. */
    private List<String> layers() throws IOException {
        List<String> layers = new ArrayList<>();
        for (JsonNode module : folder.json("modules.json")) {
            String type = module.path("type").asText("");
            String name = type.substring(type.lastIndexOf('.') + 1);
            if (!List.of("Transformer", "Pooling", "Normalize").contains(name)) {
                layers.add(module.path("path").asText(""));
            }
        }
        return layers;
    }

    private String poolingFile() throws IOException {
        for (JsonNode module : folder.json("modules.json")) {
            if (module.path("type").asText("").endsWith(".Pooling")) {
                return module.path("path").asText("") + "/" + CONFIG;
            }
        }
        return "1_Pooling/" + CONFIG;
    }

    private int dimension() throws IOException {
        Integer said = config.dimension();
        if (said != null) {
            return said;
        }
        List<JsonNode> told = new ArrayList<>();
        for (String layer : layers().reversed()) {
            told.add(folder.json(layer + "/" + CONFIG).path("out_features"));
        }
        String file = poolingFile();
        JsonNode pooling = folder.json(file);
        told.add(pooling.path("word_embedding_dimension"));
        told.add(pooling.path("embedding_dimension"));
        JsonNode model = folder.json(CONFIG);
        List.of("hidden_size", "dim", "d_model", "n_embd").forEach(key -> told.add(model.path(key)));
        return ExportFolder.whole(told)
                .orElseThrow(() -> new IOException("no file says how many numbers its vectors have (" + file
                        + " would, or hidden_size in config.json). Add dimension."));
    }
}
