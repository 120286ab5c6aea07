package switchboard.http;

import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;

/** A setting that operators change at run time: PUT sets it and DELETE resets it. */
interface OperatorRoute {
    /** Whether {@code path} belongs to this route. */
    boolean matches(String path);

    /** Describes {@code PUT} and {@code DELETE}, for requests with another method. */
    String usage();

    /** Executes {@code method}, PUT or DELETE, for a path that {@link #matches}. {@code body} may be empty. Never fails. */
    Future<ChangeResult> handle(HttpMethod method, String path, byte[] body);

    /** The result of a change. */
    sealed interface ChangeResult {
        /** The change was made. The answer shows the state of the gateway. */
        record Done() implements ChangeResult {}

        /** The change was refused, and nothing has changed. */
        record NotDone(HttpError refusal) implements ChangeResult {
            NotDone(int status, String message) {
                this(new HttpError(status, message));
            }
        }
    }
}
