package switchboard.federation;

/** Counts what a text costs a model; takes about a microsecond for ten characters, so not for an event loop. */
@FunctionalInterface
public interface TokenCount {
    /** The tokens of {@code text}, but at most {@code most + 1}: more than that need not be counted. */
    int of(String text, int most);
}
