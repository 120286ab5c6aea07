package switchboard.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class BodyMemoryLimiterTest {
    private final BodyMemoryLimiter bodies = new BodyMemoryLimiter(100);

    @Test
    void oneTeamMayHoldHalf() {
        BodyMemoryLimiter.Reservation first = bodies.body("red");
        assertTrue(first.grow(30));
        assertTrue(first.grow(20));
        assertFalse(bodies.body("red").grow(1));
        assertTrue(bodies.body("blue").grow(50));
        assertFalse(bodies.body("green").grow(1), "all is taken");
        first.close();
        assertTrue(bodies.body("green").grow(50));
    }

    @Test
    void aBodyThatEndsLeavesTheOthersOfItsTeamCounted() {
        BodyMemoryLimiter.Reservation first = bodies.body("red");
        BodyMemoryLimiter.Reservation second = bodies.body("red");
        assertTrue(first.grow(30));
        assertTrue(second.grow(20));
        first.close();
        assertEquals(20, bodies.held());
        assertFalse(bodies.body("red").grow(31));
        assertTrue(bodies.body("red").grow(30));
        assertFalse(second.grow(1));
    }

    @Test
    void whatFindsNoRoomIsNotHeld() {
        BodyMemoryLimiter.Reservation body = bodies.body("red");
        assertTrue(body.grow(10));
        assertFalse(body.grow(41));
        assertEquals(10, bodies.held());
        body.close();
        assertEquals(0, bodies.held());
        assertTrue(bodies.body("red").grow(50));
    }

    @Test
    void whatIsGivenBackIsGivenBackOnce() {
        BodyMemoryLimiter.Reservation body = bodies.body("red");
        assertTrue(body.grow(40));
        body.close();
        body.close();
        assertEquals(0, bodies.held());
        assertTrue(body.grow(50));
        assertFalse(body.grow(1));
        assertEquals(50, bodies.held());
    }
}
