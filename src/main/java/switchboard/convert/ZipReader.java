package switchboard.convert;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * Converts a zip archive to one Markdown document: each readable entry below a heading with its name, then the names
 * of the others. Nested archives are never opened, because some contain themselves.
 */
final class ZipReader {
    private static final int MAX_ENTRIES = 2000;

    private final Converter entries;

    /** A reader that converts entries with {@code entries}, which must refuse archives. */
    ZipReader(Converter entries) {
        this.entries = entries;
    }

    ConvertedDocument read(RawDocument rawDocument, ConvertLimits limits) throws ConvertException {
        StringBuilder text = new StringBuilder();
        List<String> left = new ArrayList<>();
        long unpacked = 0;
        int count = 0;
        int read = 0;
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(rawDocument.bytes()))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                limits.check();
                if (++count > MAX_ENTRIES) {
                    throw new ConvertException(
                            ConvertException.Reason.TOO_LARGE, "the archive has more than " + MAX_ENTRIES + " entries");
                }
                byte[] bytes =
                        zip.readNBytes((int) Math.min(Integer.MAX_VALUE - 8, limits.maxUnpacked() - unpacked + 1));
                unpacked += bytes.length;
                if (unpacked > limits.maxUnpacked()) {
                    throw limits.tooMuchUnpacked();
                }
                if (!entry.isDirectory()) {
                    read += append(new RawDocument(bytes, entry.getName(), null), text, left, limits) ? 1 : 0;
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            TemporaryFileCheck.check(e);
            throw new ConvertException(
                    ConvertException.Reason.UNREADABLE, "the archive is damaged, truncated or protected by a password");
        }
        if (read == 0) {
            throw new ConvertException(
                    ConvertException.Reason.UNREADABLE, "the archive holds no document that can be read");
        }
        if (!left.isEmpty()) {
            text.append("Not read: ").append(String.join(", ", left)).append('\n');
        }
        return ConvertedDocument.of(text.toString(), ConvertedDocument.Markup.MARKDOWN, null);
    }

    private boolean append(RawDocument entry, StringBuilder text, List<String> left, ConvertLimits limits)
            throws ConvertException {
        String name = entry.name().replaceAll("\\s+", " ");
        try {
            String converted = entries.convert(entry, limits).text();
            text.append("# ")
                    .append(name)
                    .append("\n\n")
                    .append(converted.strip())
                    .append("\n\n");
            if (text.length() > limits.maxChars()) {
                throw limits.tooMuchText();
            }
            return true;
        } catch (ConvertException e) {
            if (e.reason() == ConvertException.Reason.TOO_LARGE) {
                throw e;
            }
            left.add(name);
            return false;
        }
    }
}
