package switchboard.http;

import io.vertx.core.http.HttpMethod;

/** What operators change while the gateway runs: a thing that PUT sets and DELETE puts back. */
interface OperatorRoute {
    /** Whether {@code path} is one of this route. */
    boolean matches(String path);

    /** What {@code PUT} and {@code DELETE} do, for those who send something else. */
    String usage();

    /** Does what {@code method}, PUT or DELETE, says for a path that {@link #matches}; {@code body} may be empty. */
    ChangeResult handle(HttpMethod method, String path, byte[] body);

    /** The result of a change. */
    sealed interface ChangeResult {
        /** The change is made; the answer is the state of the gateway. */
        record Done() implements ChangeResult {}

        /** The change was refused; nothing has changed. */
        record NotDone(HttpError refusal) implements ChangeResult {
            NotDone(int status, String message) {
                this(new HttpError(status, message));
            }
        }
    }
}
