package switchboard.protocol.modern;

import java.time.InstantSource;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import switchboard.protocol.MethodHandler;
import switchboard.protocol.ProtocolServices;

/** The methods that both eras have. */
public final class SharedMethods {
    private SharedMethods() {}

    /** Them all, by name. */
    public static Map<String, MethodHandler> over(ProtocolServices services) {
        VisibleTools tools = new VisibleTools(services.policy());
        Rounds rounds = new Rounds(services, new StateSeal(services.settings().stateKeys(), InstantSource.system()));
        Backends backends = new Backends(services, rounds);
        Stream<MethodHandler> own = Stream.of(
                new ToolsList(services.settings(), tools),
                new ToolsCall(services, tools, rounds),
                new ResourcesRead(backends),
                new PromptsGet(backends),
                new CompletionComplete(backends));
        return Stream.concat(own, BackendList.all(backends).stream())
                .collect(Collectors.toUnmodifiableMap(MethodHandler::method, Function.identity()));
    }
}
