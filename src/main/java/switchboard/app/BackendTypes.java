package switchboard.app;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import switchboard.backend.BackendModule;

/** The backend types of this build. */
public final class BackendTypes {
    private BackendTypes() {}

    /** One module for each type. */
    public static List<BackendModule<?>> all() {
        return List.of();
    }

    /** By type, the record of the settings that the configuration of its backends is read into. */
    public static Map<String, Class<? extends Record>> settings(List<BackendModule<?>> modules) {
        return modules.stream().collect(Collectors.toMap(BackendModule::type, BackendModule::settingsType));
    }
}
