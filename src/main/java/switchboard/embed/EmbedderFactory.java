package switchboard.embed;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Clock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import switchboard.call.Tracing;
import switchboard.concurrent.TeamShare;
import switchboard.config.EmbedderConfig;
import switchboard.upstream.UpstreamServices;

/** Creates the embedders of a configuration. Models are loaded or connected on first use. */
public final class EmbedderFactory {
    private static final URI OPENAI = URI.create("https://api.openai.com/v1");
    private static final URI VOYAGE = URI.create("https://api.voyageai.com/v1");
    private static final int REMEMBERED = 1_000;
    private static final URI OLLAMA = URI.create("http://localhost:11434");

    private final UpstreamServices services;
    private final TeamShare share;
    private final NativePlatform platform;
    private final ModelFolders modelFolders;

    /**
     * A factory for one process.
     *
     * @param clock measures outages of providers
     * @param share the part of a model's capacity that one team may use
     * @param modelFolders where the files of models are
     */
    public EmbedderFactory(Vertx vertx, MeterRegistry meters, Clock clock, TeamShare share, ModelFolders modelFolders) {
        this(vertx, meters, clock, share, modelFolders, NativePlatform.current());
    }

    /** The same for another platform. */
    EmbedderFactory(
            Vertx vertx,
            MeterRegistry meters,
            Clock clock,
            TeamShare share,
            ModelFolders modelFolders,
            NativePlatform platform) {
        this.platform = platform;
        this.modelFolders = modelFolders;
        this.share = share;
        this.services = new UpstreamServices(vertx, meters, clock, Tracing.OFF);
    }

    /**
     * Creates the embedders. Without an entry {@code default}, that one is the built-in model.
     *
     * @throws IllegalArgumentException with a message for the operator that names the embedder
     */
    public Embedders create(Map<String, EmbedderConfig> configured) {
        Map<String, Embedders.Named> byName = new HashMap<>();
        Set<String> off = new HashSet<>();
        Map<String, String> unsupported = new HashMap<>();
        Optional<String> missing = platform.missingModelLibrary();
        configured.forEach((name, config) -> {
            try {
                switch (config.provider()) {
                    case NONE -> off.add(name);
                    case ONNX -> {
                        OnnxModel model = onnxModel(config);
                        missing.ifPresentOrElse(
                                reason -> unsupported.put(name, reason),
                                () -> byName.put(name, onnx(name, model, config.cache())));
                    }
                    case OPENAI -> byName.put(name, openAi(name, config));
                    case VOYAGE, ANTHROPIC -> byName.put(name, voyage(name, config));
                    case OLLAMA -> byName.put(name, ollama(name, config));
                }
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("embedders." + name + ": " + e.getMessage(), e);
            }
        });
        if (!configured.containsKey(Embedders.DEFAULT)) {
            missing.ifPresentOrElse(
                    reason -> unsupported.put(Embedders.DEFAULT, reason),
                    () -> byName.put(Embedders.DEFAULT, onnx(Embedders.DEFAULT, OnnxModel.bgeSmall(), REMEMBERED)));
        }
        return new Embedders(byName, off, unsupported);
    }

    private OnnxModel onnxModel(EmbedderConfig config) {
        String name = config.model();
        if (ModelFolders.CHINESE.equals(name)) {
            ModelFiles files = modelFolders.chinese(config.folder());
            OnnxModel chinese = Boolean.FALSE.equals(config.sentences())
                    ? OnnxModel.bgeSmallChineseWithoutSentences(files)
                    : OnnxModel.bgeSmallChinese(files);
            return chinese.configured(config);
        }
        if (config.folder() != null) {
            return ModelFolder.read(modelFolders.folder(config.folder()), config);
        }
        if (name == null || name.equals(OnnxModel.ENGLISH)) {
            return OnnxModel.bgeSmall().configured(config);
        }
        throw new IllegalArgumentException(
                "model: there is no \"" + name + "\" for onnx; there are " + OnnxModel.ENGLISH + " and "
                        + ModelFolders.CHINESE + ". Another one is named by the folder with its files: folder");
    }

    private Embedders.Named onnx(String name, OnnxModel model, int remembered) {
        return new Embedders.Named(
                "onnx", new OnnxEmbedder(services.vertx(), services.meters(), name, model, remembered, share));
    }

    private Embedders.Named openAi(String name, EmbedderConfig config) {
        if (config.apiKey() == null && config.url() == null) {
            throw new IllegalArgumentException("apiKey is missing: openai needs one");
        }
        RemoteModel model = RemoteModel.of(config, "text-embedding-3-small");
        return remote(name, config, model, new EmbeddingWire.OpenAi(model.name(), model.asked()), OPENAI);
    }

    private Embedders.Named voyage(String name, EmbedderConfig config) {
        if (config.apiKey() == null) {
            throw new IllegalArgumentException("apiKey is missing: voyage needs one");
        }
        RemoteModel model = RemoteModel.of(config, "voyage-3");
        return remote(name, config, model, new EmbeddingWire.Voyage(model.name(), model.asked()), VOYAGE);
    }

    private Embedders.Named ollama(String name, EmbedderConfig config) {
        RemoteModel model = RemoteModel.of(config, "nomic-embed-text");
        return remote(name, config, model, new EmbeddingWire.Ollama(model.name()), OLLAMA);
    }

    private Embedders.Named remote(
            String name, EmbedderConfig config, RemoteModel model, EmbeddingWire wire, URI fallback) {
        String base = String.valueOf(config.url() == null ? fallback : config.url());
        URI url = URI.create((base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + wire.path());
        QueryVectorCache queries = new QueryVectorCache(config.cache());
        EmbeddingProvider provider =
                new EmbeddingProvider("embedders." + name, wire, url, model, config, share, services);
        return new Embedders.Named(
                wire.provider(), new RemoteEmbedder(model, wire, provider, config, queries, services.meters()));
    }
}
