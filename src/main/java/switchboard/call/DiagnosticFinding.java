package switchboard.call;

/**
 * Something that an operator should know about a backend's engine.
 *
 * @param sound whether it is as it should be
 * @param about what it is about, in a word: {@code engine}, {@code key}, {@code clock}
 * @param detail what was found and, if it is not sound, what to do; without credentials
 */
public record DiagnosticFinding(boolean sound, String about, String detail) {
    /** {@code about} is as it should be. */
    public static DiagnosticFinding good(String about, String detail) {
        return new DiagnosticFinding(true, about, detail);
    }

    /** {@code about} is not; {@code detail} says what to do. */
    public static DiagnosticFinding bad(String about, String detail) {
        return new DiagnosticFinding(false, about, detail);
    }
}
