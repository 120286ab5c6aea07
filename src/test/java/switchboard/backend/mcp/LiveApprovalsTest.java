package switchboard.backend.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.backend.SharedApprovals;
import switchboard.call.Json;
import switchboard.testing.SmallDisk;
import switchboard.testing.logs.AsksForErrors;

/** What is approved stays so, and nothing else becomes so, whatever happens to the file of the approvals. */
class LiveApprovalsTest {
    private static final ApprovalFile.ToolApprovals APPROVED =
            new ApprovalFile.ToolApprovals(Map.of("add", "1234"), Map.of(), Map.of(), List.of());

    @TempDir
    Path folder;

    private Path path;
    private LiveApprovals approvals;

    @BeforeEach
    void start() throws IOException {
        path = folder.resolve("upstreams").resolve("tools.json");
        new ApprovalFile(folder, "tools").write(APPROVED);
        approvals = new LiveApprovals("tools", new ApprovalFile(folder, "tools"), SharedApprovals.NONE);
        assertEquals(APPROVED, approvals.open());
    }

    @AsksForErrors("LiveApprovals - ")
    @Test
    void anEmptyOrCutFileChangesNothing() throws IOException {
        String whole = Files.readString(path);
        for (String cut : List.of("", " ", "{}", "null", "[]", whole.substring(0, whole.length() - 1))) {
            Files.delete(path);
            Files.writeString(path, cut);
            assertEquals(APPROVED, approvals.current(), cut);
            assertTrue(approvals.failed(), cut);
            approvals.replace(APPROVED);
            assertEquals(cut, Files.readString(path), "left to the operator");
        }
        ApprovalFile.ToolApprovals more =
                new ApprovalFile.ToolApprovals(Map.of("add", "1234", "sub", "5678"), Map.of(), Map.of(), List.of());
        Files.delete(path);
        new ApprovalFile(folder, "tools").write(more);
        assertEquals(more, approvals.current());
        assertFalse(approvals.failed());
    }

    /** What an operator approves while the gateway has decisions of its own keeps both. */
    @Test
    void whatIsApprovedMeanwhileIsKept() throws IOException {
        ObjectNode held = Json.object().put("name", "sub").put("description", "another one");
        String hash = ToolDefinition.hash(held);
        approvals.replace(new ApprovalFile.ToolApprovals(
                Map.of("add", "1234", "mul", "9999"), Map.of("sub", held), Map.of(), List.of()));
        ApprovalFile file = new ApprovalFile(folder, "tools");
        file.approve(Map.of("sub", hash));
        assertEquals(
                new ApprovalFile.ToolApprovals(
                        Map.of("add", "1234", "mul", "9999", "sub", hash), Map.of(), Map.of(), List.of()),
                file.read());
        // A definition that has come since stays held.
        file.write(new ApprovalFile.ToolApprovals(Map.of(), Map.of("sub", held), Map.of(), List.of()));
        file.approve(Map.of("sub", "an earlier one"));
        assertEquals(List.of("sub"), List.copyOf(file.read().held().keySet()));
    }

    @Test
    void firstUsesThatDifferOnTwoGatewaysApproveNeitherAndAnOperatorDecides() {
        SharedApprovals.SharedApproval firstUse = new SharedApprovals.SharedApproval("5678", false);
        assertEquals(
                Map.of("add", "1234", "sub", "5678"),
                APPROVED.with(Map.of("sub", firstUse)).approved());
        assertEquals(APPROVED, APPROVED.with(Map.of("add", new SharedApprovals.SharedApproval("1234", false))));
        ApprovalFile.ToolApprovals contested = APPROVED.with(Map.of("add", firstUse));
        assertFalse(List.of("1234", "5678").contains(contested.approved().get("add")), contested::toString);
        assertEquals(contested, contested.with(Map.of("add", firstUse)));
        assertEquals(
                Map.of("add", "5678"),
                contested
                        .with(Map.of("add", new SharedApprovals.SharedApproval("5678", true)))
                        .approved());
    }

    @Test
    void aFileThatIsGoneIsWrittenAgain() throws IOException {
        Files.delete(path);
        assertTrue(approvals.changed() || approvals.changed());
        assertEquals(APPROVED, approvals.current());
        assertEquals(APPROVED, new ApprovalFile(folder, "tools").read());
        assertFalse(approvals.failed());
    }

    @Test
    void whatADiskWithoutRoomDidNotTakeIsWrittenWhenThereIsSome() throws IOException {
        ApprovalFile.ToolApprovals more =
                new ApprovalFile.ToolApprovals(Map.of("add", "1234", "sub", "5678"), Map.of(), Map.of(), List.of());
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), 1)) {
            new ApprovalFile(disk.folder(), "tools").write(APPROVED);
            LiveApprovals small =
                    new LiveApprovals("tools", new ApprovalFile(disk.folder(), "tools"), SharedApprovals.NONE);
            small.open();
            disk.fill();
            small.replace(more);
            assertEquals(more, small.current(), "what was decided is in force");
            assertTrue(small.failed());
            assertEquals(APPROVED, new ApprovalFile(disk.folder(), "tools").read(), "the file is whole");
            disk.free();
            assertFalse(small.changed());
            assertFalse(small.failed());
            assertEquals(more, new ApprovalFile(disk.folder(), "tools").read());
        }
    }

    @Test
    void nothingStartsWithAnEmptyFileAsIfItWereTheFirstTime() throws IOException {
        Files.writeString(path, "");
        assertThrows(
                IOException.class,
                new LiveApprovals("tools", new ApprovalFile(folder, "tools"), SharedApprovals.NONE)::open);
    }
}
