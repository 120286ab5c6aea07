package switchboard.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.protocol.CoreFixture.ANYBODY;
import static switchboard.protocol.CoreFixture.legacy;
import static switchboard.protocol.CoreFixture.modern;
import static switchboard.protocol.CoreFixture.team;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import switchboard.auth.Principal;
import switchboard.call.BackendEvent.ListChanged.ListType;
import switchboard.session.SessionLimits;
import switchboard.testing.RecordingSink;

class StreamsTest {
    private static final ProtocolSettings FOUR_STREAMS = new ProtocolSettings(
            new ProtocolSettings.ServerTexts("switchboard", "Switchboard", "1"),
            new ProtocolSettings.BatchLimits(50, 8),
            250,
            Duration.ofMinutes(1),
            4,
            Duration.ofSeconds(1),
            RequestStateKeys.random());

    private final CoreFixture gateway = new CoreFixture(FOUR_STREAMS, new SessionLimits(3, Duration.ofHours(1)));

    private RecordingSink listen(Principal principal, Object id, String wanted) {
        return gateway.post(modern(principal, id, "subscriptions/listen", "{\"notifications\":" + wanted + "}"));
    }

    private RecordingSink get(String session) {
        RecordingSink sink = new RecordingSink();
        gateway.endpoint.get(
                CoreFixture.inbound(
                        ANYBODY, Map.of("Mcp-Session-Id", session, "Accept", "text/event-stream"), new byte[0]),
                sink);
        return sink;
    }

    private static List<String> methods(RecordingSink sink) {
        return sink.events().stream()
                .map(event -> event.path("method").asText())
                .toList();
    }

    @Test
    void listenAcknowledgesFirstAndTellsOnlyWhatWasAskedFor() {
        RecordingSink sink = listen(ANYBODY, "sub-1", "{\"toolsListChanged\":true,\"promptsListChanged\":false}");
        gateway.changes.publish("alpha", new switchboard.call.BackendEvent.ListChanged(ListType.TOOLS));
        gateway.changes.publish("alpha", new switchboard.call.BackendEvent.ListChanged(ListType.PROMPTS));
        gateway.changes.publish("alpha", new switchboard.call.BackendEvent.ListChanged(ListType.RESOURCES));
        assertEquals(
                List.of("notifications/subscriptions/acknowledged", "notifications/tools/list_changed"), methods(sink));
        assertEquals(
                "{\"toolsListChanged\":true}",
                sink.events().getFirst().at("/params/notifications").toString());
        sink.events()
                .forEach(event -> assertEquals(
                        "\"sub-1\"",
                        event.at("/params/_meta/io.modelcontextprotocol~1subscriptionId")
                                .toString()));
    }

    @Test
    void aTeamWithFewerStreamsGetsThePlaceOfTheOneWithMost() {
        Principal red = team("*:*");
        Principal blue = new Principal("blue", "key", red.grants());
        List<RecordingSink> ofRed = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            ofRed.add(listen(red, i, "{}"));
        }
        assertEquals(-32603, listen(red, 4, "{}").json().at("/error/code").asInt(), "red has its share and more");
        RecordingSink first = listen(blue, 5, "{}");
        assertTrue(ofRed.get(0).over(), "the oldest of red has said goodbye");
        assertEquals("complete", ofRed.get(0).json().at("/result/resultType").asText());
        assertFalse(ofRed.get(1).over());
        RecordingSink second = listen(blue, 6, "{}");
        assertTrue(ofRed.get(1).over());
        assertEquals(-32603, listen(blue, 7, "{}").json().at("/error/code").asInt(), "two and two is fair");
        assertFalse(first.over()
                || second.over()
                || ofRed.get(2).over()
                || ofRed.get(3).over());
        assertEquals(4, gateway.endpoint.openStreams());
    }

    @Test
    void listenEndsWithItsResultWhenTheGatewayStops() {
        RecordingSink sink = listen(ANYBODY, 9223372036854775807L, "{}");
        assertEquals(1, gateway.endpoint.openStreams());
        gateway.endpoint.shutdown();
        assertTrue(sink.over());
        assertEquals("complete", sink.json().at("/result/resultType").asText());
        assertEquals(
                "9223372036854775807",
                sink.json()
                        .at("/result/_meta/io.modelcontextprotocol~1subscriptionId")
                        .toString());
        assertEquals(0, gateway.endpoint.openStreams());
    }

    @Test
    void noStreamIsOpenedOnceTheGatewayStops() {
        String session = gateway.session("2025-11-25");
        gateway.endpoint.shutdown();
        assertTrue(listen(ANYBODY, 1, "{}").over());
        assertEquals(503, get(session).status());
        assertEquals(0, gateway.endpoint.openStreams());
    }

    @Test
    void aListenerThatLeavesGivesItsPlaceBack() {
        RecordingSink sink = listen(ANYBODY, 1, "{\"toolsListChanged\":true}");
        sink.leave();
        assertEquals(0, gateway.endpoint.openStreams());
        gateway.changes.publish("alpha", new switchboard.call.BackendEvent.ListChanged(ListType.TOOLS));
        gateway.endpoint.shutdown();
        assertEquals(1, sink.events().size());
    }

    @Test
    void oneListenerTooManyIsRefused() {
        List<RecordingSink> open = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            open.add(listen(ANYBODY, i, "{}"));
        }
        RecordingSink refused = listen(ANYBODY, 5, "{}");
        assertEquals(-32603, refused.json().at("/error/code").asInt());
        assertEquals(503, get(gateway.session("2025-11-25")).status());
        open.getFirst().leave();
        assertFalse(listen(ANYBODY, 6, "{}").over());
    }

    @Test
    void nobodyHearsOfABackendOutOfSight() {
        RecordingSink sink = listen(team("alpha:read"), 1, "{\"toolsListChanged\":true}");
        gateway.changes.publish("beta", new switchboard.call.BackendEvent.ListChanged(ListType.TOOLS));
        gateway.changes.publish("elsewhere", new switchboard.call.BackendEvent.ListChanged(ListType.TOOLS));
        assertEquals(1, sink.events().size());
        gateway.changes.publish("alpha", new switchboard.call.BackendEvent.ListChanged(ListType.TOOLS));
        assertEquals(2, sink.events().size());
    }

    @Test
    void subscribedResourcesAreToldWhenTheirBackendsResourcesChange() {
        RecordingSink sink = listen(ANYBODY, 1, "{\"resourceSubscriptions\":[\"alpha:1\",\"beta:1\"]}");
        gateway.changes.publish("beta", new switchboard.call.BackendEvent.ListChanged(ListType.RESOURCES));
        assertEquals("beta:1", sink.events().getLast().at("/params/uri").asText());
        assertEquals(2, sink.events().size());
        String session = gateway.session("2025-06-18");
        RecordingSink standing = get(session);
        gateway.post(legacy(session, 1, "resources/subscribe", "{\"uri\":\"alpha:1\"}"));
        gateway.changes.publish("alpha", new switchboard.call.BackendEvent.ListChanged(ListType.RESOURCES));
        gateway.post(legacy(session, 2, "resources/unsubscribe", "{\"uri\":\"alpha:1\"}"));
        gateway.changes.publish("alpha", new switchboard.call.BackendEvent.ListChanged(ListType.RESOURCES));
        assertEquals(
                List.of(
                        "notifications/resources/list_changed",
                        "notifications/resources/updated",
                        "notifications/resources/list_changed"),
                methods(standing));
    }

    @Test
    void aSessionHasOneStandingStreamAtATime() {
        String session = gateway.session("2025-11-25");
        RecordingSink first = get(session);
        assertTrue(first.streamed());
        assertEquals(409, get(session).status());
        first.leave();
        RecordingSink second = get(session);
        gateway.changes.publish("alpha", new switchboard.call.BackendEvent.ListChanged(ListType.TOOLS));
        assertEquals(List.of("notifications/tools/list_changed"), methods(second));
        assertTrue(first.events().isEmpty());
    }

    @Test
    void aStandingStreamKeepsItsSessionAlive() {
        String session = gateway.session("2025-11-25");
        RecordingSink stream = get(session);
        gateway.now.addAndGet(Duration.ofHours(5).toNanos());
        assertEquals(1, gateway.endpoint.liveSessions());
        stream.leave();
        gateway.now.addAndGet(Duration.ofMinutes(61).toNanos());
        assertEquals(0, gateway.endpoint.liveSessions());
        assertEquals(404, get(session).status());
    }

    @Test
    void aStandingStreamEndsWithItsSessionAndWithTheGateway() {
        String deleted = gateway.session("2025-11-25");
        RecordingSink stream = get(deleted);
        gateway.endpoint.delete(
                CoreFixture.inbound(ANYBODY, Map.of("Mcp-Session-Id", deleted), new byte[0]), new RecordingSink());
        assertTrue(stream.over());
        String evicted = gateway.session("2025-11-25");
        RecordingSink second = get(evicted);
        // Sessions with a stream give way last; where all have one, the one that was idle longest does.
        for (int i = 0; i < 3; i++) {
            get(gateway.session("2025-11-25"));
        }
        assertTrue(second.over());
        RecordingSink third = get(gateway.session("2025-11-25"));
        gateway.endpoint.shutdown();
        assertTrue(third.over());
        assertEquals(0, gateway.endpoint.openStreams());
    }

    @Test
    void aListThatIsAnotherNowIsSaidToThoseWhoWantIt() {
        RecordingSink tools = listen(ANYBODY, 1, "{\"toolsListChanged\":true}");
        RecordingSink resources = listen(ANYBODY, 2, "{\"resourcesListChanged\":true}");
        gateway.changes.relist(
                listener -> listener.view().isEmpty() && listener.principal().equals(ANYBODY));
        assertEquals(List.of("notifications/tools/list_changed"), methods(tools).subList(1, 2));
        assertEquals(1, resources.events().size());
        gateway.changes.relistResources(_ -> true);
        assertEquals(2, tools.events().size());
        assertEquals("notifications/resources/list_changed", methods(resources).getLast());
        assertEquals(
                "2",
                resources
                        .events()
                        .getLast()
                        .at("/params/_meta/io.modelcontextprotocol~1subscriptionId")
                        .toString());
        assertFalse(tools.over() || resources.over());
    }

    @Test
    void aStreamWhoseRightsHaveChangedSaysSoAndEnds() {
        RecordingSink tools = listen(ANYBODY, 1, "{\"toolsListChanged\":true}");
        RecordingSink prompts = listen(ANYBODY, 2, "{\"promptsListChanged\":true}");
        gateway.changes.outdate(_ -> true);
        assertEquals("notifications/tools/list_changed", methods(tools).getLast());
        assertEquals(1, prompts.events().size());
        for (RecordingSink sink : List.of(tools, prompts)) {
            assertEquals("complete", sink.json().at("/result/resultType").asText());
        }
        assertEquals(0, gateway.endpoint.openStreams());
    }

    @Test
    void aChangedResourceIsSaidBesideTheListOnlyToWhoSubscribedToIt() {
        RecordingSink sink = listen(
                ANYBODY, 1, "{\"resourcesListChanged\":true,\"resourceSubscriptions\":[\"alpha:1\",\"alpha:2\"]}");
        gateway.changes.publish("alpha", new switchboard.call.BackendEvent.ListChanged(ListType.TOOLS));
        gateway.changes.publish("alpha", new switchboard.call.BackendEvent.ListChanged(ListType.PROMPTS));
        assertEquals(1, sink.events().size());
        gateway.changes.publish("alpha", new switchboard.call.BackendEvent.ListChanged(ListType.RESOURCES));
        assertEquals(
                List.of(
                        "notifications/resources/list_changed",
                        "notifications/resources/updated",
                        "notifications/resources/updated"),
                methods(sink).subList(1, 4));
        assertEquals(
                List.of("alpha:1", "alpha:2"),
                sink.events().subList(2, 4).stream()
                        .map(event -> event.at("/params/uri").asText())
                        .toList());
    }

    @Test
    void newsThatComeBetweenTheEndAndItsTurnAreNotSaid() {
        RecordingSink sink = new RecordingSink();
        List<Runnable> later = new ArrayList<>();
        ReplySink busy = (ReplySink) Proxy.newProxyInstance(
                ReplySink.class.getClassLoader(), new Class<?>[] {ReplySink.class}, (_, method, arguments) -> {
                    if (method.getName().equals("execute")) {
                        later.add((Runnable) arguments[0]);
                        return null;
                    }
                    return method.invoke(sink, arguments);
                });
        gateway.endpoint.post(
                modern(
                        ANYBODY,
                        1,
                        "subscriptions/listen",
                        "{\"notifications\":{\"toolsListChanged\":true,\"resourceSubscriptions\":[\"alpha:1\"]}}"),
                busy);
        List.copyOf(later).forEach(Runnable::run);
        later.clear();
        int before = sink.events().size();
        gateway.endpoint.shutdown();
        gateway.changes.publish("alpha", new switchboard.call.BackendEvent.ListChanged(ListType.TOOLS));
        gateway.changes.publish("alpha", new switchboard.call.BackendEvent.ListChanged(ListType.RESOURCES));
        gateway.changes.relist(_ -> true);
        assertEquals(4, later.size());
        later.forEach(Runnable::run);
        assertTrue(sink.over());
        assertEquals(before, sink.events().size());
    }

    private static switchboard.call.BackendEvent.ListChanged changed(ListType kind, String resource) {
        return new switchboard.call.BackendEvent.ListChanged(kind, resource, null);
    }

    @Test
    void onlyWhoMayReadAResourceHearsThatItHasChanged() {
        String wanted = "{\"resourcesListChanged\":true,\"toolsListChanged\":true}";
        RecordingSink reader = listen(team("alpha:read:mine"), 1, wanted);
        RecordingSink writer = listen(team("alpha:create"), 2, wanted);
        RecordingSink elsewhere = listen(team("beta:*"), 3, wanted);
        gateway.changes.publish("alpha", changed(ListType.RESOURCES, "mine"));
        assertEquals(
                List.of(2, 1, 1),
                List.of(reader, writer, elsewhere).stream()
                        .map(sink -> sink.events().size())
                        .toList());
        gateway.changes.publish("alpha", changed(ListType.RESOURCES, "others"));
        assertEquals(2, reader.events().size(), "a resource that it may not read");
        gateway.changes.publish("alpha", new switchboard.call.BackendEvent.ListChanged(ListType.RESOURCES));
        assertEquals(3, reader.events().size());
        assertEquals(1, writer.events().size());
        gateway.changes.publish("alpha", new switchboard.call.BackendEvent.ListChanged(ListType.TOOLS));
        assertEquals(4, reader.events().size());
        assertEquals(2, writer.events().size(), "any right at a backend is enough for its tools");
        assertEquals(1, elsewhere.events().size());
    }
}
