package switchboard.embed;

import ai.onnxruntime.OrtEnvironment;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Keeps ONNX Runtime's environment until the process has ended. The Java binding releases it in a shutdown hook, which
 * the JVM runs concurrently with others; a session under way would then read freed memory and crash the process. The
 * runtime counts references, so an additional one, taken through its C API, makes that release harmless. It is taken before
 * the binding takes its own: a process may be stopped while it loads a model, and then the hook runs at once.
 */
final class OrtEnvironmentHolder {
    /** The version of the C API. Functions keep their positions in later versions. */
    private static final int API_VERSION = 1;

    /** The index of {@code OrtApi.CreateEnv} in the function table. */
    private static final int CREATE_ENV = 3;

    private static final int LOG_WARNINGS = 2;

    private static final class Held {
        /** Null if the process was stopping before there was one. */
        static final @Nullable OrtEnvironment ENVIRONMENT = held();
    }

    private OrtEnvironmentHolder() {}

    /**
     * The one environment of this process.
     *
     * @throws switchboard.call.ToolException {@code UNAVAILABLE}, if the process is stopping
     */
    static OrtEnvironment get() {
        OrtEnvironment environment = Held.ENVIRONMENT;
        if (environment == null) {
            throw NativeResourceGuard.closed();
        }
        return environment;
    }

    private static @Nullable OrtEnvironment held() {
        // Any call of the binding loads the library.
        var _ = OrtEnvironment.getAvailableProviders();
        try (Arena memory = Arena.ofConfined()) {
            addReference(memory);
        } catch (Throwable e) { // what MethodHandle.invoke declares
            throw new IllegalStateException("ONNX Runtime's C interface is not as documented", e);
        }
        try {
            return OrtEnvironment.getEnvironment();
        } catch (IllegalStateException e) {
            // The binding adds its hook, which a JVM that is stopping refuses.
            return null;
        }
    }

    @SuppressWarnings("restricted") // the launcher allows native access, which the runtime itself needs
    private static void addReference(Arena memory) throws Throwable {
        Linker linker = Linker.nativeLinker();
        MethodHandle getApiBase = linker.downcallHandle(
                SymbolLookup.loaderLookup().findOrThrow("OrtGetApiBase"), FunctionDescriptor.of(ValueLayout.ADDRESS));
        MemorySegment base = table((MemorySegment) getApiBase.invokeExact(), 1);
        MethodHandle getApi = linker.downcallHandle(
                base.getAtIndex(ValueLayout.ADDRESS, 0),
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
        MemorySegment api = table((MemorySegment) getApi.invokeExact(API_VERSION), CREATE_ENV + 1);
        MethodHandle createEnv = linker.downcallHandle(
                api.getAtIndex(ValueLayout.ADDRESS, CREATE_ENV),
                FunctionDescriptor.of(
                        ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
        MemorySegment status = (MemorySegment) createEnv.invokeExact(
                LOG_WARNINGS, memory.allocateFrom("switchboard"), memory.allocate(ValueLayout.ADDRESS));
        if (status.address() != 0) {
            throw new IllegalStateException("the environment can't be referred to again");
        }
    }

    @SuppressWarnings("restricted")
    private static MemorySegment table(MemorySegment start, int functions) {
        return start.reinterpret(functions * ValueLayout.ADDRESS.byteSize());
    }
}
