package switchboard.auth;

/**
 * An access token as a request shows it.
 *
 * @param scheme how it is sent
 * @param text the token, a secret
 * @param view the requested view; may not exist
 * @param possession what else the request shows
 */
record ShownToken(TokenScheme scheme, String text, String view, Possession possession) {
    /** Does not contain the token. */
    @Override
    public String toString() {
        return "ShownToken[" + scheme + ", view=" + view + ", " + possession + "]";
    }
}
