package switchboard.app.command;

import java.util.ArrayList;
import java.util.List;

/** The findings of {@code doctor}, in the order of its checks. */
final class DoctorReport {
    private final List<String> lines = new ArrayList<>();
    private boolean sound = true;

    /** Adds a check that passed. */
    void good(String what, String detail) {
        lines.add("ok   " + what + ": " + detail);
    }

    /**
     * Adds a check that failed.
     *
     * @param problem why, and what to do
     */
    void bad(String what, String problem) {
        lines.add("BAD  " + what + ": " + problem);
        sound = false;
    }

    /** Whether all checks passed. */
    boolean sound() {
        return sound;
    }

    /** One line for each finding. */
    List<String> lines() {
        return List.copyOf(lines);
    }
}
