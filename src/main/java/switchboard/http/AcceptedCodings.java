package switchboard.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import switchboard.protocol.AcceptElement;

/** Which codings of a response a client accepts (RFC 9110, 12.5.3). */
final class AcceptedCodings {
    private AcceptedCodings() {}

    /** Whether the client accepts gzip. What it says of gzip itself counts before what it says of all codings. */
    static boolean gzip(HttpServerRequest request) {
        boolean any = false;
        for (String header : request.headers().getAll(HttpHeaders.ACCEPT_ENCODING)) {
            for (AcceptElement coding : AcceptElement.of(header)) {
                switch (coding.name()) {
                    case "gzip", "x-gzip" -> {
                        return !coding.refused();
                    }
                    case "*" -> any = !coding.refused();
                    default -> {} // a coding that is not offered
                }
            }
        }
        return any;
    }
}
