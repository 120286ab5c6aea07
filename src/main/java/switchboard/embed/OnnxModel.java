package switchboard.embed;

import java.util.List;
import java.util.Optional;
import switchboard.config.EmbedderConfig;
import switchboard.config.EmbedderConfig.Pooling;

/**
 * A sentence embedding model that runs in this process: an ONNX graph and a Hugging Face {@code tokenizer.json}. Immutable.
 *
 * @param name the model's name, with which its vectors are stored, see {@link VectorModelName}
 * @param files where the two are
 * @param poolings how a text's vector is read from the graph's outputs; the first that the outputs allow counts
 * @param dimension number of dimensions
 * @param maxTokens maximum input including the two special tokens
 * @param queryPrefix put before every query
 * @param documentPrefix put before every document
 * @param traits what it was trained on, and what its cosines mean
 */
public record OnnxModel(
        String name,
        ModelFiles files,
        List<Pooling> poolings,
        int dimension,
        int maxTokens,
        String queryPrefix,
        String documentPrefix,
        ModelTraits traits) {
    /** The name of the shipped model in the configuration. */
    static final String ENGLISH = "bge-small-en-v1.5";

    /** Measured on the judged sets in bench/results.md. */
    private static final CosineCalibration ENGLISH_COSINES = new CosineCalibration(0.54, 0.77);

    /** Measured by {@code eval} on questions in Chinese, which docs/languages.md names. */
    private static final ModelTraits CHINESE = new ModelTraits(
                    ModelLanguages.CHINESE, Optional.of(new CosineCalibration(0.39, 0.71)))
            .withWeight(0.7)
            .withSentences();

    /** The same without vectors of sentences: with more weight, hybrid search is worse than keyword search. */
    private static final ModelTraits CHINESE_WITHOUT_SENTENCES =
            new ModelTraits(ModelLanguages.CHINESE, Optional.of(new CosineCalibration(0.39, 0.64))).withWeight(0.3);

    private static final int MAX_TOKENS = 512;

    public OnnxModel {
        poolings = List.copyOf(poolings);
    }

    /**
     * BAAI's bge-small-en-v1.5 with int8 weights, the shipped model. The query prefix of its model card is not used:
     * combined with BM25 it measured no better.
     */
    public static OnnxModel bgeSmall() {
        return new OnnxModel(
                "bge-small-en-v1.5-q",
                new ModelFiles.OnClassPath("bge-small-en-v1.5-q.onnx", "bge-small-en-v1.5-q-tokenizer.json"),
                List.of(Pooling.CLS),
                384,
                MAX_TOKENS,
                "",
                "",
                new ModelTraits(ModelLanguages.ENGLISH, Optional.of(ENGLISH_COSINES)));
    }

    /** BAAI's bge-small-zh-v1.5 with int8 weights, whose files the operator brings. */
    static OnnxModel bgeSmallChinese(ModelFiles files) {
        return chinese(files, CHINESE);
    }

    /** The same without vectors of sentences. */
    static OnnxModel bgeSmallChineseWithoutSentences(ModelFiles files) {
        return chinese(files, CHINESE_WITHOUT_SENTENCES);
    }

    private static OnnxModel chinese(ModelFiles files, ModelTraits traits) {
        return new OnnxModel("bge-small-zh-v1.5-q", files, List.of(Pooling.CLS), 512, MAX_TOKENS, "", "", traits);
    }

    /**
     * This model with the prefixes, the length and the traits that the configuration says.
     *
     * @throws IllegalArgumentException with a message for the operator, if the configuration says what can't be true of it
     */
    OnnxModel configured(EmbedderConfig config) {
        Integer said = config.dimension();
        if (said != null && said != dimension) {
            throw new IllegalArgumentException(
                    "dimension: the vectors of " + name + " have " + dimension + " numbers; leave it out");
        }
        if (config.pooling() != null) {
            throw new IllegalArgumentException("pooling is for a model of a folder; that of " + name + " is known");
        }
        Integer tokens = config.maxTokens();
        return new OnnxModel(
                VectorModelName.withDocumentPrefix(name, config.documentsBegin()),
                files,
                poolings,
                dimension,
                tokens == null ? maxTokens : Math.min(tokens, maxTokens),
                config.queriesBegin(),
                config.documentsBegin(),
                traits.configured(config));
    }
}
