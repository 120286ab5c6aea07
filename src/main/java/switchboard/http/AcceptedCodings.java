package switchboard.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Which codings of a response a client accepts (RFC 9110, 12.5.3). */
final class AcceptedCodings {
    /** A weight that is not zero, of the form that RFC 9110, 12.4.2 gives it. */
    private static final Pattern POSITIVE = Pattern.compile("(?:1(?:\\.0{0,3})?|0\\.(?=0{0,2}[1-9])\\d{1,3})");

    private AcceptedCodings() {}

    /** Whether the client accepts gzip. What it says of gzip itself counts before what it says of all codings. */
    static boolean gzip(HttpServerRequest request) {
        Optional<Boolean> any = Optional.empty();
        for (String header : request.headers().getAll(HttpHeaders.ACCEPT_ENCODING)) {
            for (String element : header.toLowerCase(Locale.ROOT).split(",")) {
                String[] said = element.split(";", 2);
                switch (said[0].strip()) {
                    case "gzip", "x-gzip" -> {
                        return accepted(said);
                    }
                    case "*" -> any = Optional.of(accepted(said));
                    default -> {} // a coding that is not offered
                }
            }
        }
        return any.orElse(false);
    }

    private static boolean accepted(String[] said) {
        if (said.length == 1) {
            return true;
        }
        String weight = said[1].strip();
        return weight.startsWith("q=")
                && POSITIVE.matcher(weight.substring(2).strip()).matches();
    }
}
