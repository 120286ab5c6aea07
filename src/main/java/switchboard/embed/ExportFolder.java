package switchboard.embed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * The files of a folder that a Hugging Face model was exported to as ONNX, and what they say of every kind of model. Blocks,
 * and reads small files only; the graph is read when the model is loaded.
 */
final class ExportFolder {
    private static final long LARGEST_JSON = 4 << 20;

    /** Where exporters put the graph, the best first: int8 weights are less exact. */
    private static final List<String> GRAPHS =
            List.of("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx");

    /** More is possible with some models, but the time of a text grows with the square of its length. */
    private static final int MOST_TOKENS = 8192;

    private static final int USUAL_TOKENS = 512;

    /** Positions that models of the kind RoBERTa count and no token has. */
    private static final int UNUSED_POSITIONS = 2;

    private final Path folder;
    private final String task;

    private ExportFolder(Path folder, String task) {
        this.folder = folder;
        this.task = task;
    }

    /** Reads a model from an export; may block. */
    interface Reading<T> {
        T of(ExportFolder folder) throws IOException;
    }

    /**
     * Reads {@code folder}.
     *
     * @param task what the model should have been exported for, as exporters call it
     * @throws IllegalArgumentException with a message for the operator that names the file and what to do
     */
    static <T> T read(Path folder, String task, Reading<T> reading) {
        if (!Files.isDirectory(folder)) {
            throw new IllegalArgumentException(
                    "folder: " + folder + (Files.exists(folder) ? " is not a folder" : " does not exist"));
        }
        try {
            return reading.of(new ExportFolder(folder, task));
        } catch (IOException e) {
            throw new IllegalArgumentException("folder " + folder + ": " + e.getMessage(), e);
        }
    }

    /** The folder's own name. */
    String name() {
        return String.valueOf(folder.getFileName());
    }

    /** The ONNX file: the usual one, or the only one that there is. */
    Path graph() throws IOException {
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
                    + " optimum-cli export onnx --task " + task + " --model NAME FOLDER");
        }
        if (graphs.size() > 1) {
            throw new IOException("there are several graphs ("
                    + graphs.stream().map(folder::relativize).toList()
                    + ") and none is called model.onnx. Give the one to use that name.");
        }
        return graphs.getFirst();
    }

    /** {@code tokenizer.json} of the folder, or beside the graph. */
    Path tokenizer(Path graph) throws IOException {
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

    /**
     * The longest input in tokens.
     *
     * @param said what the configuration says; it wins
     */
    int maxTokens(@Nullable Integer said) throws IOException {
        if (said != null) {
            return said;
        }
        JsonNode model = json("config.json");
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
    static Optional<Integer> whole(List<JsonNode> told) {
        return told.stream()
                .filter(node -> node.canConvertToInt() && node.canConvertToExactIntegral() && node.intValue() > 0)
                .map(JsonNode::intValue)
                .findFirst();
    }

    /** The JSON in a file of the folder; missing if there is no such file. */
    JsonNode json(String name) throws IOException {
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
