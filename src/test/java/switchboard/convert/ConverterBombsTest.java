package switchboard.convert;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;
import switchboard.convert.Bombs.Bomb;

/** Small hostile files, and mutations of each, are text or a refusal: in bounded time and memory, with hardly a log line. */
class ConverterBombsTest {
    private static final int MUTATIONS = 12;
    private static final int MOST_LOGGED = 4_000;
    private static final long MOST_ALLOCATED = 4L << 30;
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private final Converter converter = new DocumentConverter();
    private final AtomicLong logged = new AtomicLong();
    private final AppenderBase<ILoggingEvent> log = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            logged.addAndGet(event.getFormattedMessage().length() + 100L);
        }
    };

    @BeforeEach
    void setUp() {
        log.start();
        root().addAppender(log);
    }

    @AfterEach
    void tearDown() {
        root().detachAppender(log);
    }

    static List<Bomb> bombs() throws IOException {
        return Bombs.all();
    }

    @ParameterizedTest
    @MethodSource("bombs")
    void isTextOrARefusal(Bomb bomb) {
        String refusal = outcome(bomb.name(), bomb.bytes());
        if (!bomb.refusal().isEmpty()) {
            assertTrue(refusal.matches("(?s).*(" + bomb.refusal() + ").*"), () -> "refused with: " + refusal);
        }
    }

    @ParameterizedTest
    @MethodSource("bombs")
    void mutationsAreTextOrARefusal(Bomb bomb) {
        long seed = Arrays.hashCode(bomb.bytes());
        Random random = new Random(seed);
        int mutations = bomb.bytes().length > 100_000 ? 2 : MUTATIONS;
        for (int i = 0; i < mutations; i++) {
            outcome(bomb.name(), mutated(bomb.bytes(), random));
        }
    }

    @Test
    void everyFormatHasABomb() throws IOException {
        List<String> names = Bombs.all().stream().map(Bomb::name).toList();
        for (Format format : Format.values()) {
            assertTrue(
                    names.stream()
                            .map(name -> new RawDocument(new byte[0], name, null))
                            .anyMatch(named -> Format.declared(named)
                                    .filter(format::equals)
                                    .isPresent()),
                    format::name);
        }
        assertEquals(names.size(), names.stream().distinct().count(), "two have one name");
    }

    /** The refusal, or {@code ""} for text. */
    private String outcome(String name, byte[] bytes) {
        logged.set(0);
        long deadline = System.nanoTime() + LONGEST.toNanos();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        ConvertLimits limits = new ConvertLimits(8 << 20, 32L << 20, () -> System.nanoTime() > deadline);
        String refusal = assertDoesNotThrow(() -> {
            try {
                ConvertedDocument converted = converter.convert(new RawDocument(bytes, name, null), limits);
                assertNotNull(new Chunker(Chunker::estimatedTokens, ChunkSizes.STANDARD).chunk(converted));
                return "";
            } catch (ConvertException e) {
                return e.explanation();
            }
        });
        assertTrue(System.nanoTime() - deadline < 0, () -> "took longer than " + LONGEST);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(allocated < MOST_ALLOCATED, () -> "made " + allocated + " bytes of objects");
        assertTrue(logged.get() <= MOST_LOGGED, () -> "logged " + logged + " bytes");
        return refusal;
    }

    private static byte[] mutated(byte[] bytes, Random random) {
        byte[] mutated = bytes.clone();
        switch (random.nextInt(4)) {
            case 0 -> mutated = Arrays.copyOf(mutated, random.nextInt(mutated.length));
            case 1 -> {
                int from = random.nextInt(mutated.length);
                int length = Math.min(mutated.length - from, 1 + random.nextInt(64));
                System.arraycopy(bytes, from, mutated, random.nextInt(mutated.length - length + 1), length);
            }
            case 2 -> Arrays.fill(mutated, random.nextInt(mutated.length), mutated.length, (byte) random.nextInt(256));
            case 3 -> {
                for (int i = 0; i < 8; i++) {
                    mutated[random.nextInt(mutated.length)] = (byte) random.nextInt(256);
                }
            }
            default -> throw new AssertionError();
        }
        return mutated;
    }

    private static Logger root() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }
}
