package switchboard.app.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import switchboard.call.BackendRequest.Maintain;

/** {@code switchboard doctor}. */
@Command(
        name = "doctor",
        description =
                "Look for what is wrong: read every file of the embedded backends and compare check sums and counts.",
        mixinStandardHelpOptions = true)
public final class DoctorCommand implements Callable<Integer> {
    @Mixin
    private final Upkeep upkeep = new Upkeep();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    @Override
    public Integer call() {
        Logging.forPeople();
        Diagnosis diagnosis = new Diagnosis();
        upkeep.run(_ -> new Maintain.Check(), spec.commandLine().getErr(), new Stored(diagnosis));
        PrintWriter out = spec.commandLine().getOut();
        diagnosis.lines().forEach(out::println);
        return diagnosis.sound() ? 0 : Failures.FAILED;
    }

    /** What is wrong with the stores. */
    private record Stored(Diagnosis diagnosis) implements Upkeep.Answers {
        @Override
        public void done(String id, ObjectNode facts) {
            for (JsonNode space : facts.path("spaces")) {
                String name = id + " \"" + space.path("name").asText() + "\"";
                space.path("problems").forEach(problem -> diagnosis.bad(name, problem.asText()));
                if (space.path("problems").isEmpty()) {
                    diagnosis.good(
                            name, space.path("documents").asLong() + " documents, all files whole" + vectors(space));
                }
            }
        }

        /** Not a fault: a search says the same, and goes on by words. */
        private static String vectors(JsonNode space) {
            long outdated = space.path("outdated").asLong();
            return outdated == 0
                    ? ""
                    : "; " + outdated + " of them without vectors of the model configured now: switchboard reindex";
        }

        @Override
        public void failed(String id, String why) {
            diagnosis.bad(id, why);
        }
    }
}
