package switchboard.bench;

import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import switchboard.call.Json;
import switchboard.replica.ReplicaNode;
import switchboard.store.AllowedReaders;
import switchboard.store.Chunk;
import switchboard.store.DocumentDetails;
import switchboard.store.Namespace;
import switchboard.store.NewDocument;
import switchboard.testing.PostgresCluster;
import switchboard.testing.Programs;

/** What documents with vectors take in the database and on a gateway's disk, and how long a gateway needs for new files. */
final class ClusterFiles {
    private static final int DIMENSION = 384;
    private static final int LIBRARIES = 10;
    private static final int CHUNKS_EACH = 20;
    private static final int WORDS = 110;
    private static final int VOCABULARY = 50_000;
    private static final int AT_ONCE = 100;
    private static final String SCHEMA = "files";

    private final PostgresCluster postgres;
    private final Random random = new Random(1);

    ClusterFiles(PostgresCluster postgres) {
        this.postgres = postgres;
    }

    void measure(int chunks) throws IOException {
        Path folder = Files.createTempDirectory("switchboard-files");
        try {
            long text = 0;
            try (ReplicaNode writer = new ReplicaNode(postgres, SCHEMA, folder.resolve("writer")).joined()) {
                long start = System.nanoTime();
                text = fill(writer, chunks / CHUNKS_EACH);
                System.out.printf(
                        "%d documents of %d chunks written in %.0f s%n",
                        chunks / CHUNKS_EACH, CHUNKS_EACH, (System.nanoTime() - start) / 1e9);
            }
            postgres.sql("VACUUM ANALYZE");
            System.out.printf(
                    "a chunk with %d bytes of text and %d numbers: %d bytes in the database (documents), %d bytes (changes)%n",
                    text / chunks,
                    DIMENSION,
                    size("document") / chunks,
                    size("change") / chunks);
            Path fresh = folder.resolve("fresh");
            try (ReplicaNode reader = new ReplicaNode(postgres, SCHEMA, fresh).joined()) {
                long start = System.nanoTime();
                reader.complete();
                double seconds = (System.nanoTime() - start) / 1e9;
                System.out.printf(
                        "new files of %d chunks: %.1f s, so %.0f s for 100,000; %d bytes of a chunk on the disk%n",
                        chunks, seconds, seconds * 100_000 / chunks, size(fresh) / chunks);
            }
        } finally {
            Programs.delete(folder);
        }
    }

    private long size(String table) {
        return Long.parseLong(postgres.sql("SELECT pg_total_relation_size('" + SCHEMA + "." + table + "')")
                .strip());
    }

    private static long size(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    /** Returns the bytes of all texts. */
    private long fill(ReplicaNode writer, int documents) {
        long bytes = 0;
        for (int from = 0; from < documents; from += AT_ONCE) {
            List<Future<?>> puts = new ArrayList<>();
            for (int number : IntStream.range(from, Math.min(documents, from + AT_ONCE)).toArray()) {
                NewDocument document = document(number);
                bytes += document.text().length();
                puts.add(writer.store().put(Namespace.of("library " + number % LIBRARIES), document));
            }
            ReplicaNode.await(Future.all(puts));
        }
        return bytes;
    }

    private NewDocument document(int number) {
        StringBuilder text = new StringBuilder();
        List<Chunk> chunks = new ArrayList<>();
        for (int chunk = 0; chunk < CHUNKS_EACH; chunk++) {
            int from = text.length();
            for (int word = 0; word < WORDS; word++) {
                text.append(ClusterLoad.letters((int) Math.pow(VOCABULARY, random.nextDouble())))
                        .append(' ');
            }
            chunks.add(Chunk.of(from, text.length()).withVector(vector()));
        }
        DocumentDetails details = new DocumentDetails(
                "document-" + number, "Document " + number, "txt", null, "h" + number, Json.object(), AllowedReaders.ALL);
        return new NewDocument(details, text.toString(), "random", chunks);
    }

    private float[] vector() {
        float[] vector = new float[DIMENSION];
        double square = 0;
        for (int i = 0; i < DIMENSION; i++) {
            vector[i] = (float) random.nextGaussian();
            square += vector[i] * vector[i];
        }
        for (int i = 0; i < DIMENSION; i++) {
            vector[i] /= (float) Math.sqrt(square);
        }
        return vector;
    }
}
