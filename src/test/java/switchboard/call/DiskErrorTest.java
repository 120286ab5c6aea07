package switchboard.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonParseException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DiskErrorTest {
    @Test
    void whateverLibrariesWrapItIn() {
        IOException full = new IOException("No space left on device");
        assertEquals(Optional.of(DiskError.FULL), DiskError.in(full));
        assertEquals(Optional.of(DiskError.FULL), DiskError.in(new UncheckedIOException(full)));
        assertEquals(Optional.of(DiskError.FULL), DiskError.in(new IllegalStateException("closed", new Error(full))));
        RuntimeException beside = new RuntimeException("close failed");
        beside.addSuppressed(new IOException("writing", full));
        assertEquals(Optional.empty(), DiskError.in(new IOException("writing")));
        beside.addSuppressed(full);
        assertEquals(Optional.of(DiskError.FULL), DiskError.in(beside));
        Exception circle = new Exception("a");
        circle.initCause(new Exception("b", circle));
        assertEquals(Optional.empty(), DiskError.in(circle));
    }

    @Test
    void eachKindSaysWhatItIsAndWhatToDo() {
        assertEquals(
                Optional.of(DiskError.QUOTA), DiskError.in(new FileSystemException("f", null, "Disk quota exceeded")));
        assertEquals(
                Optional.of(DiskError.READ_ONLY),
                DiskError.in(new FileSystemException("f", null, "Read-only file system")));
        assertEquals(Optional.of(DiskError.TOO_LARGE), DiskError.in(new IOException("File too large")));
        for (DiskError trouble : DiskError.values()) {
            ToolReply.Failed failed = trouble.failed("Writing failed");
            assertEquals(FailureKind.UNAVAILABLE, failed.kind());
            assertTrue(failed.message().contains(trouble.problem())
                    && failed.message().contains("Ask the operator"));
            assertTrue(DiskError.caused(new ToolException(failed)));
        }
    }

    @Test
    void whatADocumentSaysIsNoTroubleOfTheDisk() {
        assertEquals(Optional.empty(), DiskError.in(new JsonParseException(null, "No space left on device")));
        assertEquals(Optional.empty(), DiskError.in(new IOException("instead got 'No space left on device' here")));
    }
}
