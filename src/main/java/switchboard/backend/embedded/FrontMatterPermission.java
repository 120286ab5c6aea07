package switchboard.backend.embedded;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import switchboard.store.AllowedReaders;

/**
 * What a text says about its readers: {@code allow} in its front matter, which is the YAML between two lines {@code ---} at
 * its start.
 *
 * @param readers who may read it; everyone if it says nothing
 * @param text the text without {@code allow}, so that another permission is no other text; front matter with nothing else is
 *     left out. A text without it is as it was
 */
public record FrontMatterPermission(AllowedReaders readers, String text) {
    private static final String FENCE = "---";
    private static final String TOML = "+++";

    /** What may be between a key and what is around it. */
    private static final String BEFORE = " \t\"'?";

    /**
     * Reads {@code text}.
     *
     * @throws IllegalArgumentException that says what is wrong and how to mend it: {@code allow} names no readers, or is in front
     *     matter that can't be read
     */
    public static FrontMatterPermission of(String text) {
        String lines =
                text.indexOf('\r') < 0 ? text : text.replace("\r\n", "\n").replace('\r', '\n');
        int open = start(lines);
        String fence = line(lines, open);
        if (!fence.equals(FENCE) && !fence.equals(TOML)) {
            return new FrontMatterPermission(AllowedReaders.ALL, text);
        }
        int body = after(lines, open);
        int close = close(lines, body, fence);
        String inside = lines.substring(body, close < 0 ? lines.length() : close);
        try {
            return read(lines, open, body, close, inside).orElse(new FrontMatterPermission(AllowedReaders.ALL, text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("its front matter has a wrong allow: " + e.getMessage(), e);
        }
    }

    private static Optional<FrontMatterPermission> read(String lines, int open, int body, int close, String inside) {
        if (!line(lines, open).equals(FENCE)) {
            return refused(
                    inside, '=', "front matter that begins with +++ is not read; write YAML between two lines ---");
        }
        if (close < 0) {
            return refused(inside, ':', "the front matter has no end; write a line --- below it");
        }
        if (inside.length() > PermissionYaml.MAX_LENGTH) {
            return refused(
                    inside,
                    ':',
                    "the front matter is longer than " + PermissionYaml.MAX_LENGTH + " characters; shorten it");
        }
        Optional<PermissionYaml.AllowEntry> entry = entry(inside);
        return entry.map(found -> new FrontMatterPermission(
                found.readers(), found.alone() ? without(lines, body, close, inside, found) : lines));
    }

    private static Optional<PermissionYaml.AllowEntry> entry(String inside) {
        try {
            PermissionYaml.Mapping mapping = PermissionYaml.read(inside);
            if (mapping.entry().isEmpty() && mapping.others().contains("<<") && mentions(inside, ':')) {
                throw new IllegalArgumentException("keys that are merged with << are not read; write allow itself");
            }
            return mapping.entry();
        } catch (PermissionYaml.NoMappingException e) {
            // Text between two rules that is not YAML is text, unless it may have been meant to keep somebody out.
            if (mentions(inside, ':')) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private static <T> Optional<T> refused(String inside, char assignment, String why) {
        if (mentions(inside, assignment)) {
            throw new IllegalArgumentException(why);
        }
        return Optional.empty();
    }

    /** Whether {@code text} sets {@code allow}, as it seems: at the start of a line, or behind a brace or a comma. */
    private static boolean mentions(String text, char assignment) {
        return text.lines().map(line -> line.toLowerCase(Locale.ROOT)).anyMatch(line -> {
            int at = line.indexOf(PermissionYaml.ALLOW);
            while (at >= 0 && !sets(line, at, assignment)) {
                at = line.indexOf(PermissionYaml.ALLOW, at + 1);
            }
            return at >= 0;
        });
    }

    private static boolean sets(String line, int at, char assignment) {
        int before = at - 1;
        while (before >= 0 && BEFORE.indexOf(line.charAt(before)) >= 0) {
            before--;
        }
        int behind = at + PermissionYaml.ALLOW.length();
        while (behind < line.length() && BEFORE.indexOf(line.charAt(behind)) >= 0) {
            behind++;
        }
        return (before < 0 || "{,".indexOf(line.charAt(before)) >= 0)
                && behind < line.length()
                && line.charAt(behind) == assignment;
    }

    private static String without(String lines, int body, int close, String inside, PermissionYaml.AllowEntry entry) {
        List<String> all = inside.lines().toList();
        StringBuilder kept = new StringBuilder();
        for (int i = 0; i < all.size(); i++) {
            if (i < entry.first() || i > entry.last()) {
                kept.append(all.get(i)).append('\n');
            }
        }
        if (!kept.toString().isBlank()) {
            return lines.substring(0, body) + kept + lines.substring(close);
        }
        String rest = lines.substring(after(lines, close));
        int start = start(rest);
        return rest.substring(start < rest.length() ? start : 0);
    }

    /** Where the first line begins that is not blank, behind a byte order mark. */
    private static int start(String lines) {
        int at = lines.startsWith("\uFEFF") ? 1 : 0;
        while (at < lines.length() && line(lines, at).isBlank()) {
            at = after(lines, at);
        }
        return at;
    }

    private static int close(String lines, int body, String fence) {
        for (int at = body; at < lines.length(); at = after(lines, at)) {
            String line = line(lines, at);
            if (line.equals(fence) || (fence.equals(FENCE) && line.equals("..."))) {
                return at;
            }
        }
        return -1;
    }

    /** The line that begins at {@code at}, without space at its end. */
    private static String line(String lines, int at) {
        int end = lines.indexOf('\n', at);
        return lines.substring(at, end < 0 ? lines.length() : end).stripTrailing();
    }

    private static int after(String lines, int at) {
        int end = lines.indexOf('\n', at);
        return end < 0 ? lines.length() : end + 1;
    }
}
