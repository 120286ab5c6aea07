package switchboard.call;

/**
 * A finding about a backend's engine, for operators.
 *
 * @param sound whether it is in order
 * @param about the subject, a word: {@code engine}, {@code key}, {@code clock}
 * @param detail what was found and, if there is a problem, what to do; without credentials
 */
public record DiagnosticFinding(boolean sound, String about, String detail) {
    /** {@code about} is in order. */
    public static DiagnosticFinding good(String about, String detail) {
        return new DiagnosticFinding(true, about, detail);
    }

    /** {@code about} has a problem; {@code detail} says what to do. */
    public static DiagnosticFinding bad(String about, String detail) {
        return new DiagnosticFinding(false, about, detail);
    }
}
