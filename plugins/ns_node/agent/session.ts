import { errorText, type Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { Api } from "./api.ts";
import { Outbox } from "./outbox.ts";
import { Rounds } from "./rounds.ts";
import { statusJSON } from "./status.ts";

/** The dependencies of {@link holdSession}. */
export interface SessionDeps {
  readonly version: string;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Brings the node up to date. */
  readonly sync: (api: Api) => Promise<void>;
  /** The version of the configuration that the node has. */
  readonly configVersion: () => string;
  /** Is called when the stream is open. */
  readonly connected: (api: Api) => void;
  /** Carries out a command, and returns the data of its response; throws if it fails. */
  readonly command: (code: string) => unknown;
}

/** The interval of reports, which must be below the minute after which a node counts as inactive. */
const REPORT_MILLISECONDS = 20_000;
/** Changes are notified; this is for those whose notification was lost. */
const SYNC_MILLISECONDS = 60_000;

type Reply = {
  requestId: bigint;
  isOk: boolean;
  message?: string;
  dataJSON?: Uint8Array<ArrayBuffer>;
};

/** Holds the stream of a node at one address, and keeps the node up to date, until either ends. */
export async function holdSession(api: Api, deps: SessionDeps): Promise<void> {
  const { log, metrics } = deps;
  const outbox = new Outbox<Reply>();
  const rounds = new Rounds(() => deps.sync(api), log, metrics);
  const report = async () => {
    const request = {
      statusJSON: statusJSON(deps.version, deps.configVersion()),
    };
    await api.nodes.updateNSNodeStatus(request, { signal: api.signal });
  };
  const timers = [
    setInterval(
      () => void report().catch((error) => log.warn("no report", { error: errorText(error) })),
      REPORT_MILLISECONDS,
    ),
    setInterval(() => rounds.ask(), SYNC_MILLISECONDS),
  ];
  const ended = new AbortController();
  const running = rounds.run(AbortSignal.any([api.signal, ended.signal]));
  try {
    for await (
      const { code, requestId, dataJSON } of api.nodes.nsNodeStream(outbox, {
        signal: api.signal,
      })
    ) {
      if (code === "connectedAPINode") {
        metrics.set("connected", 1);
        deps.connected(api);
        rounds.ask();
        await report();
        const { apiNodeId = 0 } = parsed(dataJSON) as { apiNodeId?: number };
        await api.nodes.updateNSNodeConnectedAPINodes(
          {
            apiNodeIds: [BigInt(apiNodeId)],
          },
          { signal: api.signal },
        );
      } else if (code === "newNodeTask") rounds.ask();
      else if (requestId !== 0n) outbox.push(replyTo(requestId, code, deps));
    }
  } finally {
    metrics.set("connected", 0);
    for (const timer of timers) clearInterval(timer);
    outbox.close();
    ended.abort();
    await running;
  }
}

function replyTo(requestId: bigint, code: string, { command }: SessionDeps): Reply {
  try {
    const data = command(code);
    return {
      requestId,
      isOk: true,
      dataJSON: new TextEncoder().encode(JSON.stringify(data)),
    };
  } catch (error) {
    return { requestId, isOk: false, message: errorText(error) };
  }
}

function parsed(json: Uint8Array): unknown {
  return json.length === 0 ? {} : JSON.parse(new TextDecoder().decode(json));
}
