package switchboard.testing;

/**
 * How much the tests do that could go on for hours: a little in each build, all of it with {@code -Plong}. What a test claims
 * is the same in both.
 */
public final class LongRun {
    private static final boolean WANTED = Boolean.getBoolean("switchboard.long");

    private LongRun() {}

    /** How often: {@code usual} times, or {@code all} with {@code -Plong}. */
    public static int times(int usual, int all) {
        return either(usual, all);
    }

    /** What is done: {@code usual}, or {@code all} with {@code -Plong}. */
    public static <T> T either(T usual, T all) {
        return WANTED ? all : usual;
    }

    /** Does {@code more} with {@code -Plong}. */
    public static void only(Runnable more) {
        if (WANTED) {
            more.run();
        }
    }
}
