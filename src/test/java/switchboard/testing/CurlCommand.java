package switchboard.testing;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A curl command as documentation prints it: {@code -X}, {@code -H}, {@code -d} and a URL, quoted as for a shell. */
public final class CurlCommand {
    private final HttpRequest request;

    private CurlCommand(HttpRequest request) {
        this.request = request;
    }

    /** The command in {@code text}; lines that are comments are left out. */
    public static CurlCommand parse(String text) {
        List<String> words =
                words(text.lines().filter(line -> !line.startsWith("#")).reduce("", (all, line) -> all + line + "\n"));
        HttpRequest.Builder request = HttpRequest.newBuilder();
        HttpRequest.BodyPublisher body = HttpRequest.BodyPublishers.noBody();
        String method = "";
        for (int i = 1; i < words.size(); i++) {
            switch (words.get(i)) {
                case "-X" -> method = words.get(++i);
                case "-H" -> {
                    String[] header = words.get(++i).split(":", 2);
                    request.setHeader(header[0].strip(), header[1].strip());
                }
                case "-d" -> {
                    body = HttpRequest.BodyPublishers.ofString(words.get(++i), StandardCharsets.UTF_8);
                    method = method.isEmpty() ? "POST" : method;
                }
                case "-s" -> {}
                default -> request.uri(URI.create(words.get(i)));
            }
        }
        return new CurlCommand(
                request.method(method.isEmpty() ? "GET" : method, body).build());
    }

    /** Sends it, as curl would: with no more headers than it says. */
    public HttpReply run() {
        try (HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            return new HttpReply(response.statusCode(), response.headers(), response.body());
        } catch (IOException e) {
            throw new AssertionError("no answer to " + request, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** The words of a POSIX shell, as far as quotes and escaped line ends go. */
    public static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inside = false;
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            char next = text.charAt(i);
            if (quote != 0) {
                if (next == quote) {
                    quote = 0;
                } else {
                    word.append(next);
                }
            } else if (next == '\'' || next == '"') {
                quote = next;
                inside = true;
            } else if (next == '\\' && i + 1 < text.length() && text.charAt(i + 1) == '\n') {
                i++;
            } else if (Character.isWhitespace(next)) {
                if (inside) {
                    words.add(word.toString());
                    word.setLength(0);
                    inside = false;
                }
            } else {
                word.append(next);
                inside = true;
            }
        }
        if (inside) {
            words.add(word.toString());
        }
        return words;
    }
}
