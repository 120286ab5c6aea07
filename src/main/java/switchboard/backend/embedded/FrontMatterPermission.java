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
    private static final String TOML = "+++";

    /** What may be between a key and what is around it. */
    private static final String AROUND = " \t\"'?";

    /**
     * Reads {@code text}.
     *
     * @throws IllegalArgumentException that says what is wrong and how to mend it: {@code allow} names no readers, or is in front
     *     matter that can't be read
     */
    public static FrontMatterPermission of(String text) {
        String lines =
                text.indexOf('\r') < 0 ? text : text.replace("\r\n", "\n").replace('\r', '\n');
        try {
            return read(lines).orElseGet(() -> new FrontMatterPermission(AllowedReaders.ALL, text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the allow in its front matter can't be used: " + e.getMessage(), e);
        }
    }

    private static Optional<FrontMatterPermission> read(String lines) {
        Optional<FrontMatterBlock> block = FrontMatterBlock.of(lines);
        if (block.isEmpty()) {
            checkUnread(lines);
            return Optional.empty();
        }
        String inside = lines.substring(block.get().body(), block.get().close());
        return entry(inside)
                .map(found -> new FrontMatterPermission(
                        found.readers(), found.alone() ? without(lines, block.get(), inside, found) : lines));
    }

    /** Front matter that is not read is refused if it seems to set {@code allow}. */
    private static void checkUnread(String lines) {
        int open = FrontMatterBlock.start(lines);
        String fence = FrontMatterBlock.line(lines, open);
        if (!fence.equals(FrontMatterBlock.FENCE) && !fence.equals(TOML)) {
            return;
        }
        int body = FrontMatterBlock.after(lines, open);
        int close = FrontMatterBlock.close(lines, body, fence);
        String inside = lines.substring(body, close < 0 ? lines.length() : close);
        if (!mentions(inside, fence.equals(TOML) ? '=' : ':')) {
            return;
        }
        if (fence.equals(TOML)) {
            throw new IllegalArgumentException(
                    "front matter that begins with +++ is not read; write YAML between two lines ---");
        }
        throw new IllegalArgumentException(
                close < 0
                        ? "the front matter has no end; write a line --- below it"
                        : "the front matter is longer than " + FrontMatterBlock.MAX_LENGTH + " characters; shorten it");
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
        while (before >= 0 && AROUND.indexOf(line.charAt(before)) >= 0) {
            before--;
        }
        int behind = at + PermissionYaml.ALLOW.length();
        while (behind < line.length() && AROUND.indexOf(line.charAt(behind)) >= 0) {
            behind++;
        }
        return (before < 0 || "{,".indexOf(line.charAt(before)) >= 0)
                && behind < line.length()
                && line.charAt(behind) == assignment;
    }

    private static String without(
            String lines, FrontMatterBlock block, String inside, PermissionYaml.AllowEntry entry) {
        List<String> all = inside.lines().toList();
        StringBuilder kept = new StringBuilder();
        for (int i = 0; i < all.size(); i++) {
            if (i < entry.first() || i > entry.last()) {
                kept.append(all.get(i)).append('\n');
            }
        }
        if (!kept.toString().isBlank()) {
            return lines.substring(0, block.body()) + kept + lines.substring(block.close());
        }
        String rest = lines.substring(block.end());
        int start = FrontMatterBlock.start(rest);
        return rest.substring(start < rest.length() ? start : 0);
    }
}
