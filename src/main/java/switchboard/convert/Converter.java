package switchboard.convert;

/** Converts the bytes of a document to text. Thread-safe. Blocks while it computes. */
public interface Converter {
    /**
     * The text of {@code rawDocument}.
     *
     * @throws ConvertException if that is not possible within {@code limits}, with a message for the caller
     */
    ConvertedDocument convert(RawDocument rawDocument, ConvertLimits limits) throws ConvertException;
}
