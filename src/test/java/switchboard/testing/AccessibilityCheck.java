package switchboard.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.openqa.selenium.chrome.ChromeDriver;

/** axe-core in the page of a browser. The driver runs it, so no policy of the page forbids it. */
final class AccessibilityCheck {
    private static final String SCRIPT = script();

    /** Without preload: it would read style sheets again, which a policy may forbid. */
    private static final String RUN = """
            const done = arguments[0];
            const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];
            axe.run(document, {runOnly: {type: 'tag', values: tags}, resultTypes: ['violations'], preload: false}).then(
                result => done(result.violations.flatMap(rule => rule.nodes.map(
                    node => rule.id + ' ' + node.target.join(' ') + ': ' + node.failureSummary.replace(/\\s+/g, ' ')))),
                error => done('axe failed: ' + error));
            """;

    private AccessibilityCheck() {}

    private static String script() {
        try (InputStream script = AccessibilityCheck.class.getResourceAsStream("/axe.min.js")) {
            return new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> findings(ChromeDriver driver) {
        if (!(Boolean) driver.executeScript("return typeof axe === 'object'")) {
            driver.executeScript(SCRIPT);
        }
        Object found = driver.executeAsyncScript(RUN);
        if (found instanceof List<?> list) {
            return list.stream().map(String::valueOf).toList();
        }
        throw new AssertionError(found);
    }
}
