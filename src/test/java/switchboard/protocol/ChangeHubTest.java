package switchboard.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import switchboard.auth.Principal;
import switchboard.call.BackendEvent.ListChanged;
import switchboard.call.BackendEvent.ListChanged.ListType;

/** Who has a place for a stream, and who hears what. */
class ChangeHubTest {
    private final ChangeHub hub = new ChangeHub(5);
    private final List<String> heard = new ArrayList<>();

    private record Stream(String team, String name, List<String> heard) implements ChangeHub.Listener {
        @Override
        public void changed(String backendId, ListChanged change) {
            heard.add(name + " changed " + backendId);
        }

        @Override
        public Principal principal() {
            return new Principal(team, "key", List.of());
        }

        @Override
        public String view() {
            return name;
        }

        @Override
        public void relisted(ListType kind) {
            heard.add(name + " relisted " + kind);
        }

        @Override
        public void outdated() {
            heard.add(name + " outdated");
        }

        @Override
        public void shutdown() {
            heard.add(name + " shutdown");
        }
    }

    private Optional<ChangeHub.Subscription> open(String team, String name) {
        return hub.subscribe(new Stream(team, name, heard));
    }

    @Test
    void aTeamTakesAPlaceOfOneThatWouldStillHaveAsMany() {
        for (String name : List.of("r1", "r2", "r3")) {
            assertTrue(open("red", name).isPresent());
        }
        assertTrue(open("blue", "b1").isPresent());
        assertTrue(open("blue", "b2").isPresent());
        assertTrue(open("blue", "b3").isEmpty(), "three and two is fair: it would only turn round");
        assertTrue(open("red", "r4").isEmpty());
        assertEquals(List.of(), heard);
        assertTrue(open("green", "g1").isPresent());
        assertEquals(List.of("r1 shutdown"), heard, "the oldest of the team with most");
        assertEquals(5, hub.openStreams(), "whose place is free at once");
        assertTrue(open("green", "g2").isEmpty(), "2, 2 and 1");
        hub.publish("docs", new ListChanged(ListType.TOOLS));
        assertEquals(
                List.of(
                        "r1 shutdown",
                        "r2 changed docs",
                        "r3 changed docs",
                        "b1 changed docs",
                        "b2 changed docs",
                        "g1 changed docs"),
                heard);
    }

    @Test
    void aPlaceIsGivenBackOnce() {
        ChangeHub.Subscription first = open("red", "r1").orElseThrow();
        for (int i = 2; i <= 5; i++) {
            assertTrue(open("red", "r" + i).isPresent());
        }
        assertTrue(open("red", "r6").isEmpty());
        first.close();
        assertEquals(4, hub.openStreams());
        assertTrue(open("red", "r6").isPresent());
        first.close();
        assertEquals(5, hub.openStreams());
    }

    @Test
    void onlyThoseThatAreMeantHear() {
        open("red", "r");
        open("blue", "b");
        hub.relist(stream -> stream.view().equals("r"));
        hub.relistResources(stream -> stream.view().equals("b"));
        hub.outdate(stream -> stream.principal().team().equals("blue"));
        assertEquals(List.of("r relisted TOOLS", "b relisted RESOURCES", "b outdated"), heard);
    }

    @Test
    void afterTheStopThereIsNoPlace() {
        open("red", "r");
        hub.shutdown();
        assertEquals(List.of("r shutdown"), heard);
        assertTrue(open("blue", "b").isEmpty());
    }
}
