package switchboard.app;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import switchboard.config.EmbedderConfig;
import switchboard.embed.Embedders;
import switchboard.embed.OnnxEmbedder;
import switchboard.embed.OnnxModel;

/** Makes the configured embedders; none of them loads or connects before a backend needs it. */
final class EmbedderFactory {
    private static final EmbedderConfig USUAL = new EmbedderConfig(EmbedderConfig.Provider.ONNX);

    private final Vertx vertx;
    private final MeterRegistry meters;

    EmbedderFactory(Vertx vertx, MeterRegistry meters) {
        this.vertx = vertx;
        this.meters = meters;
    }

    /** The embedders of {@code configured}, and the default one where it is not configured. */
    Embedders create(Map<String, EmbedderConfig> configured) {
        Map<String, EmbedderConfig> all = new HashMap<>(configured);
        all.putIfAbsent(Embedders.DEFAULT, USUAL);
        Map<String, Embedders.Named> named = new HashMap<>();
        Set<String> switchedOff = new HashSet<>();
        all.forEach((name, config) -> {
            switch (config.provider()) {
                case ONNX ->
                    named.put(name, new Embedders.Named("onnx", new OnnxEmbedder(vertx, meters, OnnxModel.bgeSmall())));
                case NONE -> switchedOff.add(name);
            }
        });
        return new Embedders(named, switchedOff);
    }
}
