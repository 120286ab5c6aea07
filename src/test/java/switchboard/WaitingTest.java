package switchboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A test that hangs is interrupted when its time is over: it fails by its name if what it waits for can be interrupted. */
class WaitingTest {
    /** {@code join} waits on when the thread is interrupted, unlike {@code get} and {@code await} of Vert.x. */
    @Test
    void futuresOfTheJdkAreOnlyJoinedWithATimeLimit() {
        Set<String> joining = new TreeSet<>();
        Set<String> limited = new TreeSet<>();
        for (JavaClass type : new ClassFileImporter()
                .withImportOption(new ImportOption.OnlyIncludeTests())
                .importPackages("switchboard")) {
            for (JavaAccess<?> access : type.getAccessesFromSelf()) {
                JavaCodeUnit method = access.getOrigin();
                if (calls(access, "join")) {
                    joining.add(method.getFullName());
                } else if (calls(access, "orTimeout")) {
                    limited.add(method.getFullName());
                }
            }
        }
        assertTrue(joining.removeAll(limited), "there are some, and they are found");
        assertEquals(Set.of(), joining);
    }

    private static boolean calls(JavaAccess<?> access, String method) {
        return access.getTargetOwner().isEquivalentTo(CompletableFuture.class)
                && access.getName().equals(method);
    }
}
