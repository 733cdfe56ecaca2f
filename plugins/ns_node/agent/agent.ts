import { statSync } from "node:fs";
import { Api } from "./api.ts";
import { pauseBefore, wait } from "./backoff.ts";
import { HealthChecker } from "./health/checker.ts";
import { HealthReports } from "./health/reports.ts";
import { KnotConfiguration } from "./knot/configuration.ts";
import { Keymgr } from "./knot/keymgr.ts";
import { Knotc } from "./knot/knotc.ts";
import { KnotSigning } from "./knot/signing.ts";
import { KnotTailor } from "./knot/tailor.ts";
import { ZoneWriter } from "./knot/zone_writer.ts";
import { errorText, type Log } from "./log.ts";
import { Metrics } from "./metrics.ts";
import { holdSession, type SessionDeps } from "./session.ts";
import type { Settings } from "./settings.ts";
import { NodeState } from "./store/node_state.ts";
import { ensureModule } from "./queries/knot_module.ts";
import { QueryStatistics } from "./queries/statistics.ts";
import { Sync } from "./sync.ts";
import { Zones } from "./zones.ts";

/** Knot may have lost something without being started again; this finds it. */
const INSPECT_MILLISECONDS = 60_000;
/** The pause after an inspection that failed. */
const RETRY_MILLISECONDS = 5000;
/** The interval at which the agent looks whether Knot was started again. */
const WATCH_MILLISECONDS = 500;

/** Runs an agent until the signal aborts. */
export async function runAgent(settings: Settings, version: string, log: Log, signal: AbortSignal): Promise<void> {
  const metrics = new Metrics();
  const server = settings.metrics === "" ? undefined : await metrics.serve(settings.metrics);
  const knotc = new Knotc({
    program: settings.knotc,
    socket: settings.knotSocket,
  });
  const configuration = new KnotConfiguration(knotc);
  const state = new NodeState(settings.stateDirectory, settings.nodeId);
  const keymgr = new Keymgr({
    program: settings.keymgr,
    stateDirectory: settings.stateDirectory,
    socket: settings.knotSocket,
  });
  const { kaspDirectory } = settings;
  const signing = new KnotSigning({ knotc, keymgr, configuration, kaspDirectory });
  const tailor = new KnotTailor({
    ...{ knotc, configuration, log },
    socket: settings.knotSocket,
    directory: settings.routesDirectory,
    countries: settings.countries,
  });
  const writer = new ZoneWriter(knotc, log, metrics);
  const zones = new Zones({ state, configuration, signing, log, metrics, writer, tailor });
  const sync = new Sync({ state, configuration, zones, log, metrics });
  const { queries: directory, uploadSeconds } = settings;
  const statistics = directory === "" ? undefined : new QueryStatistics({
    ...{ directory, uploadSeconds, state, log, metrics },
    stateDirectory: settings.stateDirectory,
  });
  const reports = new HealthReports(log);
  const checker = new HealthChecker(state.zones, reports, metrics);
  let [inspectedAt, triedAt] = [-Infinity, -Infinity];

  /** One at a time, since all of them change Knot and the disk. */
  let last: Promise<unknown> = Promise.resolve();
  const alone = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const next = last.then(work, work);
    last = next.catch(() => {});
    return next;
  };
  const inspect = async () => {
    if (performance.now() - inspectedAt < INSPECT_MILLISECONDS) return;
    await zones.inspect();
    await (statistics?.configure(configuration) ?? ensureModule(configuration, undefined).catch(() => {}));
    inspectedAt = performance.now();
  };
  const deps: SessionDeps = {
    version,
    log,
    metrics,
    sync: (api) =>
      alone(async () => {
        statistics?.use(api);
        try {
          await inspect();
          await sync.run(api);
          await zones.removeOthers();
        } catch (error) {
          // what Knot has is unknown then
          inspectedAt = -Infinity;
          throw error;
        }
      }),
    configVersion: () => state.positions.config,
    connected: (api) => {
      reports.use(api);
      log.info("connected");
    },
    command: (code) => command(code, state),
  };
  let begun = beginOf(settings.knotSocket);
  const timer = setInterval(() => {
    const now = beginOf(settings.knotSocket);
    const isAgain = now !== begun;
    if (isAgain) inspectedAt = -Infinity;
    begun = now;
    const pause = isAgain ? 0 : RETRY_MILLISECONDS;
    if (now === "" || performance.now() < Math.max(inspectedAt + INSPECT_MILLISECONDS, triedAt + pause)) return;
    triedAt = performance.now();
    void alone(inspect).catch((error) => log.warn("Knot cannot be reached", { error: errorText(error) }));
  }, WATCH_MILLISECONDS);
  log.info("started", {
    version,
    state: settings.stateDirectory,
    zones: state.zones.size,
  });
  try {
    await statistics?.start();
    await alone(inspect).catch((error) => log.warn("Knot cannot be reached", { error: errorText(error) }));
    const checking = [checker.run(settings.checkMilliseconds, signal), reports.run(signal)];
    await connectAgain(settings, deps, signal);
    await Promise.all(checking);
  } finally {
    clearInterval(timer);
    await last;
    await statistics?.stop();
    knotc.close();
    server?.close();
  }
}

/** Returns what tells one run of Knot from another: it makes its socket when it starts. Empty if it does not run. */
function beginOf(socket: string): string {
  const found = statSync(socket, { throwIfNoEntry: false });
  return found === undefined ? "" : `${found.ino} ${found.ctimeMs}`;
}

/** Connects to one address after the other, with pauses. */
async function connectAgain(settings: Settings, deps: SessionDeps, signal: AbortSignal): Promise<void> {
  const { endpoints } = settings;
  let at = Math.floor(Math.random() * endpoints.length);
  let failures = 0;
  while (!signal.aborted) {
    using api = new Api(settings, endpoints[at++ % endpoints.length]!);
    const stop = () => api[Symbol.dispose]();
    signal.addEventListener("abort", stop);
    try {
      await holdSession(api, {
        ...deps,
        connected: (connected) => ((failures = 0), deps.connected(connected)),
      });
      deps.log.info("the stream ended");
    } catch (error) {
      if (!signal.aborted) {
        deps.log.warn("not connected", { error: errorText(error) });
      }
    } finally {
      signal.removeEventListener("abort", stop);
    }
    if (signal.aborted) return;
    deps.metrics.add("reconnects");
    await wait(pauseBefore(failures++), signal);
  }
}

function command(code: string, state: NodeState): unknown {
  if (code === "ping") return {};
  if (code === "listZones") {
    return [...state.zones.values()].slice(0, 1000).map(({ head }) => ({
      name: head.name,
      serial: head.served,
    }));
  }
  throw new Error(`unknown command "${code.slice(0, 60)}"`);
}
