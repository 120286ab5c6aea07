package switchboard.bench;

import java.nio.file.Path;
import java.util.List;
import switchboard.concurrent.TeamShare;
import switchboard.embed.Embedder;
import switchboard.embed.EmbedderFactory;
import switchboard.embed.Embedders;


import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.Map;
import switchboard.embed.ModelFolders;





/** Loads the model of the embedder in a process of its own and prints how many milliseconds that took. */
final class LoadModel {
    private LoadModel() {}

    static void main() {
        Vertx vertx = Vertx.vertx();
        Embedders embedders = new EmbedderFactory(
                        vertx, new SimpleMeterRegistry(), Clock.systemUTC(), TeamShare.ALL, new ModelFolders(Path.of(""), List.of()))
                .create(Map.of());
        Embedder embedder = embedders.find(Embedders.DEFAULT).orElseThrow().embedder();
        long start = System.nanoTime();
        embedder.warmUp().await();
        System.out.println("loaded in " + (System.nanoTime() - start) / 1e6);
        embedders.close().await();
        vertx.close().await();
    }
}
