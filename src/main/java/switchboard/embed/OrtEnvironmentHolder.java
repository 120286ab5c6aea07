package switchboard.embed;

import ai.onnxruntime.OrtEnvironment;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import switchboard.call.ToolException;

/**
 * Keeps ONNX Runtime's environment until the process has ended. The Java binding releases it in a shutdown hook, which
 * the JVM runs concurrently with others; a session under way would then read freed memory and crash the process. The
 * runtime counts references, so an additional one, taken through its C API, makes that release harmless. It is taken before the
 * binding has its own: a process that stops while it starts may run the hook as soon as there is one.
 */
final class OrtEnvironmentHolder {
    /** The version of the C API. Functions keep their positions in later versions. */
    private static final int API_VERSION = 1;

    /** The index of {@code OrtApi.CreateEnv} in the function table. */
    private static final int CREATE_ENV = 3;

    private static final int LOG_WARNINGS = 2;

    private static final class Held {
        static final OrtEnvironment ENVIRONMENT = held();
    }

    private OrtEnvironmentHolder() {}

    /**
     * The one environment of this process.
     *
     * @throws switchboard.call.ToolException {@code UNAVAILABLE}, if the process stops
     */
    static OrtEnvironment get() {
        try {
            return Held.ENVIRONMENT;
        } catch (ExceptionInInitializerError e) {
            if (e.getCause() instanceof ToolException stopping) {
                throw stopping;
            }
            throw e;
        }
    }

    private static OrtEnvironment held() {
        try (Arena memory = Arena.ofConfined()) {
            // Loads the library.
            MethodHandles.lookup().ensureInitialized(OrtEnvironment.class);
            addReference(memory);
        } catch (LinkageError e) {
            throw e;
        } catch (Throwable e) { // what MethodHandle.invoke declares
            throw new IllegalStateException("ONNX Runtime's C interface is not as documented", e);
        }
        try {
            return OrtEnvironment.getEnvironment();
        } catch (IllegalStateException e) {
            // A JVM that stops takes no more hooks.
            throw NativeResourceGuard.closed();
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
