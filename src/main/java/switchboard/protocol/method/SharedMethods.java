package switchboard.protocol.method;

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

    /** A handler for each method, by the method's name. */
    public static Map<String, MethodHandler> over(ProtocolServices services) {
        VisibleTools tools = new VisibleTools(services.policy());
        InputRequiredFlow inputRequiredFlow = new InputRequiredFlow(
                services, new RequestStateSigner(services.settings().stateKeys(), InstantSource.system()));
        Backends backends = new Backends(services, inputRequiredFlow);
        Stream<MethodHandler> own = Stream.of(
                new ToolsList(services.settings(), tools),
                new ToolsCall(services, tools, inputRequiredFlow),
                new ResourcesRead(backends),
                new PromptsGet(backends),
                new CompletionComplete(backends));
        return Stream.concat(own, BackendList.all(backends).stream())
                .collect(Collectors.toUnmodifiableMap(MethodHandler::method, Function.identity()));
    }
}
