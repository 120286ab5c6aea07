package switchboard.app.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import switchboard.app.BootException;
import switchboard.app.GatewayApp;
import switchboard.app.StartupCheck;
import switchboard.call.BackendRequest.Maintain;
import switchboard.call.DiagnosticFinding;
import switchboard.config.ConfigException;

/** {@code switchboard doctor}: runs all checks, and exits with 1 if one of them found a problem. */
@Command(
        name = "doctor",
        description = "Find problems and say how to fix them: JDK, folders, disk, ports, configuration, engines"
                + " with their versions, keys and clocks, and every file of the embedded backends.",
        footer = "  switchboard doctor --config conf/switchboard.yaml")
public final class DoctorCommand extends PrintingCommand implements Callable<Integer> {
    @Mixin
    private final MaintenanceRunner maintenanceRunner = new MaintenanceRunner();

    @Override
    public Integer call() {
        Logging.forPeople();
        PrintWriter err = err();
        try (Progress progress = Progress.of("Looking", 0, err)) {
            return InterruptHandler.during(
                    err,
                    () -> {
                        progress.end();
                        return "Stopped: not everything was checked, and nothing was changed.";
                    },
                    interruption -> look(new MaintenanceRunner.Watched(progress, interruption)));
        }
    }

    private int look(MaintenanceRunner.Watched watched) {
        DoctorReport doctorReport = new DoctorReport();
        MachineCheck machine = new MachineCheck(maintenanceRunner.installation(), doctorReport);
        machine.machine();
        try {
            machine.ports(maintenanceRunner.config());
            doctorReport.good("configuration", "can be used");
            StartupCheck.cluster(maintenanceRunner.config())
                    .forEach(finding -> found("cluster", finding, doctorReport));
            maintenanceRunner.within(app -> {
                engines(app, doctorReport);
                maintenanceRunner.run(app, _ -> new Maintain.Check(), watched, new Stored(doctorReport));
            });
        } catch (ConfigException e) {
            e.problems().forEach(problem -> doctorReport.bad("configuration", problem.toString()));
        } catch (BootException e) {
            e.problems().forEach(problem -> doctorReport.bad("start", problem));
        }
        watched.progress().end();
        PrintWriter out = out();
        doctorReport.lines().forEach(out::println);
        return doctorReport.sound() ? 0 : CommandFailures.FAILED;
    }

    private static void engines(GatewayApp app, DoctorReport doctorReport) {
        app.examine().await().forEach((id, findings) -> findings.forEach(finding -> found(id, finding, doctorReport)));
    }

    private static void found(String id, DiagnosticFinding finding, DoctorReport doctorReport) {
        String about = id + " " + finding.about();
        if (finding.sound()) {
            doctorReport.good(about, finding.detail());
        } else {
            doctorReport.bad(about, finding.detail());
        }
    }

    /** The results of checking the stores. */
    private record Stored(DoctorReport diagnosis) implements MaintenanceRunner.BackendAnswers {
        /** Files that lack changes for so long are a problem. */
        private static final int LATE_SECONDS = 120;

        @Override
        public void done(String id, ObjectNode facts) {
            for (JsonNode namespace : facts.path("namespaces")) {
                String name = id + " \"" + namespace.path("name").asText() + "\"";
                namespace.path("problems").forEach(problem -> diagnosis.bad(name, problem.asText()));
                if (namespace.path("problems").isEmpty()) {
                    diagnosis.good(
                            name,
                            namespace.path("documents").asLong() + " documents, all files intact" + vectors(namespace));
                }
            }
            facts.path("following").forEach(library -> following(id, library));
        }

        private void following(String id, JsonNode library) {
            String name = id + " \"" + library.path("name").asText() + "\" follows";
            String words = library.path("words").asText();
            boolean late = library.path("behind").asLong() > 0
                    && library.path("seconds").asLong() >= LATE_SECONDS;
            if (late && !library.path("building").asBoolean()) {
                diagnosis.bad(name, words + "; look in the log of the gateway why");
            } else {
                diagnosis.good(name, words);
            }
        }

        /** Not a problem: searches report this themselves and continue by keywords. */
        private static String vectors(JsonNode namespace) {
            long outdated = namespace.path("outdated").asLong();
            return outdated == 0
                    ? ""
                    : "; " + outdated + " of them without vectors of the configured model; run: switchboard reindex";
        }

        @Override
        public void failed(String id, String why) {
            diagnosis.bad(id, why);
        }
    }
}
