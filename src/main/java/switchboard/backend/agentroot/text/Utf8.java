package switchboard.backend.agentroot.text;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/** Decodes the bytes of text files as UTF-8. */
public final class Utf8 {
    private Utf8() {}

    /**
     * The text of {@code bytes}, every character of it.
     *
     * @throws ToolException if they are not UTF-8, or hold what no text does
     */
    public static String decoded(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            if (text.indexOf('\0') < 0) {
                return text;
            }
        } catch (CharacterCodingException _) {
            // Falls through to the refusal.
        }
        throw new ToolException(FailureKind.INVALID_ARGUMENT, "is binary, or text that is not UTF-8");
    }
}
