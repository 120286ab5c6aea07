package switchboard.app;

import switchboard.concurrent.TeamShare;
import switchboard.config.GatewayConfig;
import switchboard.config.LimitsConfig;
import switchboard.config.ResumeConfig;
import switchboard.dispatch.DispatchLimits;
import switchboard.protocol.ProtocolSettings;
import switchboard.protocol.RequestStateKeys;
import switchboard.protocol.legacy.ResumeLimits;
import switchboard.session.SessionLimits;

/** Translates the configured limits into the limits of each component. Others keep their defaults. */
final class ConfiguredLimits {
    private ConfiguredLimits() {}

    static DispatchLimits dispatch(GatewayConfig config, TeamShare share) {
        LimitsConfig limits = config.limits();
        return new DispatchLimits(
                limits.callsPerBackend(),
                Math.min(limits.fewestPerBackend(), limits.callsPerBackend()),
                limits.calls(),
                limits.waiting(),
                limits.longestWait(),
                DispatchLimits.DEFAULT.retryAfterMs(),
                share);
    }

    static SessionLimits sessions(GatewayConfig config) {
        return new SessionLimits(config.sessions().max(), config.sessions().idleTtl());
    }

    static ResumeLimits resume(GatewayConfig config) {
        ResumeConfig resume = config.sessions().resume();
        return new ResumeLimits(
                resume.after(),
                resume.hangUpAfter(),
                resume.retry(),
                resume.keep(),
                resume.messages(),
                resume.size().toInt());
    }

    static ProtocolSettings protocol(GatewayConfig config) {
        ProtocolSettings usual = ProtocolSettings.defaults(Installation.version());
        return new ProtocolSettings(
                usual.server(),
                new ProtocolSettings.BatchLimits(
                        config.limits().batchSize(), usual.batches().concurrency()),
                usual.pageSize(),
                usual.listTtl(),
                config.limits().streams(),
                config.server().requestTimeout(),
                config.server().stateKey() == null
                        ? usual.stateKeys()
                        : RequestStateKeys.of(config.server().stateKey()::since));
    }
}
