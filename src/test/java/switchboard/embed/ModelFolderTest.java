package switchboard.embed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Health;
import switchboard.call.ToolException;
import switchboard.concurrent.TeamShare;
import switchboard.config.EmbedderConfig;
import switchboard.config.EmbedderConfig.EmbedderProvider;
import switchboard.config.EmbedderConfig.Pooling;
import switchboard.testing.OnnxWriter.Type;
import switchboard.testing.TinyModel;

/** Folders with exported models, which ONNX Runtime really runs; the models are made here, of a few words. */
@ExtendWith(VertxExtension.class)
class ModelFolderTest {
    private static final TinyModel WORDS = new TinyModel(
            4,
            Map.of(
                    "[CLS]", new float[] {0, 0, 0, 1},
                    "[SEP]", new float[] {0.5f, 0, 0, 0},
                    "apple", new float[] {1, 0, 0, 0},
                    "pear", new float[] {0, 1, 0, 0},
                    "query", new float[] {0, 0, 1, 0}));

    private static final String MEAN = "1_Pooling/config.json";

    @TempDir
    Path data;

    private Embedders embedders = Embedders.none();
    private Vertx vertx;

    @BeforeEach
    void open(Vertx vertx) {
        this.vertx = vertx;
    }

    @AfterEach
    void close() {
        embedders.close().await();
    }

    /** What a configuration says of a folder. */
    private record Said(
            @Nullable String model,
            @Nullable Pooling pooling,
            @Nullable Integer dimension,
            @Nullable Integer maxTokens,
            @Nullable String queryPrefix,
            @Nullable String documentPrefix,
            @Nullable Boolean sentences) {
        static final Said NOTHING = new Said(null, null, null, null, null, null);

        Said(
                @Nullable String model,
                @Nullable Pooling pooling,
                @Nullable Integer dimension,
                @Nullable Integer maxTokens,
                @Nullable String queryPrefix,
                @Nullable String documentPrefix) {
            this(model, pooling, dimension, maxTokens, queryPrefix, documentPrefix, null);
        }

        static Said pooling(Pooling pooling) {
            return new Said(null, pooling, null, null, null, null);
        }
    }

    private static EmbedderConfig config(@Nullable Path folder, Said said) {
        return new EmbedderConfig(
                EmbedderProvider.ONNX,
                said.model(),
                folder,
                said.pooling(),
                null,
                null,
                said.dimension(),
                said.queryPrefix(),
                said.documentPrefix(),
                said.maxTokens(),
                64,
                Duration.ofSeconds(1),
                0,
                List.of(),
                List.of(),
                said.sentences(),
                null);
    }

    private Embedder embedder(Said said) {
        close();
        embedders = new EmbedderFactory(
                        vertx,
                        new SimpleMeterRegistry(),
                        Clock.systemUTC(),
                        TeamShare.ALL,
                        new ModelFolders(data, List.of()))
                .create(Map.of("mine", config(Path.of("tiny"), said)));
        return embedders.find("mine").orElseThrow().embedder();
    }

    private Path export(byte[] graph, Map<String, String> files) throws IOException {
        return WORDS.export(data.resolve("tiny"), graph, files);
    }

    private static String pooling(String mode) {
        return "{\"word_embedding_dimension\": 4, \"pooling_mode_cls_token\": " + mode.equals("cls")
                + ", \"pooling_mode_mean_tokens\": " + mode.equals("mean") + ", \"pooling_mode_max_tokens\": "
                + mode.equals("max") + ", \"pooling_mode_lasttoken\": " + mode.equals("last") + "}";
    }

    private static float[] unit(float... numbers) {
        return L2Normalizer.of(numbers);
    }

    private static void assertVector(float[] expected, float[] vector) {
        assertArrayEquals(expected, vector, 0.02f);
    }

    private static String refusal(Runnable start) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, start::run);
        String message = Objects.requireNonNull(refused.getMessage());
        assertTrue(message.startsWith("embedders.mine: "), message);
        return message;
    }

    /** Why the model can't be loaded; searches go on by keyword. */
    private String failure(Said said) {
        Embedder broken = embedder(said);
        ToolException failed =
                assertThrows(ToolException.class, () -> broken.warmUp().await());
        assertEquals(new ModelReadiness.Failed(failed.getMessage()), broken.readiness());
        assertEquals(
                Health.down(failed.getMessage()), broken.check().orElseThrow().await(), "doctor says it, too");
        assertFalse(failed.getMessage().contains(data.toString()), failed.getMessage());
        return failed.getMessage();
    }

    /** The sum of the tokens [CLS] apple pear [SEP], the first, the largest of each dimension, the last. */
    @ParameterizedTest
    @CsvSource({"mean, 1.5, 1, 0, 1", "cls, 0, 0, 0, 1", "max, 1, 1, 0, 1", "last, 1, 0, 0, 0"})
    void theVectorOfATextIsMadeAsTheFilesSay(String mode, float a, float b, float c, float d) throws IOException {
        export(WORDS.ofTokens(), Map.of(MEAN, pooling(mode)));
        float[] expected = unit(a, b, c, d);
        Embedder told = embedder(Said.NOTHING);
        assertVector(
                expected,
                told.embedDocuments(List.of("Apple pear"), EmbedListener.NONE)
                        .await()
                        .getFirst());
        assertVector(expected, told.embedQuery("apple PEAR").await());
        assertEquals(4, told.dimension());
        assertEquals(Health.up(), told.check().orElseThrow().await());

        // What the configuration says wins.
        export(WORDS.ofTokens(), Map.of(MEAN, pooling(mode.equals("cls") ? "mean" : "cls")));
        Pooling said = Pooling.valueOf(mode.toUpperCase(java.util.Locale.ROOT));
        assertVector(
                expected, embedder(Said.pooling(said)).embedQuery("apple pear").await());
    }

    @ParameterizedTest
    @CsvSource({
        "input_ids, , INT64",
        "input_ids, attention_mask, INT64",
        "input_ids, attention_mask token_type_ids position_ids, INT64",
        "input_ids, input_mask segment_ids, INT32",
        "tokens, mask, INT32",
        "x, , INT64"
    })
    void graphsTakeWhatTheyAskForUnderTheNamesOfTheirExporters(String ids, @Nullable String others, Type type)
            throws IOException {
        List<String> more = others == null ? List.of() : List.of(others.split(" "));
        export(WORDS.ofTokens(ids, more, type, false), Map.of(MEAN, pooling("mean")));
        assertVector(
                unit(1.5f, 1, 0, 1),
                embedder(Said.NOTHING).embedQuery("apple pear").await());
    }

    @Test
    void int8WeightsAreRun() throws IOException {
        export(WORDS.ofTokens("input_ids", List.of(), Type.INT64, true), Map.of(MEAN, pooling("mean")));
        assertVector(
                unit(1.5f, 1, 0, 1),
                embedder(Said.NOTHING).embedQuery("apple pear").await());
    }

    @Test
    void aGraphThatPoolsByItselfIsTakenAtItsWord() throws IOException {
        export(WORDS.ofTexts(), Map.of("config.json", "{\"hidden_size\": 4}"));
        float[] mean = unit(1.5f, 1, 0, 1);
        assertVector(mean, embedder(Said.NOTHING).embedQuery("apple pear").await());
        assertVector(
                mean,
                embedder(Said.pooling(Pooling.NONE)).embedQuery("apple pear").await());
        // Its own output is better than what a file says, but not than what the operator says.
        export(WORDS.ofTexts(), Map.of(MEAN, pooling("cls")));
        assertVector(mean, embedder(Said.NOTHING).embedQuery("apple pear").await());
        assertVector(
                unit(0, 0, 0, 1),
                embedder(Said.pooling(Pooling.CLS)).embedQuery("apple pear").await());
    }

    @Test
    void layersAfterThePoolingHaveToBeInTheGraph() throws IOException {
        Map<String, String> dense = Map.of(
                MEAN,
                pooling("mean"),
                "2_Dense/config.json",
                "{\"in_features\": 8, \"out_features\": 4}",
                "modules.json",
                "[{\"path\": \"\", \"type\": \"sentence_transformers.models.Transformer\"},"
                        + " {\"path\": \"1_Pooling\", \"type\": \"sentence_transformers.models.Pooling\"},"
                        + " {\"path\": \"2_Dense\", \"type\": \"sentence_transformers.models.Dense\"},"
                        + " {\"path\": \"3_Normalize\", \"type\": \"sentence_transformers.models.Normalize\"}]");
        export(WORDS.ofTexts(), dense);
        assertEquals(4, embedder(Said.NOTHING).embedQuery("apple").await().length);
        export(WORDS.ofTokens(), dense);
        String message = failure(Said.NOTHING);
        assertTrue(message.contains("no output with the vector of a text"), message);
    }

    @Test
    void prefixesAreThoseOfTheFilesUnlessTheConfigurationSaysOthers() throws IOException {
        export(
                WORDS.ofTokens(),
                Map.of(
                        MEAN,
                        pooling("max"),
                        "config_sentence_transformers.json",
                        "{\"prompts\": {\"query\": \"query \", \"passage\": \"pear \"}, \"default_prompt_name\": null}"));
        Embedder told = embedder(Said.NOTHING);
        assertVector(unit(1, 0, 1, 1), told.embedQuery("apple").await());
        assertVector(
                unit(1, 1, 0, 1),
                told.embedDocuments(List.of("apple"), EmbedListener.NONE)
                        .await()
                        .getFirst());
        Embedder said = embedder(new Said(null, null, null, null, "", "query "));
        assertVector(unit(1, 0, 0, 1), said.embedQuery("apple").await());
        assertVector(
                unit(1, 0, 1, 1),
                said.embedDocuments(List.of("apple"), EmbedListener.NONE)
                        .await()
                        .getFirst());
    }

    @ParameterizedTest
    @CsvSource({
        "sentence_bert_config.json, '{\"max_seq_length\": 20}', 18",
        "tokenizer_config.json, '{\"model_max_length\": 20}', 18",
        "tokenizer_config.json, '{\"model_max_length\": 1000000000000000019884624838656}', 510",
        "config.json, '{\"max_position_embeddings\": 130}', 128",
        "config.json, '{\"max_position_embeddings\": 514, \"model_type\": \"xlm-roberta\"}', 510",
        "config.json, '{\"max_position_embeddings\": 1000000}', 8190",
        "config.json, '{}', 510"
    })
    void theLengthOfTextsIsThatOfTheFiles(String file, String json, int tokens) throws IOException {
        export(WORDS.ofTokens(), Map.of(MEAN, pooling("mean"), file, json));
        assertEquals(tokens, embedder(Said.NOTHING).maxTokens());
        assertEquals(30, embedder(new Said(null, null, null, 32, null, null)).maxTokens());
    }

    @Test
    void longTextsAreCutAtTheirEnd() throws IOException {
        export(
                WORDS.ofTokens(),
                Map.of(MEAN, pooling("mean"), "sentence_bert_config.json", "{\"max_seq_length\": 20}"));
        Embedder told = embedder(Said.NOTHING);
        assertVector(
                told.embedQuery("apple ".repeat(18)).await(),
                told.embedQuery("apple ".repeat(18) + "pear ".repeat(100_000)).await());
    }

    @Test
    void anotherGraphOrPoolingIsAnotherModelUnlessItHasAName() throws IOException {
        export(WORDS.ofTokens(), Map.of(MEAN, pooling("mean")));
        String mean = embedder(Said.NOTHING).model();
        assertTrue(mean.startsWith("tiny-"), mean);
        assertEquals(mean, embedder(Said.NOTHING).model());
        assertNotEquals(mean, embedder(Said.pooling(Pooling.CLS)).model());
        assertNotEquals(
                mean,
                embedder(new Said(null, null, null, null, null, "passage: ")).model());
        export(WORDS.ofTokens("input_ids", List.of(), Type.INT64, true), Map.of());
        assertNotEquals(mean, embedder(Said.NOTHING).model());
        assertEquals(
                "mine", embedder(new Said("mine", null, null, null, null, null)).model());
        Embedder sentences = embedder(new Said("mine", null, null, null, null, null, true));
        assertEquals("mine+sentences", sentences.model());
        assertTrue(sentences.traits().sentences());
    }

    @ParameterizedTest
    @ValueSource(strings = {"model.onnx", "model_quantized.onnx", "onnx/model_qint8_avx512.onnx"})
    void theGraphHasOneOfSeveralNames(String name) throws IOException {
        Path folder = export(WORDS.ofTokens(), Map.of(MEAN, pooling("mean")));
        Files.move(folder.resolve("onnx/model.onnx"), folder.resolve(name));
        Files.move(folder.resolve("tokenizer.json"), folder.resolve(name).resolveSibling("tokenizer.json"));
        assertVector(
                unit(1.5f, 1, 0, 1),
                embedder(Said.NOTHING).embedQuery("apple pear").await());
    }

    @Test
    void filesMayBeSymbolicLinksAsInTheCacheOfHuggingFace() throws IOException {
        Path folder = export(WORDS.ofTokens(), Map.of(MEAN, pooling("mean")));
        Path blobs = Files.createDirectories(data.resolve("blobs"));
        for (String file : List.of("onnx/model.onnx", "tokenizer.json", MEAN)) {
            Path blob = blobs.resolve(Integer.toHexString(file.hashCode()));
            Files.move(folder.resolve(file), blob);
            Files.createSymbolicLink(folder.resolve(file), blob);
        }
        assertVector(
                unit(1.5f, 1, 0, 1),
                embedder(Said.NOTHING).embedQuery("apple pear").await());
        Files.delete(blobs.resolve(Integer.toHexString("onnx/model.onnx".hashCode())));
        assertTrue(refusal(() -> embedder(Said.NOTHING)).contains("model.onnx is a link to nothing"));
    }

    @Test
    void whatIsMissingIsSaidAtTheStartWithTheFileAndWhatToDo() throws IOException {
        String none = refusal(() -> embedder(Said.NOTHING));
        assertTrue(none.contains("folder: " + data.resolve("tiny") + " does not exist"), none);
        Path folder = export(WORDS.ofTokens(), Map.of());
        String dimension = refusal(() -> embedder(Said.NOTHING));
        assertTrue(dimension.contains("1_Pooling/config.json") && dimension.contains("Add dimension"), dimension);
        Files.writeString(folder.resolve("config.json"), "{\"hidden_size\": 4");
        String damaged = refusal(() -> embedder(Said.NOTHING));
        assertTrue(damaged.contains("config.json can't be read"), damaged);
        Files.writeString(folder.resolve("config.json"), "{\"hidden_size\": 4}");
        Files.delete(folder.resolve("tokenizer.json"));
        String tokenizer = refusal(() -> embedder(Said.NOTHING));
        assertTrue(tokenizer.contains("tokenizer.json is missing") && tokenizer.contains("save_pretrained"), tokenizer);
        Files.move(folder.resolve("onnx/model.onnx"), folder.resolve("onnx/a.onnx"));
        Files.copy(folder.resolve("onnx/a.onnx"), folder.resolve("b.onnx"));
        String several = refusal(() -> embedder(Said.NOTHING));
        assertTrue(several.contains("b.onnx, onnx/a.onnx"), several);
        Files.delete(folder.resolve("onnx/a.onnx"));
        Files.delete(folder.resolve("b.onnx"));
        assertTrue(refusal(() -> embedder(Said.NOTHING)).contains("optimum-cli export onnx"));
        Files.createDirectory(folder.resolve("model.onnx"));
        assertTrue(refusal(() -> embedder(Said.NOTHING)).contains("model.onnx is not a file"));
    }

    @Test
    void aPoolingThatIsNotKnownIsSaidAtTheStart() throws IOException {
        for (String json : List.of(
                "{\"pooling_mode_weightedmean_tokens\": true, \"word_embedding_dimension\": 4}",
                "{\"pooling_mode\": \"attention\", \"word_embedding_dimension\": 4}",
                "{\"pooling_mode_cls_token\": true, \"pooling_mode_mean_tokens\": true,"
                        + " \"word_embedding_dimension\": 4}")) {
            export(WORDS.ofTokens(), Map.of(MEAN, json));
            String message = refusal(() -> embedder(Said.NOTHING));
            assertTrue(message.contains("1_Pooling/config.json wants"), message);
            assertEquals(
                    4, embedder(Said.pooling(Pooling.MEAN)).embedQuery("apple").await().length);
        }
        export(WORDS.ofTokens(), Map.of(MEAN, "{\"pooling_mode\": \"lasttoken\", \"embedding_dimension\": 4}"));
        assertVector(unit(1, 0, 0, 0), embedder(Said.NOTHING).embedQuery("pear").await());
    }

    @Test
    void aDimensionThatIsNotTheGraphsIsSaidWhenItIsLoaded() throws IOException {
        export(WORDS.ofTokens(), Map.of(MEAN, pooling("mean")));
        String message = failure(new Said(null, null, 8, null, null, null));
        assertTrue(message.contains("4 numbers, but 8 are expected") && message.contains("dimension: 4"), message);
    }

    @Test
    void aGraphWithoutPoolingNeedsToBeToldWhich() throws IOException {
        export(WORDS.ofTokens(), Map.of("config.json", "{\"hidden_size\": 4}"));
        String message = failure(Said.NOTHING);
        assertTrue(message.contains("Set pooling: mean or cls"), message);
        String none = failure(Said.pooling(Pooling.NONE));
        assertTrue(none.contains("last_hidden_state"), none);
    }

    @Test
    void graphsThatTakeSomethingElseAreRefusedWithTheirInputs() throws IOException {
        export(
                WORDS.ofTokens("input_ids", List.of("past_key_values.0.key"), Type.INT64, false),
                Map.of(MEAN, pooling("mean")));
        String message = failure(Said.NOTHING);
        assertTrue(message.contains("past_key_values.0.key") && message.contains("attention_mask"), message);
    }

    @Test
    void damagedFilesAreSaidWithTheirNamesAndWithoutTheirFolders() throws IOException {
        Path folder = export(WORDS.ofTokens(), Map.of(MEAN, pooling("mean")));
        Path graph = folder.resolve("onnx/model.onnx");
        byte[] whole = Files.readAllBytes(graph);
        for (byte[] damaged : List.of(new byte[0], new byte[100], java.util.Arrays.copyOf(whole, whole.length - 40))) {
            Files.write(graph, damaged);
            String message = failure(Said.NOTHING);
            assertTrue(message.contains("model.onnx is not an ONNX model that runs here"), message);
        }
        Files.write(graph, whole);
        for (String damaged : List.of("", "{}", "[1, 2", "{\"model\": {\"type\": \"None\"}}")) {
            Files.writeString(folder.resolve("tokenizer.json"), damaged);
            String message = failure(Said.NOTHING);
            assertTrue(message.contains("tokenizer.json can't be read"), message);
            ToolException uncounted = assertThrows(
                    ToolException.class, () -> embedder(Said.NOTHING).tokens().count("apple"));
            assertTrue(uncounted.getMessage().contains("tokenizer.json"), uncounted.getMessage());
        }
    }

    @Test
    void hugeFilesAreNotRead() throws IOException {
        Path folder = export(WORDS.ofTokens(), Map.of(MEAN, pooling("mean")));
        grow(folder.resolve("onnx/model.onnx"), 3L << 30);
        assertTrue(refusal(() -> embedder(Said.NOTHING)).contains("model.onnx has 3221225472 bytes"));
        export(WORDS.ofTokens(), Map.of());
        grow(folder.resolve("tokenizer.json"), 1L << 30);
        assertTrue(refusal(() -> embedder(Said.NOTHING)).contains("tokenizer.json has 1073741824 bytes"));
        export(WORDS.ofTokens(), Map.of());
        grow(folder.resolve(MEAN), 1L << 30);
        assertTrue(refusal(() -> embedder(Said.NOTHING)).contains(MEAN + " can't be read"));
    }

    private static void grow(Path file, long size) throws IOException {
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(size);
        }
    }

    @Test
    void theModelInTheBoxIsNotToldWhatItIs() {
        EmbedderConfig unknown = config("bge-large", null, null);
        assertTrue(refusal(() -> factory().create(Map.of("mine", unknown))).contains("bge-small-zh-v1.5"));
        assertTrue(refusal(() -> factory().create(Map.of("mine", config(null, Pooling.MEAN, null))))
                .contains("pooling is for a model of a folder"));
        assertTrue(refusal(() -> factory().create(Map.of("mine", config(null, null, 768))))
                .contains("384 numbers"));
        Embedders known = factory().create(Map.of("mine", config("bge-small-en-v1.5", null, 384)));
        Embedder box = known.find("mine").orElseThrow().embedder();
        assertEquals("bge-small-en-v1.5-q", box.model());
        assertInstanceOf(ModelReadiness.Idle.class, box.readiness());
        known.close().await();
    }

    @Test
    void theModelInTheBoxIsAnotherOneWithAPrefixOfDocuments() {
        Embedders known = factory()
                .create(Map.of(
                        "queries", config(null, new Said(null, null, null, 64, "query: ", null)),
                        "documents", config(null, new Said(null, null, null, null, null, "passage: ")),
                        "others", config(null, new Said(null, null, null, null, null, "text: "))));
        assertEquals("bge-small-en-v1.5-q", model(known, "queries"));
        assertTrue(model(known, "documents").matches("bge-small-en-v1\\.5-q-[0-9a-f]{8}"), model(known, "documents"));
        assertNotEquals(model(known, "documents"), model(known, "others"));
        known.close().await();
    }

    /** Its vectors with and without those of sentences are not of one model, and the latter count less. */
    @Test
    void theChineseModelComparesSentencesUnlessTheConfigurationSaysOtherwise() throws IOException {
        Path jar = Files.writeString(data.resolve("zh.jar"), "not read yet");
        Embedders chinese = new EmbedderFactory(
                        vertx,
                        new SimpleMeterRegistry(),
                        Clock.systemUTC(),
                        TeamShare.ALL,
                        new ModelFolders(data, List.of()))
                .create(Map.of(
                        "usual", config(jar, new Said(ModelFolders.CHINESE, null, null, null, null, null)),
                        "whole", config(jar, new Said(ModelFolders.CHINESE, null, null, null, null, null, false))));
        Embedder usual = chinese.find("usual").orElseThrow().embedder();
        Embedder whole = chinese.find("whole").orElseThrow().embedder();
        assertEquals("bge-small-zh-v1.5-q+sentences", usual.model());
        assertEquals("bge-small-zh-v1.5-q", whole.model());
        assertTrue(usual.traits().sentences() && !whole.traits().sentences());
        assertTrue(whole.traits().weight() < usual.traits().weight());
        chinese.close().await();
    }

    @Test
    void aConfigurationLeavesTheWeightOfAModelAsItIs() {
        OnnxModel chinese = OnnxModel.bgeSmallChinese(new ModelFiles.InFolder(Path.of("graph"), Path.of("tokenizer")));
        assertEquals(
                0.7, chinese.configured(config(null, Said.NOTHING)).traits().weight());
        assertEquals(
                1,
                OnnxModel.bgeSmall()
                        .configured(config(null, Said.NOTHING))
                        .traits()
                        .weight());
    }

    private static String model(Embedders embedders, String name) {
        return embedders.find(name).orElseThrow().embedder().model();
    }

    private EmbedderFactory factory() {
        return new EmbedderFactory(
                vertx,
                new SimpleMeterRegistry(),
                Clock.systemUTC(),
                TeamShare.ALL,
                new ModelFolders(data, List.of(data)));
    }

    private static EmbedderConfig config(
            @Nullable String model, @Nullable Pooling pooling, @Nullable Integer dimension) {
        return config(null, new Said(model, pooling, dimension, null, null, null));
    }
}
