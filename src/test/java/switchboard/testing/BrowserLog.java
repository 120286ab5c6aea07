package switchboard.testing;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.logging.LogEntry;
import switchboard.call.Json;

/** What a browser said and asked for since its page was opened. The driver gives each entry once, so they are kept here. */
final class BrowserLog {
    /** URLs with these schemes have their content in themselves, or in the page. */
    private static final Set<String> OF_THE_PAGE = Set.of("data", "blob", "about");

    private final ChromeDriver driver;
    private final List<String> errors = new ArrayList<>();
    private final List<String> requests = new ArrayList<>();

    BrowserLog(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Forgets what was before. */
    void clear() {
        read();
        errors.clear();
        requests.clear();
    }

    List<String> errors() {
        read();
        return List.copyOf(errors);
    }

    List<String> requests() {
        read();
        return List.copyOf(requests);
    }

    private void read() {
        for (LogEntry entry : driver.manage().logs().get("browser")) {
            if (entry.getLevel().intValue() >= Level.WARNING.intValue()) {
                errors.add(entry.getMessage());
            }
        }
        for (LogEntry entry : driver.manage().logs().get("performance")) {
            readRequest(entry.getMessage());
        }
    }

    private void readRequest(String event) {
        try {
            JsonNode message = Json.parse(event).path("message");
            JsonNode parameters = message.path("params");
            String url =
                    switch (message.path("method").asText()) {
                        case "Network.requestWillBeSent" ->
                            parameters.path("request").path("url").asText();
                        case "Network.webSocketCreated" ->
                            parameters.path("url").asText();
                        default -> "";
                    };
            if (!url.isEmpty() && !OF_THE_PAGE.contains(url.substring(0, Math.max(0, url.indexOf(':'))))) {
                requests.add(url);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
