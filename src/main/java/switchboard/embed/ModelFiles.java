package switchboard.embed;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.net.URL;
import java.net.URLConnection;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The two files of a model that runs in this process: its ONNX graph, and its {@code tokenizer.json} as Hugging Face's
 * tokenizers write it. Immutable; the methods block. What they throw names a file without its folder.
 */
sealed interface ModelFiles {
    /** No ONNX file is larger, because a message of Protocol Buffers is not; weights beyond that are in files beside it. */
    long LARGEST_GRAPH = Integer.MAX_VALUE;

    /** The largest vocabularies have a tenth of that. */
    long LARGEST_TOKENIZER = 256L << 20;

    /** Makes a session of the graph. */
    OrtSession session(OrtEnvironment environment, OrtSession.SessionOptions options) throws IOException, OrtException;

    /** Opens the tokenizer's file. */
    InputStream tokenizerText() throws IOException;

    /** Whether the operator brought the files, so that they may be wrong. */
    boolean brought();

    /** Files on the class path, by the names of resources: those of the shipped model. */
    record OnClassPath(String graph, String tokenizer) implements ModelFiles {
        @Override
        public OrtSession session(OrtEnvironment environment, OrtSession.SessionOptions options)
                throws IOException, OrtException {
            URL resource = ModelFiles.class.getClassLoader().getResource(graph);
            if (resource == null) {
                throw new FileNotFoundException("The model file " + graph + " is not on the class path.");
            }
            URLConnection connection = resource.openConnection();
            return ModelFiles.session(
                    connection.getInputStream(), connection.getContentLengthLong(), environment, options);
        }

        @Override
        public InputStream tokenizerText() throws IOException {
            InputStream in = ModelFiles.class.getClassLoader().getResourceAsStream(tokenizer);
            if (in == null) {
                throw new FileNotFoundException("The tokenizer " + tokenizer + " is not on the class path.");
            }
            return in;
        }

        @Override
        public boolean brought() {
            return false;
        }
    }

    /** Files of a folder. The runtime itself reads the graph, because large ones have their weights in files beside it. */
    record InFolder(Path graph, Path tokenizer) implements ModelFiles {
        @Override
        public OrtSession session(OrtEnvironment environment, OrtSession.SessionOptions options) throws IOException {
            requireFile(graph, LARGEST_GRAPH);
            try {
                return environment.createSession(graph.toString(), options);
            } catch (OrtException e) {
                throw unusable(graph, String.valueOf(e.getMessage()), e);
            }
        }

        @Override
        public InputStream tokenizerText() throws IOException {
            requireFile(tokenizer, LARGEST_TOKENIZER);
            return Files.newInputStream(tokenizer);
        }

        @Override
        public boolean brought() {
            return true;
        }
    }

    /** Entries of a jar. */
    record InJar(Path jar, String graph, String tokenizer) implements ModelFiles {
        @Override
        public OrtSession session(OrtEnvironment environment, OrtSession.SessionOptions options) throws IOException {
            try (ZipFile file = new ZipFile(jar.toFile())) {
                ZipEntry entry = entry(file, graph, LARGEST_GRAPH);
                return ModelFiles.session(file.getInputStream(entry), entry.getSize(), environment, options);
            } catch (OrtException e) {
                throw unusable(Path.of(graph), String.valueOf(e.getMessage()), e);
            }
        }

        @Override
        public InputStream tokenizerText() throws IOException {
            try (ZipFile file = new ZipFile(jar.toFile())) {
                ZipEntry entry = entry(file, tokenizer, LARGEST_TOKENIZER);
                return new ByteArrayInputStream(
                        file.getInputStream(entry).readNBytes(Math.toIntExact(entry.getSize())));
            }
        }

        @Override
        public boolean brought() {
            return true;
        }

        private ZipEntry entry(ZipFile file, String name, long largest) throws IOException {
            ZipEntry entry = file.getEntry(name);
            if (entry == null) {
                throw new FileNotFoundException("There is no " + name + " in " + jar.getFileName() + ".");
            }
            if (entry.getSize() > largest) {
                throw tooLarge(name, entry.getSize(), largest);
            }
            return entry;
        }
    }

    /** Tens of megabytes, of which the session keeps a copy of its own; on the heap the process would keep them. */
    private static OrtSession session(
            InputStream in, long length, OrtEnvironment environment, OrtSession.SessionOptions options)
            throws IOException, OrtException {
        try (ReadableByteChannel channel = Channels.newChannel(in);
                Arena graph = Arena.ofConfined()) {
            ByteBuffer bytes = graph.allocate(length).asByteBuffer();
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                continue;
            }
            return environment.createSession(bytes.flip(), options);
        }
    }

    /**
     * Checks that {@code file}, or what a symbolic link leads to, is a file.
     *
     * @throws IOException with a message for the operator, if it is missing, no file, or too large
     */
    static void requireFile(Path file, long largest) throws IOException {
        if (!Files.exists(file)) {
            throw new FileNotFoundException(
                    file.getFileName() + (Files.isSymbolicLink(file) ? " is a link to nothing." : " is missing."));
        }
        if (!Files.isRegularFile(file)) {
            throw new FileNotFoundException(file.getFileName() + " is not a file.");
        }
        if (Files.size(file) > largest) {
            throw tooLarge(String.valueOf(file.getFileName()), Files.size(file), largest);
        }
    }

    private static IOException tooLarge(String name, long size, long largest) {
        return new IOException(name + " has " + size + " bytes; at most " + largest + " are read.");
    }

    /** The message for a graph that the runtime refuses. The runtime's own message contains the whole path. */
    private static IOException unusable(Path graph, String words, OrtException cause) {
        String reason = words.replace(graph.toString(), String.valueOf(graph.getFileName()))
                .replaceAll("(?s)/onnxruntime_src.*\\)\\s*", "")
                .strip();
        return new IOException(
                graph.getFileName() + " is not an ONNX model that runs here (" + reason + "). Export the model again.",
                cause);
    }
}
