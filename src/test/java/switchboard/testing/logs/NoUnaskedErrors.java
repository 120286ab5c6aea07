package switchboard.testing.logs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;
import switchboard.testing.OneAtATime;

/**
 * Fails every test that makes anything write a line of level ERROR or a stack trace without having asked for it with
 * {@link AsksForErrors}. Among them is what a Vert.x context reports as unhandled, what a thread does not catch, and what a
 * {@link switchboard.testing.GatewayProcess} has written. {@code target/unasked-log-lines.txt} has all of them.
 *
 * <p>Found by JUnit for all tests. What comes between two tests belongs to the class that was running. What a class of
 * another engine writes fails the next class.
 */
public final class NoUnaskedErrors implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    private static final Path REPORT = Path.of("target", "unasked-log-lines.txt");

    @Override
    public void beforeAll(ExtensionContext context) {
        Thread.setDefaultUncaughtExceptionHandler(LogWatch::uncaught);
        check("before " + context.getDisplayName(), Stream.empty());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        check(
                context.getRequiredTestClass().getSimpleName() + "."
                        + context.getRequiredTestMethod().getName(),
                asked(context));
    }

    @Override
    public void afterAll(ExtensionContext context) {
        // What is still under way when its test has ended is any of this class's.
        Class<?> type = context.getRequiredTestClass();
        Stream<String> methods = Stream.of(type.getDeclaredMethods()).flatMap(method -> asked(Optional.of(method)));
        check(type.getSimpleName(), Stream.concat(methods, asked(context)));
    }

    private static Stream<String> asked(ExtensionContext context) {
        Stream<String> here = asked(context.getElement());
        return context.getParent()
                .map(parent -> Stream.concat(here, asked(parent)))
                .orElse(here);
    }

    private static Stream<String> asked(Optional<? extends java.lang.reflect.AnnotatedElement> element) {
        return AnnotationSupport.findAnnotation(element, AsksForErrors.class)
                .map(asked -> Stream.of(asked.value()))
                .orElse(Stream.empty());
    }

    private static void check(String test, Stream<String> asked) {
        List<Pattern> patterns = asked.map(Pattern::compile).toList();
        List<String> unasked = LogWatch.take().stream()
                .filter(line -> patterns.stream()
                        .noneMatch(pattern -> pattern.matcher(line).find()))
                .toList();
        if (unasked.isEmpty()) {
            return;
        }
        report(test, unasked);
        throw new AssertionError(test + " made " + unasked.size()
                + " lines be written that it has not asked for (@AsksForErrors):\n"
                + String.join("\n", unasked));
    }

    private static void report(String test, List<String> lines) {
        try {
            Path lock = Files.createDirectories(REPORT.getParent()).resolve(REPORT.getFileName() + ".lock");
            OneAtATime.with(
                    lock,
                    () -> Files.writeString(
                            REPORT,
                            "== " + test + "\n" + String.join("\n", lines) + "\n",
                            StandardOpenOption.CREATE,
                            StandardOpenOption.APPEND));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
