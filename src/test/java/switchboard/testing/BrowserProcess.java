package switchboard.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** The processes of one Chromium and its driver, and the folder that they write into, which is removed at the end. */
final class BrowserProcess implements AutoCloseable {
    private static final Duration TO_END = Duration.ofSeconds(5);
    private static final String LOG = "driver.log";

    /** Warns that it has no classes for the protocol of this Chromium's version, which are not used. Kept: loggers are forgotten. */
    private static final Logger VERSIONS = Logger.getLogger("org.openqa.selenium.devtools.CdpVersionFinder");

    static {
        VERSIONS.setLevel(Level.SEVERE);
    }

    private final Path folder;
    private final ChromeDriverService service;
    private final ChromeDriver driver;
    private final Thread atExit;

    private BrowserProcess(Path folder, ChromeDriverService service, ChromeDriver driver) {
        this.folder = folder;
        this.service = service;
        this.driver = driver;
        this.atExit = new Thread(() -> processes(folder).forEach(ProcessHandle::destroyForcibly), "end of a browser");
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    static BrowserProcess start() {
        try {
            BrowserPrograms programs = BrowserPrograms.found();
            Path folder = Files.createTempDirectory("switchboard-browser-");
            ChromeDriverService service = new ChromeDriverService.Builder()
                    .usingDriverExecutable(programs.driver().toFile())
                    .usingPort(Programs.freePort())
                    .withEnvironment(programs.environment(folder))
                    .withLogFile(folder.resolve(LOG).toFile())
                    .build();
            try {
                service.start();
                return new BrowserProcess(
                        folder, service, new ChromeDriver(service, options(programs.chromium(), folder)));
            } catch (IOException | RuntimeException | Error e) {
                String log = log(folder);
                end(service, processes(folder));
                Programs.delete(folder);
                throw new AssertionError("Chromium does not start\n" + log, e);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ChromeOptions options(Path chromium, Path folder) {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium.toFile());
        options.addArguments(
                "--headless",
                // Neither root nor a user in a container can have the sandbox; all pages are those of tests.
                "--no-sandbox",
                "--user-data-dir=" + folder.resolve("profile"),
                // Containers have little shared memory.
                "--disable-dev-shm-usage",
                "--disable-gpu",
                "--disable-crash-reporter",
                "--no-first-run",
                // It asks nobody but this machine.
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                // What no page needs takes processor time: extensions, what it gets ready ahead, a process for each
                // site.
                "--disable-extensions",
                "--disable-component-extensions-with-background-pages",
                "--disable-features=Translate,OptimizationHints,MediaRouter,SpareRendererForSitePerProcess",
                "--renderer-process-limit=1",
                "--no-proxy-server",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost");
        options.setCapability("goog:loggingPrefs", Map.of("browser", "ALL", "performance", "ALL"));
        options.setExperimentalOption("perfLoggingPrefs", Map.of("enableNetwork", true, "enablePage", false));
        return options;
    }

    private static String log(Path folder) throws IOException {
        Path log = folder.resolve(LOG);
        return Files.exists(log) ? Files.readString(log) : "";
    }

    ChromeDriver driver() {
        return driver;
    }

    Path folder() {
        return folder;
    }

    /** Driver and browser, which are known by the folder that they were started with, and all processes below them. */
    static List<ProcessHandle> processes(Path folder) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains(folder + File.separator))
                .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
                .distinct()
                .toList();
    }

    /** One that has ended has no command line any more, also if nobody has asked for its exit code yet. */
    private static boolean runs(ProcessHandle process) {
        return process.isAlive() && process.info().commandLine().isPresent();
    }

    private static void end(ChromeDriverService service, List<ProcessHandle> processes) {
        long start = System.nanoTime();
        try {
            service.stop();
        } finally {
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> {
                        if (System.nanoTime() - start > TO_END.toNanos()) {
                            processes.forEach(ProcessHandle::destroyForcibly);
                        }
                        return processes.stream().noneMatch(BrowserProcess::runs);
                    },
                    () -> "the processes of the browser end: " + processes);
        }
    }

    @Override
    public void close() {
        List<ProcessHandle> processes = processes(folder);
        try {
            driver.quit();
        } catch (WebDriverException _) {
            // The driver is gone, and ends no browser.
            processes.forEach(ProcessHandle::destroyForcibly);
        } finally {
            end(service, processes);
            Runtime.getRuntime().removeShutdownHook(atExit);
        }
        try {
            Programs.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
