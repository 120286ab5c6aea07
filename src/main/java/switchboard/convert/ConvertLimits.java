package switchboard.convert;

import java.util.function.BooleanSupplier;

/**
 * Limits of one conversion.
 *
 * @param maxChars maximum length of the text
 * @param maxUnpacked maximum size of all decompressed parts in bytes
 * @param cancelled whether to cancel; called often
 */
public record ConvertLimits(int maxChars, long maxUnpacked, BooleanSupplier cancelled) {
    /** The default limits, without cancellation. */
    public static final ConvertLimits STANDARD = new ConvertLimits(64 << 20, 256L << 20, () -> false);

    /** The same with cancellation. */
    public ConvertLimits until(BooleanSupplier noLongerWanted) {
        return new ConvertLimits(maxChars, maxUnpacked, noLongerWanted);
    }

    /** Fails if the conversion is cancelled. */
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
