package switchboard.convert;

/** Turns the bytes of a document into text. Thread-safe; blocks while it computes. */
public interface Converter {
    /**
     * The text of {@code source}.
     *
     * @throws ConvertException if it can't be had within {@code limits}, with a message for the caller
     */
    Converted convert(RawDocument rawDocument, ConvertLimits limits) throws ConvertException;
}
