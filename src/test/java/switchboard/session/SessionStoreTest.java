package switchboard.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import switchboard.auth.PrincipalId;

class SessionStoreTest {
    private static final SessionOwner OWNER = owner("red", "key", "");

    /** A clock that does not begin at zero, as the real one does not. */
    private final AtomicLong now = new AtomicLong(Duration.ofDays(7).toNanos());

    private final List<String> ended = new ArrayList<>();
    private final List<Duration> ages = new ArrayList<>();

    private SessionStore<String> store(int max) {
        return new SessionStore<>(new SessionLimits(max, Duration.ofHours(1)), now::get, (session, age) -> {
            ended.add(session.state());
            ages.add(age);
        });
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    void aThousandLiveAndTheNextOneTakesTheLeastRecentlyUsedPlace() {
        SessionStore<String> store = store(1000);
        List<NewSession<String>> sessions = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            sessions.add(store.create(OWNER, "s" + i).orElseThrow());
        }
        assertEquals(1000, store.live());
        assertTrue(store.find(sessions.getFirst().id(), OWNER).isPresent());
        store.create(OWNER, "newcomer");
        assertEquals(1000, store.live());
        assertEquals(List.of("s1"), ended);
        assertTrue(store.find(sessions.getFirst().id(), OWNER).isPresent());
        assertTrue(store.find(sessions.get(1).id(), OWNER).isEmpty());
    }

    @Test
    void expiresWhenIdleAndUseKeepsItAlive() {
        SessionStore<String> store = store(10);
        NewSession<String> used = store.create(OWNER, "used").orElseThrow();
        NewSession<String> idle = store.create(OWNER, "idle").orElseThrow();
        pass(Duration.ofMinutes(40));
        assertTrue(store.find(used.id(), OWNER).isPresent());
        pass(Duration.ofMinutes(40));
        assertTrue(store.find(used.id(), OWNER).isPresent());
        assertTrue(store.find(idle.id(), OWNER).isEmpty());
        assertEquals(1, store.live());
        assertEquals(List.of("idle"), ended);
        assertEquals(List.of(Duration.ofMinutes(80)), ages);
    }

    @Test
    void aForeignLookNeitherFindsNorKeepsAlive() {
        SessionStore<String> store = store(10);
        NewSession<String> session = store.create(OWNER, "mine").orElseThrow();
        pass(Duration.ofMinutes(59));
        for (SessionOwner stranger :
                List.of(owner("blue", "key", ""), owner("red", "other key", ""), owner("red", "key", "other view"))) {
            assertTrue(store.find(session.id(), stranger).isEmpty());
        }
        pass(Duration.ofMinutes(2));
        assertTrue(store.find(session.id(), OWNER).isEmpty());
    }

    @Test
    void isUnknownAfterItWasEnded() {
        SessionStore<String> store = store(10);
        NewSession<String> session = store.create(OWNER, "short").orElseThrow();
        pass(Duration.ofSeconds(5));
        assertTrue(store.end(session.session()));
        assertFalse(store.end(session.session()));
        assertTrue(store.find(session.id(), OWNER).isEmpty());
        assertEquals(List.of(Duration.ofSeconds(5)), ages);
        assertEquals(0, store.live());
    }

    @Test
    void isHeldWhileSomethingIsOpen() {
        SessionStore<String> store = store(10);
        NewSession<String> session = store.create(OWNER, "held").orElseThrow();
        assertTrue(store.hold(session.session()));
        pass(Duration.ofDays(3));
        assertTrue(store.release(session.session()));
        pass(Duration.ofMinutes(59));
        assertTrue(store.find(session.id(), OWNER).isPresent());
        pass(Duration.ofMinutes(61));
        assertTrue(store.find(session.id(), OWNER).isEmpty());
        assertFalse(store.release(session.session()));
    }

    @Test
    void theTeamWithMostGivesWayWhoeverComes() {
        SessionStore<String> store = store(10);
        for (int i = 0; i < 8; i++) {
            store.create(owner("greedy", "k" + i, ""), "g" + i);
        }
        store.create(owner("small", "k", ""), "small0");
        store.create(owner("small", "k", ""), "small1");
        store.create(owner("small", "k", ""), "small2");
        store.create(owner("third", "k", ""), "third0");
        assertEquals(List.of("g0", "g1"), ended);
        store.create(owner("greedy", "again", ""), "g8");
        assertEquals(List.of("g0", "g1", "g2"), ended);
    }

    @Test
    void atEqualSharesATeamPushesOutItsOwn() {
        SessionStore<String> store = store(4);
        store.create(owner("red", "k", ""), "r0");
        store.create(owner("blue", "k", ""), "b0");
        store.create(owner("red", "k", ""), "r1");
        store.create(owner("blue", "k", ""), "b1");
        store.create(owner("blue", "k", ""), "b2");
        assertEquals(List.of("b0"), ended);
    }

    @Test
    void aFloodOfOneTeamNeverEndsAnothersSession() {
        SessionStore<String> store = store(20);
        Set<String> quiet = new HashSet<>();
        for (int i = 0; i < 5; i++) {
            quiet.add(
                    store.create(owner("quiet", "k", ""), "quiet").orElseThrow().id());
        }
        for (int i = 0; i < 500; i++) {
            store.create(owner("flood", "k" + i, ""), "flood");
        }
        assertEquals(20, store.live());
        for (String id : quiet) {
            assertTrue(store.find(id, owner("quiet", "k", "")).isPresent());
        }
    }

    @Test
    void aCallUnderWayKeepsItsSessionFromExpiryAndFromTheCap() {
        SessionStore<String> store = store(3);
        NewSession<String> calling = store.create(OWNER, "calling").orElseThrow();
        assertTrue(store.callBegun(calling.session()));
        assertTrue(store.callBegun(calling.session()));
        pass(Duration.ofHours(9));
        for (int i = 0; i < 10; i++) {
            store.create(OWNER, "s" + i).orElseThrow();
        }
        assertTrue(store.find(calling.id(), OWNER).isPresent());
        store.callOver(calling.session());
        pass(Duration.ofHours(9));
        assertTrue(store.find(calling.id(), OWNER).isPresent(), "the other call goes on");
        store.callOver(calling.session());
        pass(Duration.ofMinutes(59));
        assertTrue(store.find(calling.id(), OWNER).isPresent(), "the idle time begins with the end of the call");
        pass(Duration.ofMinutes(61));
        assertTrue(store.find(calling.id(), OWNER).isEmpty());
        assertFalse(store.callBegun(calling.session()));
    }

    @Test
    void theIdleTimeStartsAgainWhenACallIsOver() {
        SessionStore<String> store = store(10);
        NewSession<String> session = store.create(OWNER, "slow").orElseThrow();
        assertTrue(store.callBegun(session.session()));
        pass(Duration.ofMinutes(90));
        store.callOver(session.session());
        pass(Duration.ofMinutes(59));
        assertEquals(1, store.live());
        assertTrue(store.callBegun(session.session()), "idle for less than an hour");
        store.callOver(session.session());
        pass(Duration.ofMinutes(61));
        assertTrue(store.find(session.id(), OWNER).isEmpty());
    }

    @Test
    void noCallBeginsInASessionThatHasEnded() {
        SessionStore<String> store = store(2);
        NewSession<String> ended = store.create(OWNER, "ended").orElseThrow();
        assertTrue(store.callBegun(ended.session()));
        store.callOver(ended.session());
        assertTrue(store.end(ended.session()));
        assertFalse(store.callBegun(ended.session()));
        assertFalse(ended.session().busy(), "what was not begun is not under way");
    }

    @Test
    void anOpenStreamOnlyMovesItsSessionBackInTheOrder() {
        SessionStore<String> store = store(3);
        NewSession<String> first = store.create(OWNER, "first").orElseThrow();
        NewSession<String> second = store.create(OWNER, "second").orElseThrow();
        store.create(OWNER, "third");
        assertTrue(store.hold(first.session()));
        assertTrue(store.hold(second.session()));
        store.create(OWNER, "fourth");
        assertTrue(store.hold(store.create(OWNER, "fifth").orElseThrow().session()));
        assertEquals(List.of("third", "fourth"), ended);
        store.create(OWNER, "sixth");
        assertEquals(List.of("third", "fourth", "first"), ended, "all have streams: the least recently used one goes");
    }

    @Test
    void whereAllHaveCallsUnderWayNobodyCanCome() {
        SessionStore<String> store = store(2);
        NewSession<String> red = store.create(OWNER, "red").orElseThrow();
        NewSession<String> blue = store.create(owner("blue", "k", ""), "blue").orElseThrow();
        assertTrue(store.callBegun(red.session()));
        assertTrue(store.callBegun(blue.session()));
        assertTrue(store.create(OWNER, "late").isEmpty());
        assertTrue(store.create(owner("third", "k", ""), "late").isEmpty());
        assertEquals(List.of(), ended);
        store.callOver(red.session());
        assertTrue(store.create(owner("blue", "k", ""), "no share of others").isEmpty());
        assertTrue(store.create(OWNER, "now").isPresent());
        assertEquals(List.of("red"), ended);
        assertFalse(store.callBegun(red.session()), "whoever looked it up before it went is told so");
    }

    @Test
    void whereTheLargestTeamIsBusyTheNextOneAboveTheNewcomersGivesWay() {
        SessionStore<String> store = store(6);
        for (int i = 0; i < 3; i++) {
            assertTrue(store.callBegun(store.create(owner("busy", "k", ""), "busy" + i)
                    .orElseThrow()
                    .session()));
        }
        store.create(owner("middle", "k", ""), "middle0");
        store.create(owner("middle", "k", ""), "middle1");
        store.create(owner("small", "k", ""), "small0");
        store.create(owner("small", "k", ""), "small1");
        assertEquals(List.of("middle0"), ended);
        store.create(owner("middle", "k", ""), "middle2");
        assertEquals(List.of("middle0", "small0"), ended);
    }

    @Test
    void idsAreVisibleAsciiAndDoNotRepeat() {
        SessionStore<String> store = store(2000);
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 2000; i++) {
            String id = store.create(OWNER, "s").orElseThrow().id();
            assertTrue(id.matches("[A-Za-z0-9_-]{32}"), id);
            ids.add(id);
        }
        assertEquals(2000, ids.size());
    }

    @Test
    void staysWithinTheCapUnderConcurrentNewcomers() throws InterruptedException {
        SessionStore<String> store =
                new SessionStore<>(new SessionLimits(50, Duration.ofHours(1)), now::get, (session, age) -> {});
        CountDownLatch go = new CountDownLatch(1);
        try (ExecutorService pool = Executors.newFixedThreadPool(8)) {
            List<Future<?>> newcomers = new ArrayList<>();
            for (int thread = 0; thread < 8; thread++) {
                SessionOwner owner = owner("team" + thread % 3, "k", "");
                newcomers.add(pool.submit(() -> {
                    go.await();
                    for (int i = 0; i < 200; i++) {
                        NewSession<String> session = store.create(owner, "s").orElseThrow();
                        store.find(session.id(), owner);
                    }
                    return null;
                }));
            }
            go.countDown();
            allEnd(newcomers);
        }
        assertEquals(50, store.live());
    }

    /** What a session that is to be replaced is chosen by changes while it is chosen. */
    @Test
    void sessionsMayBeUsedWhileOneIsReplaced() throws InterruptedException {
        SessionStore<String> store =
                new SessionStore<>(new SessionLimits(500, Duration.ofHours(1)), now::get, (session, age) -> {});
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            ids.add(store.create(OWNER, "s").orElseThrow().id());
        }
        AtomicBoolean enough = new AtomicBoolean();
        try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
            List<Future<?>> users = new ArrayList<>();
            for (int thread = 0; thread < 3; thread++) {
                Random random = new Random(thread);
                users.add(pool.submit(() -> {
                    while (!enough.get()) {
                        store.find(ids.get(random.nextInt(ids.size())), OWNER);
                    }
                }));
            }
            try {
                for (int i = 0; i < 2000; i++) {
                    assertTrue(store.create(OWNER, "s").isPresent());
                }
            } finally {
                enough.set(true);
            }
            allEnd(users);
        }
        assertEquals(500, store.live());
    }

    private static void allEnd(List<Future<?>> tasks) throws InterruptedException {
        for (Future<?> task : tasks) {
            try {
                task.get(60, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void endsAllSessionsOfOneOwnerAndNoOthers() {
        SessionStore<String> store = store(10);
        store.create(OWNER, "red");
        NewSession<String> blue = store.create(owner("blue", "key", ""), "blue").orElseThrow();
        store.create(OWNER, "red too");
        store.endAll(OWNER::equals);
        assertEquals(Set.of("red", "red too"), Set.copyOf(ended));
        assertEquals(1, store.live());
        assertTrue(store.find(blue.id(), blue.session().owner()).isPresent());
    }

    @Test
    void countsOnlyWhatHadToGiveWay() {
        SessionStore<String> store = store(2);
        NewSession<String> session = store.create(OWNER, "ended").orElseThrow();
        assertTrue(store.end(session.session()));
        store.create(OWNER, "first");
        store.create(OWNER, "second");
        assertEquals(0, store.evicted());
        store.create(OWNER, "third");
        store.create(OWNER, "fourth");
        assertEquals(2, store.evicted());
    }

    @Test
    void aSessionThatHasEndedCannotBeHeld() {
        SessionStore<String> store = store(2);
        NewSession<String> session = store.create(OWNER, "ended").orElseThrow();
        assertTrue(store.end(session.session()));
        assertFalse(store.hold(session.session()));
    }

    @Test
    void aSavedSessionIsFoundByItsIdAndKeepsItsAgeAndTheRestOfItsTime() {
        SessionStore<String> before = store(10);
        NewSession<String> session = before.create(OWNER, "kept").orElseThrow();
        NewSession<String> idle = before.create(OWNER, "idle").orElseThrow();
        pass(Duration.ofMinutes(50));
        assertTrue(before.find(session.id(), OWNER).isPresent());
        List<SavedSession<String>> saved = before.save();
        assertFalse(saved.toString().contains(session.id()), "ids are not kept");

        SessionStore<String> after = store(10);
        after.restore(saved);
        assertEquals(2, after.live());
        assertTrue(after.find(session.id(), owner("blue", "key", "")).isEmpty());
        assertTrue(after.find(saved.getFirst().key(), OWNER).isEmpty(), "what is kept opens no session");
        pass(Duration.ofMinutes(11));
        assertTrue(after.find(idle.id(), OWNER).isEmpty(), "idle for an hour, whichever process saw it");
        assertEquals("kept", after.find(session.id(), OWNER).orElseThrow().state());
        pass(Duration.ofMinutes(59));
        assertTrue(after.find(session.id(), OWNER).isPresent(), "use keeps it alive as any other");
        assertTrue(after.end(after.find(session.id(), OWNER).orElseThrow()));
        assertEquals(List.of("idle", "kept"), ended);
        assertEquals(Duration.ofMinutes(120), ages.getLast(), "since the session was created");
    }

    @Test
    void anExpiredSessionIsNotSavedAndOneWithACallHasItsWholeTime() {
        SessionStore<String> store = store(10);
        store.create(OWNER, "expired");
        NewSession<String> calling = store.create(OWNER, "calling").orElseThrow();
        assertTrue(store.callBegun(calling.session()));
        pass(Duration.ofMinutes(90));
        List<SavedSession<String>> saved = store.save();
        assertEquals(List.of("calling"), saved.stream().map(SavedSession::state).toList());
        assertEquals(Duration.ofHours(1), saved.getFirst().remaining());
    }

    @Test
    void ofMoreSavedSessionsThanMayBeOpenTheLastOnesToExpireAreTaken() {
        SessionStore<String> before = store(10);
        NewSession<String> old = before.create(OWNER, "old").orElseThrow();
        pass(Duration.ofMinutes(1));
        NewSession<String> middle = before.create(OWNER, "middle").orElseThrow();
        pass(Duration.ofMinutes(1));
        before.create(OWNER, "new");

        SessionStore<String> after = new SessionStore<>(
                new SessionLimits(2, Duration.ofMinutes(30)), now::get, (session, age) -> ended.add(session.state()));
        after.restore(before.save());
        assertEquals(2, after.live());
        assertTrue(after.find(old.id(), OWNER).isEmpty());
        after.create(OWNER, "newcomer");
        assertEquals(List.of("middle"), ended, "the least recently used one is replaced");
        assertTrue(after.find(middle.id(), OWNER).isEmpty());
        pass(Duration.ofMinutes(31));
        assertEquals(0, after.live(), "by the limit of now");
    }

    @Test
    void aSessionIsGivenUpOrHasACallUnderWayButNeverBoth() {
        Session<String> session = new Session<>("id", OWNER, "state", 0);
        assertTrue(session.callBegun());
        assertFalse(session.giveUp());
        session.callOver();
        assertTrue(session.giveUp());
        assertFalse(session.callBegun());
        assertFalse(session.busy());
    }

    private static SessionOwner owner(String team, String id, String view) {
        return new SessionOwner(new PrincipalId(team, id, null), view);
    }
}
