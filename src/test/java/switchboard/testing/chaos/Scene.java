package switchboard.testing.chaos;

/** Calls that belong together, such as to write something, to find it and to remove it; played again and again. */
@FunctionalInterface
interface Scene {
    /** Plays it to the end, also when calls in it fail. */
    void play(Cast cast, int turn);
}
