package switchboard.embed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.concurrent.TeamShare;
import switchboard.config.EmbedderConfig.Pooling;
import switchboard.telemetry.MetricNames;
import switchboard.testing.Eventually;
import switchboard.testing.logs.AsksForErrors;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(VertxExtension.class)
class OnnxEmbedderTest {
    private static final int REMEMBERED = 100;

    private Vertx vertx;
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private OnnxEmbedder embedder;

    @BeforeAll
    void nothingIsLoadedBeforeItIsNeeded(Vertx vertx) {
        this.vertx = vertx;
        embedder = new OnnxEmbedder(vertx, meters, OnnxModel.bgeSmall(), REMEMBERED, TeamShare.ALL);
        assertInstanceOf(ModelReadiness.Idle.class, embedder.readiness());
        embedder.warmUp().await();
        assertInstanceOf(ModelReadiness.Ready.class, embedder.readiness());
    }

    @AfterAll
    void close() {
        embedder.close().await();
        assertEquals(FailureKind.UNAVAILABLE, kind(embedder.embedQuery("x")));
    }

    private static FailureKind kind(Future<?> future) {
        return assertThrows(ToolException.class, future::await).failed().kind();
    }

    private float[] embed(String text) {
        return embedder.embedDocuments(List.of(text), EmbedListener.NONE)
                .await()
                .get(0);
    }

    private static double cosine(float[] a, float[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    @Test
    void vectorsHaveUnitLengthAndTheModelsDimension() {
        for (String text : List.of("", " ", "hello", "世界 🙂", "\uD800", "a\0b")) {
            float[] vector = embed(text);
            assertEquals(embedder.dimension(), vector.length);
            assertEquals(1, cosine(vector, vector), 1e-5, text);
        }
    }

    @Test
    void whatMeansTheSameIsNearer() {
        float[] question = embedder.embedQuery("How do I reset my password?").await();
        double near = cosine(question, embed("Click 'forgot password' to choose a new one."));
        double far = cosine(question, embed("The Alps were formed when Africa met Europe."));
        assertTrue(near > far + 0.15, near + " and " + far);
    }

    @Test
    void aTextsVectorIsTheSameWhateverElseIsEmbedded() {
        float[] alone = embed("the quick brown fox");
        List<String> many = new ArrayList<>();
        IntStream.range(0, 40).forEach(i -> many.add(i % 4 == 0 ? "the quick brown fox" : "text " + "word ".repeat(i)));
        List<Future<List<float[]>>> jobs = IntStream.range(0, 3)
                .mapToObj(i -> embedder.embedDocuments(many, EmbedListener.NONE))
                .toList();
        for (Future<List<float[]>> job : jobs) {
            List<float[]> vectors = job.await();
            for (int i = 0; i < 40; i += 4) {
                assertArrayEquals(alone, vectors.get(i));
            }
        }
        assertArrayEquals(alone, embedder.embedQuery("the quick brown fox").await());
    }

    private long embeddedQueries() {
        return meters.get(MetricNames.EMBEDDING_DURATION)
                .tag("kind", "query")
                .tag("model", embedder.model())
                .timer()
                .count();
    }

    @Test
    void aQueryThatManyAskAtOnceAndAgainIsEmbeddedOnce() {
        String query = "Which sources are asked together?";
        long before = embeddedQueries();
        List<Future<float[]>> asked =
                IntStream.range(0, 8).mapToObj(_ -> embedder.embedQuery(query)).toList();
        float[] first = asked.getFirst().await();
        asked.forEach(another -> assertArrayEquals(first, another.await()));
        embedder.embedQuery(query).await()[0] = 7;
        assertArrayEquals(first, embedder.embedQuery(query).await());
        assertEquals(before + 1, embeddedQueries());
    }

    @Test
    void whatIsTooLongIsCutAtItsEnd() {
        String full = "word ".repeat(embedder.maxTokens());
        assertEquals(embedder.maxTokens(), embedder.tokens().count(full));
        assertArrayEquals(embed(full), embed(full + "another ending altogether"));
        assertArrayEquals(embed(full), embed("word ".repeat(500_000)));
    }

    @Test
    void aJobIsFollowedAndEndsWhenCancelled() {
        List<Integer> progress = Collections.synchronizedList(new ArrayList<>());
        List<String> texts = Collections.nCopies(20, "text");
        embedder.embedDocuments(texts, new EmbedListener() {
                    @Override
                    public void embedded(int done) {
                        progress.add(done);
                    }
                })
                .await();
        assertEquals(
                IntStream.rangeClosed(1, 20).boxed().toList(),
                progress.stream().sorted().toList());

        AtomicInteger done = new AtomicInteger();
        Future<List<float[]>> cancelled =
                embedder.embedDocuments(Collections.nCopies(5000, "text"), new EmbedListener() {
                    @Override
                    public void embedded(int count) {
                        done.set(count);
                    }

                    @Override
                    public boolean cancelled() {
                        return done.get() >= 5;
                    }
                });
        assertEquals(FailureKind.CANCELLED, kind(cancelled));
        assertTrue(done.get() < 100, done + " were embedded");
        assertEquals(
                List.of(),
                embedder.embedDocuments(List.of(), EmbedListener.NONE).await());
    }

    @Test
    void tokensAreCountedAndPlacedInUtf16Units() {
        TokenCounter tokens = embedder.tokens();
        assertEquals(0, tokens.count(""));
        assertEquals(0, tokens.count(" \n"));
        String text = "🙂 hello 🙂 wörld";
        int[] starts = tokens.starts(text);
        assertEquals(text.indexOf("hello"), starts[1]);
        assertEquals(text.indexOf("wörld"), starts[starts.length - 1]);
        assertEquals(4, tokens.count("embeddings"), "em ##bed ##ding ##s");
    }

    @ParameterizedTest
    @ValueSource(strings = {"zxqwvbn", "asdfghjkl", "mnbvcxz", "vbnm qwer", "kjhgfd!", "q-w-r-t"})
    void slipsOfTheKeyboardAreSpelled(String text) {
        assertTrue(embedder.tokens().spells(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "SSO",
                "TLS",
                "C++",
                "...",
                "automobile",
                "chatbot",
                "mitochondria",
                "Krankenhaus",
                "get user",
                "中文字"
            })
    void wordsAndAbbreviationsAreNotSpelled(String text) {
        assertFalse(embedder.tokens().spells(text));
    }

    @Test
    void aLongTextHasTheTokensOfItsParts() {
        TokenCounter tokens = embedder.tokens();
        String part = "Lorem ipsum dolor sit amet, consectetur 🙂 adipiscing elit. ";
        int one = tokens.count(part);
        int[] starts = tokens.starts(part.repeat(5000));
        assertEquals(5000 * one, starts.length);
        for (int i = 0; i < 5000; i += 777) {
            assertEquals(i * part.length(), starts[i * one]);
        }
    }

    @AsksForErrors("OnnxEmbedder - Model missing can't be loaded")
    @Test
    void aModelThatIsNotThereIsAReasonNotACrash() {
        OnnxModel missing = new OnnxModel(
                "missing",
                new ModelFiles.OnClassPath("no.onnx", "no.json"),
                List.of(Pooling.CLS),
                384,
                512,
                "",
                "",
                ModelTraits.UNKNOWN);
        OnnxEmbedder broken = new OnnxEmbedder(vertx, meters, missing, REMEMBERED, TeamShare.ALL);
        assertEquals(FailureKind.UNAVAILABLE, kind(broken.embedQuery("x")));
        ModelReadiness.Failed failed = assertInstanceOf(ModelReadiness.Failed.class, broken.readiness());
        assertTrue(failed.reason().contains("missing can't be loaded"), failed.reason());
        assertEquals(FailureKind.UNAVAILABLE, kind(broken.embedDocuments(List.of("x"), EmbedListener.NONE)));
        broken.close().await();
    }

    @Test
    void anUnusedEmbedderClosesWithoutLoading() {
        OnnxEmbedder unused = new OnnxEmbedder(vertx, meters, OnnxModel.bgeSmall(), REMEMBERED, TeamShare.ALL);
        unused.close().await();
        assertEquals(FailureKind.UNAVAILABLE, kind(unused.warmUp()));
    }

    @Test
    void twoEmbeddersOfOneModelHaveMetricsOfTheirOwn() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        List<OnnxEmbedder> both = Stream.of("short", "long")
                .map(name -> new OnnxEmbedder(vertx, registry, name, OnnxModel.bgeSmall(), REMEMBERED, TeamShare.ALL))
                .toList();
        assertEquals(
                List.of("embed-document-long", "embed-document-short", "embed-query-long", "embed-query-short"),
                registry.find("switchboard.executor.running").gauges().stream()
                        .map(gauge -> gauge.getId().getTag("executor"))
                        .sorted()
                        .toList());
        both.forEach(embedder -> embedder.close().await());
    }

    @Test
    void closingInTheMidstOfManyTextsFinishesThoseUnderWayAndRefusesTheRest() {
        for (int round = 0; round < 5; round++) {
            OnnxEmbedder busy =
                    new OnnxEmbedder(vertx, new SimpleMeterRegistry(), OnnxModel.bgeSmall(), REMEMBERED, TeamShare.ALL);
            busy.warmUp().await();
            TokenCounter counter = busy.tokens();
            AtomicInteger done = new AtomicInteger();
            List<Future<?>> jobs = new ArrayList<>();
            for (int job = 0; job < 8; job++) {
                jobs.add(busy.embedDocuments(
                        Collections.nCopies(200, "text " + "word ".repeat(job * 20)), counting(done)));
                jobs.add(busy.embedQuery("query " + job));
            }
            Future<Integer> counted = vertx.executeBlocking(() -> counter.count("long text ".repeat(200_000)), false);
            int enough = round * 3;
            Eventually.within(Eventually.OF_A_PROCESS, () -> done.get() >= enough, () -> done + " texts are embedded");
            busy.close().await();
            int atClose = done.get();
            jobs.add(busy.embedQuery("later"));
            jobs.add(busy.warmUp().compose(_ -> busy.embedDocuments(List.of("later"), EmbedListener.NONE)));
            jobs.add(counted);
            for (Future<?> job : jobs) {
                Eventually.within(Eventually.OF_A_PROCESS, job::isComplete, () -> "every call ends");
                assertTrue(job.succeeded() || kind(job) == FailureKind.UNAVAILABLE, () -> String.valueOf(job.cause()));
            }
            assertTrue(atClose < 1600, "nothing was cut short");
            assertThrows(ToolException.class, () -> counter.count("later"));
            assertInstanceOf(ModelReadiness.Failed.class, busy.readiness());
        }
    }

    private static EmbedListener counting(AtomicInteger done) {
        return new EmbedListener() {
            @Override
            public void embedded(int count) {
                done.incrementAndGet();
            }
        };
    }
}
