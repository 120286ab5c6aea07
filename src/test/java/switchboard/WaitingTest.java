package switchboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.vertx.core.Vertx;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import switchboard.testing.KeptClients;

/** What a test waits for ends: it comes, or the wait is interrupted when the time of the test is over. */
class WaitingTest {
    /** Reading them takes longer than both tests together. */
    private static final JavaClasses TESTS = new ClassFileImporter()
            .withImportOption(new ImportOption.OnlyIncludeTests())
            .importPackages("switchboard");

    /** {@link KeptClients} says why. */
    @Test
    void clientsOfVertxAreKept() {
        Set<String> making = new TreeSet<>();
        for (JavaClass type : TESTS) {
            for (JavaAccess<?> access : type.getAccessesFromSelf()) {
                if (access.getTargetOwner().isAssignableTo(Vertx.class)
                        && Set.of("createHttpClient", "createNetClient", "httpClientBuilder")
                                .contains(access.getName())) {
                    making.add(type.getName());
                }
            }
        }
        assertEquals(Set.of(KeptClients.class.getName()), making);
    }

    /** {@code join} waits on when the thread is interrupted, unlike {@code get} and {@code await} of Vert.x. */
    @Test
    void futuresOfTheJdkAreOnlyJoinedWithATimeLimit() {
        Set<String> joining = new TreeSet<>();
        Set<String> limited = new TreeSet<>();
        for (JavaClass type : TESTS) {
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
