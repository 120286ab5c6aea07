package switchboard.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonParseException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DiskTroubleTest {
    @Test
    void whateverLibrariesWrapItIn() {
        IOException full = new IOException("No space left on device");
        assertEquals(Optional.of(DiskTrouble.FULL), DiskTrouble.in(full));
        assertEquals(Optional.of(DiskTrouble.FULL), DiskTrouble.in(new UncheckedIOException(full)));
        assertEquals(
                Optional.of(DiskTrouble.FULL), DiskTrouble.in(new IllegalStateException("closed", new Error(full))));
        RuntimeException beside = new RuntimeException("close failed");
        beside.addSuppressed(new IOException("writing", full));
        assertEquals(Optional.empty(), DiskTrouble.in(new IOException("writing")));
        beside.addSuppressed(full);
        assertEquals(Optional.of(DiskTrouble.FULL), DiskTrouble.in(beside));
        Exception circle = new Exception("a");
        circle.initCause(new Exception("b", circle));
        assertEquals(Optional.empty(), DiskTrouble.in(circle));
    }

    @Test
    void eachKindSaysWhatItIsAndWhatToDo() {
        assertEquals(
                Optional.of(DiskTrouble.QUOTA),
                DiskTrouble.in(new FileSystemException("f", null, "Disk quota exceeded")));
        assertEquals(
                Optional.of(DiskTrouble.READ_ONLY),
                DiskTrouble.in(new FileSystemException("f", null, "Read-only file system")));
        assertEquals(Optional.of(DiskTrouble.TOO_LARGE), DiskTrouble.in(new IOException("File too large")));
        for (DiskTrouble trouble : DiskTrouble.values()) {
            ToolReply.Failed failed = trouble.failed("Writing failed");
            assertEquals(FailureKind.UNAVAILABLE, failed.kind());
            assertTrue(failed.message().contains(trouble.problem())
                    && failed.message().contains("Ask the operator"));
            assertTrue(DiskTrouble.told(new ToolException(failed)));
        }
    }

    @Test
    void whatADocumentSaysIsNoTroubleOfTheDisk() {
        assertEquals(Optional.empty(), DiskTrouble.in(new JsonParseException(null, "No space left on device")));
        assertEquals(Optional.empty(), DiskTrouble.in(new IOException("instead got 'No space left on device' here")));
    }
}
