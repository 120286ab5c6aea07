package switchboard.convert;

/** Reads every {@link Format} with the reader made for it. */
public final class DocumentConverter implements Converter {
    private final HtmlReader html = new HtmlReader();
    private final CsvReader csv = new CsvReader();
    private final JsonReader json = new JsonReader();
    private final XmlReader xml = new XmlReader();

    @Override
    public Converted convert(Source source) throws ConvertException {
        return switch (Format.of(source)) {
            case MARKDOWN -> markdown(TextDecoder.decode(source.bytes(), source.contentType()));
            case TEXT -> Converted.of(text(source), Converted.Markup.PLAIN, null);
            case HTML -> html.read(source);
            case CSV -> csv.read(text(source));
            case JSON -> json.read(text(source));
            case XML -> xml.read(source);
        };
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
