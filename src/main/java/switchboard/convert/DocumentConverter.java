package switchboard.convert;

/** Reads every {@link Format} with the reader made for it; what a document is, its content decides. */
public final class DocumentConverter implements Converter {
    private final ContentSniffer sniffer = new ContentSniffer();
    private final HtmlReader html = new HtmlReader();
    private final CsvReader csv = new CsvReader();
    private final JsonReader json = new JsonReader();
    private final XmlReader xml = new XmlReader();
    private final PdfReader pdf = new PdfReader();
    private final TikaReader tika = new TikaReader(html);
    private final ZipReader zip = new ZipReader(this::convert);

    @Override
    public Converted convert(Source source, ConvertLimits limits) throws ConvertException {
        limits.check();
        Converted converted =
                switch (sniffer.formatOf(source)) {
                    case MARKDOWN -> markdown(text(source));
                    case TEXT -> Converted.of(text(source), Converted.Markup.PLAIN, null);
                    case HTML -> html.read(source);
                    case CSV -> csv.read(text(source));
                    case JSON -> json.read(text(source));
                    case XML -> xml.read(source);
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
}
