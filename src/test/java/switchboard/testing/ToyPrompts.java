package switchboard.testing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.backend.PromptProvider;
import switchboard.call.BackendReply;
import switchboard.call.CallContext;
import switchboard.call.Json;

/** One prompt, {@code greet}, with a required argument. */
final class ToyPrompts implements PromptProvider {
    @Override
    public Future<BackendReply.Prompts> list(@Nullable String cursor, CallContext context) {
        ObjectNode prompt = Json.object().put("name", "greet").put("description", "Greets somebody.");
        prompt.putArray("arguments")
                .addObject()
                .put("name", "name")
                .put("description", "Whom to greet.")
                .put("required", true);
        return Future.succeededFuture(new BackendReply.Prompts(List.of(prompt), null));
    }

    @Override
    public Future<BackendReply.Prompt> get(String name, Map<String, String> arguments, CallContext context) {
        if (!name.equals("greet")) {
            return Future.succeededFuture(new BackendReply.Prompt(null));
        }
        ObjectNode result = Json.object().put("description", "A greeting.");
        result.putArray("messages")
                .addObject()
                .put("role", "user")
                .putObject("content")
                .put("type", "text")
                .put("text", "Greet " + arguments.getOrDefault("name", "nobody") + ".");
        return Future.succeededFuture(new BackendReply.Prompt(result));
    }

    @Override
    public Future<BackendReply.Completion> complete(
            String prompt, String argument, String value, Map<String, String> known, CallContext context) {
        List<String> names = Stream.of("ada", "alan", "grace")
                .filter(name -> name.startsWith(value))
                .toList();
        return Future.succeededFuture(new BackendReply.Completion(names, names.size(), false));
    }
}
