package switchboard.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.FailureKind;
import switchboard.call.Health;
import switchboard.call.ToolException;
import switchboard.concurrent.TeamShare;
import switchboard.config.EmbedderConfig;
import switchboard.config.EmbedderConfig.EmbedderProvider;

/** Where the model in the box can run, what is said where it can't, and what happens when a library does not load. */
@ExtendWith(VertxExtension.class)
class NativePlatformTest {
    private static final NativePlatform OLD_MAC = new NativePlatform("Mac OS X", "x86_64");

    private Vertx vertx;

    @BeforeEach
    void open(Vertx vertx) {
        this.vertx = vertx;
    }

    @ParameterizedTest
    @CsvSource({"Linux, amd64", "Linux, aarch64", "Mac OS X, aarch64", "Windows 11, amd64", "Windows Server 2025, amd64"
    })
    void theModelRunsWhereBothItsLibrariesHaveFiles(String os, String arch) {
        assertEquals(Optional.empty(), new NativePlatform(os, arch).missingModelLibrary());
    }

    @ParameterizedTest
    @CsvSource({"Mac OS X, x86_64", "Windows 11, aarch64", "Linux, riscv64", "Linux, x86", "FreeBSD, amd64", "'', ''"})
    void elsewhereItSaysWhichLibraryIsMissing(String os, String arch) {
        String reason = new NativePlatform(os, arch).missingModelLibrary().orElseThrow();
        assertEquals(
                "The shipped embedding model can't run on " + os + " " + arch
                        + ": ONNX Runtime has no native library for it.",
                reason);
    }

    @Test
    void thisProcessRunsOnAPlatformThatHasThem() {
        assertEquals(Optional.empty(), NativePlatform.current().missingModelLibrary());
    }

    @Test
    void whereTheModelCannotRunBackendsWorkWithoutVectorsAndReadinessSaysWhy() {
        Embedders embedders = factory().create(Map.of());
        assertEquals(Map.of(), embedders.readiness(), "nobody uses it yet");
        assertEquals(Optional.empty(), embedders.find(Embedders.DEFAULT));
        embedders.warmUp();
        String reason = assertInstanceOf(
                        ModelReadiness.Failed.class, embedders.readiness().get(Embedders.DEFAULT))
                .reason();
        assertTrue(reason.startsWith("The shipped embedding model can't run on Mac OS X x86_64"), reason);
        assertTrue(reason.contains("search is by keyword only"), reason);
        assertEquals(
                Health.down(reason), embedders.check().get(Embedders.DEFAULT).await(), "doctor says it, too");
        IllegalArgumentException unknown = assertThrows(IllegalArgumentException.class, () -> embedders.find("other"));
        assertTrue(unknown.getMessage().contains("there are default"), unknown::getMessage);
        embedders.close().await();
    }

    @Test
    void embeddersOfOtherProvidersWorkThere() {
        Embedders embedders = factory()
                .create(Map.of("default", config(EmbedderProvider.OLLAMA), "box", config(EmbedderProvider.ONNX)));
        assertTrue(embedders.find("default").isPresent());
        assertFalse(embedders.find("box").isPresent());
        embedders.close().await();
    }

    private static EmbedderConfig config(EmbedderProvider provider) {
        return new EmbedderConfig(
                provider,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                2,
                Duration.ofSeconds(1),
                0,
                List.of(),
                List.of(),
                null,
                null);
    }

    private EmbedderFactory factory() {
        return new EmbedderFactory(
                vertx,
                new SimpleMeterRegistry(),
                Clock.systemUTC(),
                TeamShare.ALL,
                new ModelFolders(Path.of(""), List.of()),
                OLD_MAC);
    }

    /** Such as on a system without glibc: the file is there, and the system refuses it. */
    @Test
    void aLibraryThatDoesNotLoadIsUnavailableWithWhatToDoAndIsNotTriedAgain() {
        AtomicInteger tries = new AtomicInteger();
        OnnxEmbedder embedder = embedder(new NativeModelLoader() {
            @Override
            public HuggingFaceTokenCounter tokenizer(ModelFiles files) {
                tries.incrementAndGet();
                throw new UnsatisfiedLinkError("/tmp/secret-place/libtokenizers.so: libm.so.6: not found");
            }

            @Override
            public LoadedModel model(OnnxModel model, HuggingFaceTokenCounter tokens) {
                throw new AssertionError("the tokenizer comes first");
            }
        });
        List<ToolException> failures = new ArrayList<>();
        failures.add(assertThrows(ToolException.class, () -> embedder.warmUp().await()));
        failures.add(
                assertThrows(ToolException.class, () -> embedder.embedQuery("x").await()));
        assertEquals(1, tries.get());
        failures.add(assertThrows(ToolException.class, () -> embedder.tokens().count("a text that is cut")));
        for (ToolException failure : failures) {
            assertEquals(FailureKind.UNAVAILABLE, failure.failed().kind());
            assertTrue(failure.getMessage().contains("its native library does not load on"), failure::getMessage);
            assertTrue(failure.getMessage().contains("embedders.default.provider"), failure::getMessage);
            assertFalse(failure.getMessage().contains("secret-place"), failure::getMessage);
        }
        assertInstanceOf(ModelReadiness.Failed.class, embedder.readiness());
        embedder.close().await();
    }

    @Test
    void theSameHoldsForTheRuntimeOfTheModel() {
        OnnxEmbedder embedder = embedder(new NativeModelLoader() {
            @Override
            public HuggingFaceTokenCounter tokenizer(ModelFiles files) throws IOException {
                return NativeModelLoader.LIBRARIES.tokenizer(files);
            }

            @Override
            public LoadedModel model(OnnxModel model, HuggingFaceTokenCounter tokens) throws OrtException {
                throw new NoClassDefFoundError("Could not initialize class ai.onnxruntime.OrtEnvironment");
            }
        });
        ToolException failure =
                assertThrows(ToolException.class, () -> embedder.embedQuery("x").await());
        assertEquals(FailureKind.UNAVAILABLE, failure.failed().kind());
        assertTrue(failure.getMessage().contains("does not load"), failure::getMessage);
        assertTrue(embedder.tokens().count("cut by tokens") > 0, "the tokenizer works");
        embedder.close().await();
    }

    /** Its thread may be interrupted then, and fail in whatever way. */
    @Test
    void aModelThatIsClosedWhileItLoadsIsNotCalledUnloadable() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        OnnxEmbedder embedder = embedder(new NativeModelLoader() {
            @Override
            public HuggingFaceTokenCounter tokenizer(ModelFiles files) {
                begun.countDown();
                try {
                    assertTrue(closing.await(1, TimeUnit.MINUTES));
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                throw new UnsatisfiedLinkError("interrupted");
            }

            @Override
            public LoadedModel model(OnnxModel model, HuggingFaceTokenCounter tokens) {
                throw new AssertionError("the tokenizer comes first");
            }
        });
        Future<Void> loading = embedder.warmUp();
        assertTrue(begun.await(1, TimeUnit.MINUTES));
        Future<Void> closed = embedder.close();
        closing.countDown();
        closed.await();
        ToolException failure = assertThrows(ToolException.class, loading::await);
        assertEquals(FailureKind.UNAVAILABLE, failure.failed().kind());
        assertFalse(failure.getMessage().contains("does not load"), failure::getMessage);
    }

    private OnnxEmbedder embedder(NativeModelLoader loader) {
        return new OnnxEmbedder(
                vertx, new SimpleMeterRegistry(), Embedders.DEFAULT, OnnxModel.bgeSmall(), 10, TeamShare.ALL, loader);
    }
}
