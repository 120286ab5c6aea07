package switchboard.app.command;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import switchboard.app.Installation;
import switchboard.app.RunningGateway;
import switchboard.call.DiskError;
import switchboard.config.GatewayConfig;

/** The checks of {@code doctor} on the machine: JDK, installation, data folder, disk and ports. */
final class MachineCheck {
    private static final int JDK = 25;
    private static final long MIB = 1024 * 1024;

    /** Merging a large index temporarily needs its size again on the disk. */
    private static final long ENOUGH_MIB = 1024;

    private final Installation installation;
    private final DoctorReport doctorReport;

    MachineCheck(Installation installation, DoctorReport doctorReport) {
        this.installation = installation;
        this.doctorReport = doctorReport;
    }

    /** Checks that don't depend on the configuration. */
    void machine() {
        jdk(Runtime.version().feature());
        if (Files.isDirectory(installation.home().resolve("backends"))) {
            doctorReport.good("installation", installation.home().toString());
        } else {
            doctorReport.bad(
                    "installation",
                    installation.home() + " has no folder backends; start with the launcher ./switchboard, or unpack"
                            + " the archive whole");
        }
        data(installation.data());
    }

    /** Checks the ports of {@code config}. */
    void ports(GatewayConfig config) {
        Optional<URI> serving = RunningGateway.find(installation.data());
        if (serving.isPresent()) {
            doctorReport.good("ports", "a gateway serves this data folder at " + serving.get());
            return;
        }
        port("server.port", "--port", config.server().host(), config.server().port());
        port(
                "management.port",
                "--management-port",
                config.management().host(),
                config.management().port());
        if (config.consoleUse() == GatewayConfig.ConsoleUse.ON) {
            port(
                    "console.port",
                    "--console-port",
                    config.console().host(),
                    config.console().port());
        }
    }

    void jdk(int feature) {
        String version = Runtime.version() + " in " + System.getProperty("java.home");
        if (feature >= JDK) {
            doctorReport.good("JDK", version);
        } else {
            doctorReport.bad(
                    "JDK", version + " is older than " + JDK + "; install a newer one and set JAVA_HOME to it");
        }
    }

    private void data(Path folder) {
        Path existing = folder;
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        try {
            Files.delete(Files.createTempFile(existing, "doctor", ".tmp"));
            doctorReport.good("data folder", folder + " can be written to");
            disk(existing, Files.getFileStore(existing).getUsableSpace() / MIB);
        } catch (IOException e) {
            doctorReport.bad(
                    "data folder",
                    folder + " can't be written to by " + System.getProperty("user.name") + " ("
                            + DiskError.problem(e)
                            + "); give it to that user (chown), mount it writable, or name another with --data");
        }
    }

    void disk(Path folder, long freeMib) {
        if (freeMib >= ENOUGH_MIB) {
            doctorReport.good("disk", freeMib + " MiB free at " + folder);
        } else {
            doctorReport.bad(
                    "disk",
                    "only " + freeMib + " MiB free at " + folder
                            + ", and merging an index temporarily needs its size again; free some, or move the data folder to a larger disk and name it with --data");
        }
    }

    private void port(String key, String flag, String host, int port) {
        String name = key + " " + port;
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName(host))) {
            doctorReport.good(name, "free at " + socket.getInetAddress().getHostAddress());
        } catch (UnknownHostException _) {
            doctorReport.bad(
                    name, "the host \"" + host + "\" is not an address; use one of this machine, or 0.0.0.0 for all");
        } catch (BindException e) {
            doctorReport.bad(
                    name,
                    "is in use at " + host + " (" + e.getMessage() + "); stop what listens there (ss -ltnp shows it),"
                            + " or choose another with " + flag);
        } catch (IOException e) {
            doctorReport.bad(name, e + "; choose another with " + flag);
        }
    }
}
