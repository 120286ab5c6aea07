package switchboard.convert;

import java.util.function.BooleanSupplier;

/**
 * Bounds of one conversion.
 *
 * @param maxChars longest text that may come out
 * @param maxUnpacked how many bytes compressed parts of a document may become, together
 * @param cancelled whether the text is no longer wanted; asked often
 */
public record ConvertLimits(int maxChars, long maxUnpacked, BooleanSupplier cancelled) {
    /** The usual bounds, for a conversion that is wanted until it is done. */
    public static final ConvertLimits STANDARD = new ConvertLimits(64 << 20, 256L << 20, () -> false);

    /** The same, until {@code noLongerWanted}. */
    public ConvertLimits until(BooleanSupplier noLongerWanted) {
        return new ConvertLimits(maxChars, maxUnpacked, noLongerWanted);
    }

    /** Fails if the text is no longer wanted. */
    void check() throws ConvertException {
        if (cancelled.getAsBoolean()) {
            throw new ConvertException(ConvertException.Reason.TOO_LARGE, "converting it took too long");
        }
    }

    ConvertException tooMuchText() {
        return new ConvertException(
                ConvertException.Reason.TOO_LARGE, "its text is longer than " + maxChars + " characters");
    }

    ConvertException tooMuchUnpacked() {
        return new ConvertException(
                ConvertException.Reason.TOO_LARGE, "unpacked it is larger than " + maxUnpacked + " bytes");
    }
}
