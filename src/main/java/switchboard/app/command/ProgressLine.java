package switchboard.app.command;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Progress of work, formatted as one line of a terminal.
 *
 * @param task name of the work
 * @param done steps done
 * @param total steps in all; 0 if not known
 * @param what the last step
 * @param secondsLeft estimated remaining seconds; {@code null} if not known
 */
record ProgressLine(
        String task,
        long done,
        long total,
        String what,
        @Nullable Long secondsLeft) {
    private static final int BAR = 20;
    private static final String CUT = "...";
    private static final int SHORTEST = 8;

    /**
     * The line in fewer than {@code columns} columns, because a full line wraps on some terminals. Parts are left out
     * in this order: remaining time, last step, bar, task.
     */
    String in(int columns) {
        int room = columns - 1;
        String count = total > 0
                ? String.format(Locale.ROOT, "%3d%% %d/%d", Math.min(100, 100 * done / total), done, total)
                : Long.toString(done);
        String line = plain(task) + " " + count.strip();
        if (columnsOf(line) > room) {
            return start(count.strip(), room);
        }
        if (total > 0 && columnsOf(line) + BAR + 5 <= room) {
            int full = (int) Math.min(BAR, BAR * done / total);
            line = plain(task) + " [" + "#".repeat(full) + " ".repeat(BAR - full) + "] " + count;
        }
        String left = secondsLeft == null ? "" : ", " + time(secondsLeft) + " left";
        if (columnsOf(line) + left.length() <= room) {
            line += left;
        }
        int rest = room - columnsOf(line) - 1;
        return what.isEmpty() || rest < SHORTEST ? line : line + " " + end(plain(what), rest);
    }

    private static String time(long seconds) {
        return seconds < 3600
                ? String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60)
                : String.format(Locale.ROOT, "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
    }

    /** Replaces control characters, because names of files may contain escape sequences. */
    private static String plain(String text) {
        StringBuilder plain = new StringBuilder();
        text.codePoints()
                .map(c -> switch (Character.getType(c)) {
                    case Character.CONTROL,
                            Character.FORMAT,
                            Character.SURROGATE,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR -> '?';
                    default -> c;
                })
                .forEach(plain::appendCodePoint);
        return plain.toString();
    }

    private static String start(String text, int room) {
        return text.substring(0, Math.clamp(room, 0, text.length()));
    }

    /** Cuts the beginning of {@code text}: the end of a path says more. */
    private static String end(String text, int room) {
        if (columnsOf(text) <= room) {
            return text;
        }
        int from = text.length();
        int wide = CUT.length();
        while (from > 0) {
            int before = text.codePointBefore(from);
            wide += columnsOf(before);
            if (wide > room) {
                break;
            }
            from -= Character.charCount(before);
        }
        return CUT + text.substring(from);
    }

    /** How many columns of a terminal {@code text} takes. */
    static int columnsOf(String text) {
        return text.codePoints().map(ProgressLine::columnsOf).sum();
    }

    /** Never too few: a character that may be wide counts as two columns. */
    private static int columnsOf(int c) {
        return c < 0x1100 ? 1 : 2;
    }
}
