package switchboard.app.command;

import java.util.ArrayList;
import java.util.List;

/** What {@code doctor} finds, in the order in which it looked. */
final class DoctorReport {
    private final List<String> lines = new ArrayList<>();
    private boolean sound = true;

    /** {@code what} is as it should be. */
    void good(String what, String detail) {
        lines.add("ok   " + what + ": " + detail);
    }

    /** {@code what} is not; {@code problem} says why and what to do. */
    void bad(String what, String problem) {
        lines.add("BAD  " + what + ": " + problem);
        sound = false;
    }

    /** Whether nothing is wrong. */
    boolean sound() {
        return sound;
    }

    /** A line for each finding. */
    List<String> lines() {
        return List.copyOf(lines);
    }
}
