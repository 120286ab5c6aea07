package switchboard.convert;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads every {@link Format} with its reader. The content decides the format. */
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
    public ConvertedDocument convert(RawDocument rawDocument, ConvertLimits limits) throws ConvertException {
        return guarded(() -> read(rawDocument, sniffer.formatOf(rawDocument), limits), limits);
    }

    /** An entry of an archive. */
    private ConvertedDocument entry(RawDocument rawDocument, ConvertLimits limits) throws ConvertException {
        return guarded(
                () -> {
                    Format format = sniffer.formatOf(rawDocument);
                    if (format == Format.ZIP) {
                        throw new ConvertException(
                                ConvertException.Reason.UNSUPPORTED, "archives in archives are not opened");
                    }
                    return read(rawDocument, format, limits);
                },
                limits);
    }

    /** Runs a parser. Its unexpected failures, even a stack overflow, become a {@link ConvertException}. */
    private static ConvertedDocument guarded(FormatReader reading, ConvertLimits limits) throws ConvertException {
        limits.check();
        try {
            return reading.read();
        } catch (StackOverflowError e) {
            LOG.debug("a document is nested too deeply for its parser: {}", e.toString());
            throw new ConvertException(ConvertException.Reason.UNREADABLE, "the document is nested too deeply");
        } catch (RuntimeException e) {
            TemporaryFileCheck.check(e);
            LOG.debug("a parser failed", e);
            throw new ConvertException(ConvertException.Reason.UNREADABLE, "the document is damaged or truncated");
        }
    }

    private ConvertedDocument read(RawDocument rawDocument, Format format, ConvertLimits limits)
            throws ConvertException {
        ConvertedDocument converted =
                switch (format) {
                    case MARKDOWN -> markdown(text(rawDocument));
                    case TEXT, SOURCE -> ConvertedDocument.of(text(rawDocument), ConvertedDocument.Markup.PLAIN, null);
                    case HTML -> html.read(rawDocument);
                    case CSV -> csv.read(text(rawDocument), limits);
                    case JSON -> json.read(text(rawDocument), limits);
                    case XML -> xml.read(rawDocument, limits);
                    case PDF -> pdf.read(rawDocument, limits);
                    case OFFICE -> tika.document(rawDocument, limits);
                    case IMAGE, AUDIO -> tika.description(rawDocument, limits);
                    case ZIP -> zip.read(rawDocument, limits);
                };
        if (converted.text().length() > limits.maxChars()) {
            throw limits.tooMuchText();
        }
        return converted;
    }

    /** The text of Markdown and of plain text; empty for all other formats, and for what can't be read. */
    public Optional<String> prose(RawDocument rawDocument) {
        if (declaresOther(rawDocument)) {
            return Optional.empty();
        }
        try {
            return switch (sniffer.formatOf(rawDocument)) {
                case MARKDOWN, TEXT -> Optional.of(text(rawDocument));
                case HTML, CSV, JSON, XML, SOURCE, PDF, OFFICE, IMAGE, AUDIO, ZIP -> Optional.empty();
            };
        } catch (ConvertException e) {
            LOG.debug("{} is not read as text: {}", rawDocument.name(), e.explanation());
            return Optional.empty();
        }
    }

    /** Whether the name or the type of a document says that it is something else than Markdown or plain text. */
    public static boolean declaresOther(RawDocument rawDocument) {
        return Format.declared(rawDocument)
                .filter(format -> format != Format.MARKDOWN && format != Format.TEXT)
                .isPresent();
    }

    /** The same by the name alone. */
    public static boolean declaresOther(String name) {
        return declaresOther(new RawDocument(new byte[0], name, null));
    }

    /** The text of {@code bytes} in whatever charset they seem to have; of any bytes, for what may be in it. */
    public static String anyText(byte[] bytes) {
        return TextDecoder.any(bytes);
    }

    /** Whether documents of that name are read, by its extension. */
    public static boolean reads(String name) {
        return Format.byExtension(RawDocument.extension(name)).isPresent();
    }

    /** Text that is Markdown already, for example from a caller without a file. */
    public static ConvertedDocument markdown(String text) {
        String lines = TextDecoder.lines(text);
        return ConvertedDocument.of(lines, ConvertedDocument.Markup.MARKDOWN, BlockParser.firstHeading(lines));
    }

    private static String text(RawDocument rawDocument) throws ConvertException {
        return TextDecoder.decode(rawDocument.bytes(), rawDocument.contentType());
    }

    private interface FormatReader {
        ConvertedDocument read() throws ConvertException;
    }
}
