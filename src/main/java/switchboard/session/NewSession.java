package switchboard.session;

/**
 * A session that was just created.
 *
 * @param id its id: 32 visible ASCII characters, not guessable. The store keeps only its digest.
 * @param <S> the type of the session's state
 */
public record NewSession<S>(String id, Session<S> session) {
    /** Does not contain the id. */
    @Override
    public String toString() {
        return "NewSession[owner=" + session.owner() + "]";
    }
}
