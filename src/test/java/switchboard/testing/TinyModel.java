package switchboard.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import switchboard.call.Json;
import switchboard.testing.OnnxWriter.Attribute;
import switchboard.testing.OnnxWriter.Type;

/**
 * An embedding model for tests that ONNX Runtime runs: each word has its vector, and a text's tokens are {@code [CLS]}, its
 * words in lower case, {@code [SEP]}. Immutable.
 */
public final class TinyModel {
    private static final List<String> SPECIAL = List.of("[PAD]", "[UNK]", "[CLS]", "[SEP]");

    private final Map<String, float[]> table = new LinkedHashMap<>();
    private final int dimension;

    /**
     * A model.
     *
     * @param words the vectors of words, all of {@code dimension} numbers. Other words and special tokens have zeros, unless
     *     they are named, as {@code [CLS]}
     */
    public TinyModel(int dimension, Map<String, float[]> words) {
        this.dimension = dimension;
        SPECIAL.forEach(token -> table.put(token, new float[dimension]));
        table.putAll(words);
    }

    /** The tokenizer, as Hugging Face's library writes one. */
    public String tokenizer() {
        List<String> tokens = List.copyOf(table.keySet());
        var json = Json.object().put("version", "1.0");
        var added = json.putArray("added_tokens");
        for (String special : SPECIAL) {
            added.addObject()
                    .put("id", tokens.indexOf(special))
                    .put("content", special)
                    .put("single_word", false)
                    .put("lstrip", false)
                    .put("rstrip", false)
                    .put("normalized", false)
                    .put("special", true);
        }
        json.putObject("normalizer").put("type", "Lowercase");
        json.putObject("pre_tokenizer").put("type", "Whitespace");
        var post = json.putObject("post_processor").put("type", "TemplateProcessing");
        template(post.putArray("single"), List.of("[CLS]", "A", "[SEP]"));
        template(post.putArray("pair"), List.of("[CLS]", "A", "[SEP]", "B", "[SEP]"));
        var used = post.putObject("special_tokens");
        for (String special : List.of("[CLS]", "[SEP]")) {
            var token = used.putObject(special).put("id", special);
            token.putArray("ids").add(tokens.indexOf(special));
            token.putArray("tokens").add(special);
        }
        var model = json.putObject("model").put("type", "WordLevel").put("unk_token", "[UNK]");
        var vocabulary = model.putObject("vocab");
        tokens.forEach(token -> vocabulary.put(token, tokens.indexOf(token)));
        return Json.text(json);
    }

    private static void template(com.fasterxml.jackson.databind.node.ArrayNode to, List<String> pieces) {
        boolean second = false;
        for (String piece : pieces) {
            second |= piece.equals("B");
            to.addObject()
                    .putObject(piece.startsWith("[") ? "SpecialToken" : "Sequence")
                    .put("id", piece)
                    .put("type_id", second ? 1 : 0);
        }
    }

    /** A graph whose first nodes make {@code table} from constants, int8 or not. */
    private OnnxWriter graph(boolean int8) {
        List<Float> all = new ArrayList<>();
        table.values().forEach(vector -> {
            for (float number : vector) {
                all.add(number);
            }
        });
        long[] shape = {table.size(), dimension};
        OnnxWriter graph = new OnnxWriter();
        if (!int8) {
            float[] numbers = new float[all.size()];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = all.get(i);
            }
            return graph.floats("table", shape, numbers);
        }
        byte[] numbers = new byte[all.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = (byte) Math.round(all.get(i) * 100);
        }
        return graph.int8("table8", shape, numbers)
                .floats("scale", new long[0], 0.01f)
                .int8("zero", new long[0], (byte) 0)
                .node("DequantizeLinear", List.of("table8", "scale", "zero"), "table");
    }

    /** The graph that gives the vectors of the tokens, with the usual names. */
    public byte[] ofTokens() {
        return ofTokens("input_ids", List.of("attention_mask", "token_type_ids"), Type.INT64, false);
    }

    /** The same with other inputs, of which only {@code ids} is used, or with int8 weights. */
    public byte[] ofTokens(String ids, List<String> others, Type type, boolean int8) {
        OnnxWriter graph = graph(int8).input(ids, type, -1, -1);
        others.forEach(other -> graph.input(other, type, -1, -1));
        return graph.node("Gather", List.of("table", ids), "last_hidden_state")
                .output("last_hidden_state", Type.FLOAT, -1, -1, dimension)
                .bytes();
    }

    /** The graph that gives the vectors of the tokens, and that of the text: the mean of them. */
    public byte[] ofTexts() {
        return graph(false)
                .input("input_ids", Type.INT64, -1, -1)
                .input("attention_mask", Type.INT64, -1, -1)
                .node("Gather", List.of("table", "input_ids"), "token_embeddings")
                .node(
                        "ReduceMean",
                        List.of("token_embeddings"),
                        "sentence_embedding",
                        Attribute.list("axes", 1L),
                        Attribute.of("keepdims", 0))
                .output("token_embeddings", Type.FLOAT, -1, -1, dimension)
                .output("sentence_embedding", Type.FLOAT, -1, dimension)
                .bytes();
    }

    /**
     * The graph of a cross-encoder: the product of the sums of the vectors of both texts, which the types of tokens tell
     * apart.
     *
     * @param numbers how many logits it gives; the last one counts
     */
    public byte[] crossEncoder(int numbers) {
        float[] places = new float[numbers];
        places[numbers - 1] = 1;
        return graph(false)
                .input("input_ids", Type.INT64, -1, -1)
                .input("attention_mask", Type.INT64, -1, -1)
                .input("token_type_ids", Type.INT64, -1, -1)
                .longs("ofTokens", 1)
                .longs("ofNumbers", 2)
                .floats("places", new long[] {1, numbers}, places)
                .node("Gather", List.of("table", "input_ids"), "vectors")
                .node("Cast", List.of("token_type_ids"), "types", Attribute.of("to", 1))
                .node("Unsqueeze", List.of("types", "ofNumbers"), "ofPassage")
                .node("Mul", List.of("vectors", "ofPassage"), "passageVectors")
                .node("ReduceSum", List.of("passageVectors", "ofTokens"), "passage", Attribute.of("keepdims", 0))
                .node("ReduceSum", List.of("vectors", "ofTokens"), "both", Attribute.of("keepdims", 0))
                .node("Sub", List.of("both", "passage"), "query")
                .node("Mul", List.of("query", "passage"), "products")
                .node("ReduceSum", List.of("products", "ofTokens"), "score", Attribute.of("keepdims", 1))
                .node("Mul", List.of("score", "places"), "logits")
                .output("logits", Type.FLOAT, -1, numbers)
                .bytes();
    }

    /** A folder as sentence-transformers exports it: the files of {@code json} by name, {@code onnx/model.onnx}, the tokenizer. */
    public Path export(Path folder, byte[] graph, Map<String, String> json) throws IOException {
        Files.createDirectories(folder.resolve("onnx"));
        Files.write(folder.resolve("onnx/model.onnx"), graph);
        Files.writeString(folder.resolve("tokenizer.json"), tokenizer());
        for (Map.Entry<String, String> file : json.entrySet()) {
            Path target = folder.resolve(file.getKey());
            Files.createDirectories(java.util.Objects.requireNonNull(target.getParent()));
            Files.writeString(target, file.getValue());
        }
        return folder;
    }
}
