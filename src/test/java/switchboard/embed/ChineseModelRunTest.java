package switchboard.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import switchboard.concurrent.TeamShare;
import switchboard.testing.Programs;

/** The optional model for Chinese, from its jar, which Maven gets by the very command that the error names. */
@Tag("engines")
@ExtendWith(VertxExtension.class)
class ChineseModelRunTest {
    @TempDir
    Path home;

    @Test
    void itIsFoundWhereTheErrorSaysToPutItAndTellsWhatIsNear(Vertx vertx) {
        ModelFolders places = ModelFolders.of(home, home.resolve("data"));
        String error = assertThrows(IllegalArgumentException.class, () -> places.chinese(null))
                .getMessage();
        List<String> command = new ArrayList<>(List.of("mvn", "-B", "-ntp", "-q"));
        Matcher remedy = Pattern.compile("mvn (dependency:copy \\S+ \\S+)").matcher(String.valueOf(error));
        assertTrue(remedy.find(), error);
        command.addAll(List.of(remedy.group(1).split(" ")));
        Programs.run(command, null);

        OnnxEmbedder embedder = new OnnxEmbedder(
                vertx, new SimpleMeterRegistry(), OnnxModel.bgeSmallChinese(places.chinese(null)), 0, TeamShare.ALL);
        float[] question = embedder.embedQuery("数据库多久备份一次？").await();
        List<float[]> texts = embedder.embedDocuments(List.of("备份任务每天晚上两点保存数据库。", "花园里的玫瑰在五月开放。"), EmbedListener.NONE)
                .await();
        assertEquals(512, question.length);
        assertTrue(
                cosine(question, texts.getFirst()) > cosine(question, texts.getLast()) + 0.1,
                cosine(question, texts.getFirst()) + " and " + cosine(question, texts.getLast()));
        embedder.close().await();
    }

    private static double cosine(float[] one, float[] other) {
        double sum = 0;
        for (int i = 0; i < one.length; i++) {
            sum += one[i] * other[i];
        }
        return sum;
    }
}
