package switchboard.convert;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Reads JSON as text: unchanged if it has line breaks, otherwise indented, so that it can be split and read. */
final class JsonReader {
    private static final int LONG_LINE = 500;

    private final JsonFactory factory = new JsonFactory();

    ConvertedDocument read(String text, ConvertLimits limits) throws ConvertException {
        boolean longLines = text.lines().anyMatch(line -> line.length() > LONG_LINE);
        StringWriter written = new StringWriter();
        try (JsonParser in = factory.createParser(text);
                JsonGenerator out = factory.createGenerator(written)) {
            out.setPrettyPrinter(printer());
            while (in.nextToken() != null) {
                limits.check();
                if (longLines) {
                    out.copyCurrentEventExact(in);
                }
                // Indentation grows with depth, so a short text can become a very long one.
                if (written.getBuffer().length() > limits.maxChars()) {
                    throw limits.tooMuchText();
                }
            }
        } catch (JsonProcessingException e) {
            throw new ConvertException(ConvertException.Reason.UNREADABLE, "not valid JSON" + place(e.getLocation()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ConvertedDocument.of(longLines ? written.toString() : text, ConvertedDocument.Markup.PLAIN, null);
    }

    private static DefaultPrettyPrinter printer() {
        DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
        return new DefaultPrettyPrinter().withObjectIndenter(indenter).withArrayIndenter(indenter);
    }

    /** The position of a problem, if there is one. The parser's limits, such as depth, have none. */
    private static String place(@Nullable JsonLocation at) {
        return at == null
                ? ": nested too deeply or with too long a number"
                : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
    }
}
