package switchboard.convert;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads every {@link Format} with the reader made for it; what a document is, its content decides. */
public final class DocumentConverter implements Converter {
    private static final Logger LOG = LoggerFactory.getLogger(DocumentConverter.class);

    private final ContentSniffer sniffer = new ContentSniffer();
    private final HtmlReader html = new HtmlReader();
    private final CsvReader csv = new CsvReader();
    private final JsonReader json = new JsonReader();
    private final XmlReader xml = new XmlReader();
    private final PdfReader pdf = new PdfReader();
    private final TikaReader tika = new TikaReader(html);
    private final ZipReader zip = new ZipReader(this::entry);

    @Override
    public Converted convert(Source source, ConvertLimits limits) throws ConvertException {
        return guarded(() -> read(source, sniffer.formatOf(source), limits), limits);
    }

    /** An entry of an archive. */
    private Converted entry(Source source, ConvertLimits limits) throws ConvertException {
        return guarded(
                () -> {
                    Format format = sniffer.formatOf(source);
                    if (format == Format.ZIP) {
                        throw new ConvertException(
                                ConvertException.Reason.UNSUPPORTED, "archives in archives are not opened");
                    }
                    return read(source, format, limits);
                },
                limits);
    }

    /** Parsers that meet what they were not made for fail in ways of their own, some by running out of stack. */
    private static Converted guarded(Reading reading, ConvertLimits limits) throws ConvertException {
        limits.check();
        try {
            return reading.read();
        } catch (StackOverflowError e) {
            LOG.debug("a document is nested too deeply for its parser: {}", e.toString());
            throw new ConvertException(ConvertException.Reason.UNREADABLE, "the document is nested too deeply");
        } catch (RuntimeException e) {
            TemporarySpace.check(e);
            LOG.debug("a parser failed", e);
            throw new ConvertException(ConvertException.Reason.UNREADABLE, "the document is damaged or truncated");
        }
    }

    private Converted read(Source source, Format format, ConvertLimits limits) throws ConvertException {
        Converted converted =
                switch (format) {
                    case MARKDOWN -> markdown(text(source));
                    case TEXT -> Converted.of(text(source), Converted.Markup.PLAIN, null);
                    case HTML -> html.read(source);
                    case CSV -> csv.read(text(source), limits);
                    case JSON -> json.read(text(source), limits);
                    case XML -> xml.read(source, limits);
                    case PDF -> pdf.read(source, limits);
                    case OFFICE -> tika.document(source, limits);
                    case IMAGE, AUDIO -> tika.description(source, limits);
                    case ZIP -> zip.read(source, limits);
                };
        if (converted.text().length() > limits.maxChars()) {
            throw limits.tooMuchText();
        }
        return converted;
    }

    /** Text that is Markdown already, such as that of a caller who has no file. */
    public static Converted markdown(String text) {
        String lines = TextDecoder.lines(text);
        return Converted.of(lines, Converted.Markup.MARKDOWN, Outline.firstHeading(lines));
    }

    private static String text(Source source) throws ConvertException {
        return TextDecoder.decode(source.bytes(), source.contentType());
    }

    private interface Reading {
        Converted read() throws ConvertException;
    }
}
