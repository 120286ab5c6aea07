package switchboard.embed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;
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
    private static final long LARGEST_JSON = 4 << 20;
    private static final String CONFIG = "config.json";

    /** Where exporters put the graph, the best first: int8 weights are less exact. */
    private static final List<String> GRAPHS =
            List.of("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx");

    /** More is possible with some models, but the time of a text grows with the square of its length. */
    private static final int MOST_TOKENS = 8192;

    private static final int USUAL_TOKENS = 512;

    /** Positions that models of the kind RoBERTa count and no token has. */
    private static final int UNUSED_POSITIONS = 2;

    private final Path folder;
    private final EmbedderConfig config;

    private ModelFolder(Path folder, EmbedderConfig config) {
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
        if (!Files.isDirectory(folder)) {
            throw new IllegalArgumentException(
                    "folder: " + folder + (Files.exists(folder) ? " is not a folder" : " does not exist"));
        }
        try {
            return new ModelFolder(folder, config).model();
        } catch (IOException e) {
            throw new IllegalArgumentException("folder " + folder + ": " + e.getMessage(), e);
        }
    }

    private OnnxModel model() throws IOException {
        Path graph = graph();
        List<Pooling> poolings = poolings();
        JsonNode prompts = json("config_sentence_transformers.json").path("prompts");
        String documents = said(
                config.documentPrefix(), prompts.path("document"), prompts.path("passage"), prompts.path("corpus"));
        return new OnnxModel(
                name(graph, poolings, documents),
                new ModelFiles.InFolder(graph, tokenizer(graph)),
                poolings,
                dimension(),
                maxTokens(),
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

    /** A folder's name says little of the vectors: another graph or pooling in the same folder is another model. */
    private String name(Path graph, List<Pooling> poolings, String documents) throws IOException {
        String said = config.model();
        if (said != null) {
            return said;
        }
        CRC32 sum = new CRC32();
        sum.update((graph.getFileName() + " " + Files.size(graph) + " " + poolings + " " + documents)
                .getBytes(StandardCharsets.UTF_8));
        return String.format("%s-%08x", folder.getFileName(), sum.getValue());
    }

    private Path graph() throws IOException {
        Optional<Path> usual = GRAPHS.stream()
                .map(folder::resolve)
                .filter(file -> Files.exists(file) || Files.isSymbolicLink(file))
                .findFirst();
        Path graph = usual.isPresent() ? usual.get() : onlyGraph();
        ModelFiles.requireFile(graph, ModelFiles.LARGEST_GRAPH);
        return graph;
    }

    private Path onlyGraph() throws IOException {
        List<Path> graphs = new ArrayList<>();
        for (Path place : List.of(folder, folder.resolve("onnx"))) {
            if (Files.isDirectory(place)) {
                try (Stream<Path> files = Files.list(place)) {
                    files.filter(file -> file.getFileName().toString().endsWith(".onnx"))
                            .sorted()
                            .forEach(graphs::add);
                }
            }
        }
        if (graphs.isEmpty()) {
            throw new IOException("there is no model.onnx, nor onnx/model.onnx. Export the model:"
                    + " optimum-cli export onnx --task feature-extraction --model NAME FOLDER");
        }
        if (graphs.size() > 1) {
            throw new IOException("there are several graphs ("
                    + graphs.stream().map(folder::relativize).toList()
                    + ") and none is called model.onnx. Give the one to use that name.");
        }
        return graphs.getFirst();
    }

    private Path tokenizer(Path graph) throws IOException {
        Path beside = graph.resolveSibling("tokenizer.json");
        Path above = folder.resolve("tokenizer.json");
        Path tokenizer = Files.exists(above) || !Files.exists(beside) ? above : beside;
        try {
            ModelFiles.requireFile(tokenizer, ModelFiles.LARGEST_TOKENIZER);
        } catch (IOException e) {
            throw new IOException(
                    e.getMessage() + " Only that form of a tokenizer is read. Make it from the others with Python:"
                            + " AutoTokenizer.from_pretrained(NAME).save_pretrained(FOLDER)",
                    e);
        }
        return tokenizer;
    }

    /** How to make the vector of a text, the best first. */
    private List<Pooling> poolings() throws IOException {
        Pooling configured = config.pooling();
        if (configured != null) {
            return List.of(configured);
        }
        // Layers after the pooling are in the graph, or nowhere.
        Optional<Pooling> told = layers().isEmpty() ? told(poolingFile(), json(poolingFile())) : Optional.empty();
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

    /** What {@code modules.json} has besides the transformer, the pooling and the scaling. */
    private List<String> layers() throws IOException {
        List<String> layers = new ArrayList<>();
        for (JsonNode module : json("modules.json")) {
            String type = module.path("type").asText("");
            String name = type.substring(type.lastIndexOf('.') + 1);
            if (!List.of("Transformer", "Pooling", "Normalize").contains(name)) {
                layers.add(module.path("path").asText(""));
            }
        }
        return layers;
    }

    private String poolingFile() throws IOException {
        for (JsonNode module : json("modules.json")) {
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
            told.add(json(layer + "/" + CONFIG).path("out_features"));
        }
        String file = poolingFile();
        JsonNode pooling = json(file);
        told.add(pooling.path("word_embedding_dimension"));
        told.add(pooling.path("embedding_dimension"));
        JsonNode model = json(CONFIG);
        List.of("hidden_size", "dim", "d_model", "n_embd").forEach(key -> told.add(model.path(key)));
        return whole(told)
                .orElseThrow(() -> new IOException("no file says how many numbers its vectors have (" + file
                        + " would, or hidden_size in config.json). Add dimension."));
    }

    private int maxTokens() throws IOException {
        Integer said = config.maxTokens();
        if (said != null) {
            return said;
        }
        JsonNode model = json(CONFIG);
        int unused =
                model.path("model_type").asText("").toLowerCase(Locale.ROOT).contains("roberta") ? UNUSED_POSITIONS : 0;
        int positions = whole(List.of(model.path("max_position_embeddings")))
                .map(all -> all - unused)
                .orElse(MOST_TOKENS);
        Optional<Integer> told = whole(List.of(
                json("sentence_bert_config.json").path("max_seq_length"),
                json("tokenizer_config.json").path("model_max_length")));
        return Math.min(
                MOST_TOKENS, Math.min(positions, told.orElse(positions == MOST_TOKENS ? USUAL_TOKENS : positions)));
    }

    /** The first that is a whole number from 1 to what a length can be. Some files say "no limit" with 10^30. */
    private static Optional<Integer> whole(List<JsonNode> told) {
        return told.stream()
                .filter(node -> node.canConvertToInt() && node.canConvertToExactIntegral() && node.intValue() > 0)
                .map(JsonNode::intValue)
                .findFirst();
    }

    /** The JSON in a file of the folder; missing if there is no such file. */
    private JsonNode json(String name) throws IOException {
        Path file = folder.resolve(name).normalize();
        if (!Files.exists(file)) {
            return MissingNode.getInstance();
        }
        try {
            ModelFiles.requireFile(file, LARGEST_JSON);
            return Json.parse(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new IOException(name + " can't be read: " + e.getMessage(), e);
        }
    }
}
