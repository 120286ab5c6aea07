package switchboard.backend;

import io.vertx.core.Future;
import java.lang.reflect.ParameterizedType;
import java.util.stream.Stream;
import switchboard.call.CallContext;
import switchboard.call.ToolReply;

/**
 * The code behind one tool.
 *
 * @param <A> the arguments: a record whose components are exactly the properties of the tool's {@code inputSchema};
 *     optional ones without a default are {@code @Nullable}
 */
public interface ToolHandler<A extends Record> {
    /** The tool's name in {@code tools.json}. */
    String name();

    /** The record of the arguments: {@code A}. A handler that does not name it as a class has to override this. */
    @SuppressWarnings("unchecked") // the argument of this interface is A
    default Class<A> argsType() {
        return Stream.of(getClass().getGenericInterfaces())
                .filter(ParameterizedType.class::isInstance)
                .map(ParameterizedType.class::cast)
                .filter(type -> type.getRawType().equals(ToolHandler.class))
                .map(type -> type.getActualTypeArguments()[0])
                .filter(Class.class::isInstance)
                .map(type -> (Class<A>) type)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(getClass().getName() + " does not name its arguments"));
    }

    /**
     * Runs the tool on an event loop; must not block it.
     *
     * <p>Expected failures are {@link ToolReply.Failed} values or a future failed with {@link
     * switchboard.call.ToolException}; anything else counts as a defect and is shown as a correlation id only.
     *
     * @param args valid against the schema, defaults filled in
     */
    Future<ToolReply> call(A args, CallContext context);
}
