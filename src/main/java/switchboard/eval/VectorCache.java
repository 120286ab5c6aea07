package switchboard.eval;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.codec.digest.DigestUtils;
import switchboard.embed.Embedder;

/**
 * A cache of vectors by text in an append-only file, so that an evaluation that was stopped can continue. A partial
 * record at the end is removed. Not thread-safe.
 */
public final class VectorCache implements AutoCloseable {
    private final int dimension;
    private final Map<String, float[]> vectors = new HashMap<>();
    private final DataOutputStream out;

    private VectorCache(Path file, int dimension) throws IOException {
        this.dimension = dimension;
        long whole = Files.exists(file) ? load(file) : 0;
        if (Files.exists(file) && Files.size(file) > whole) {
            try (var channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
                channel.truncate(whole);
            }
        }
        this.out = new DataOutputStream(new java.io.BufferedOutputStream(
                Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)));
    }

    /** Opens the cache of a model's vectors of documents in {@code folder}, which is created if it is missing. */
    public static VectorCache open(Path folder, Embedder model) throws IOException {
        Files.createDirectories(folder);
        return new VectorCache(folder.resolve(name(model) + ".vectors"), model.dimension());
    }

    /** What the vectors of documents depend on: the model, their dimension, and where longer texts are cut. */
    static String name(Embedder model) {
        return model.model().replaceAll("[^A-Za-z0-9._-]", "_") + "-" + model.dimension() + "-" + model.maxTokens();
    }

    private long load(Path file) throws IOException {
        long whole = 0;
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
            while (true) {
                byte[] key = in.readNBytes(32);
                float[] vector = new float[dimension];
                for (int i = 0; i < dimension; i++) {
                    vector[i] = in.readFloat();
                }
                vectors.put(HexFormat.of().formatHex(key), vector);
                whole += 32 + 4L * dimension;
            }
        } catch (EOFException end) {
            return whole;
        }
    }

    /** The cached vector of {@code text}. */
    public Optional<float[]> find(String text) {
        return Optional.ofNullable(vectors.get(DigestUtils.sha256Hex(text)));
    }

    /** Adds the vector of {@code text}. It is stored at the next {@link #flush}. */
    public void add(String text, float[] vector) throws IOException {
        byte[] key = DigestUtils.sha256(text);
        vectors.put(HexFormat.of().formatHex(key), vector);
        out.write(key);
        for (float x : vector) {
            out.writeFloat(x);
        }
    }

    /** Writes added vectors to the file. */
    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
