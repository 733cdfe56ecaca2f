import { Installation, type Manifest } from "../../installation/installation.ts";
import { TemporaryFolder } from "../../installation/temporary_folder.ts";
import { callWithEach } from "../../load/h2load_single.ts";
import { httpMeasurement } from "../../measurement/http.ts";
import { memoryMeasurement, startMeasurement } from "../../measurement/server.ts";
import { settled } from "../../measurement/settled.ts";
import type { BenchOptions, Measurement } from "../../suite.ts";
import { LogBatches } from "./batches.ts";
import { DAY, DAY_START, SERVERS } from "./rows.ts";

const CREATE = "/pb.HTTPAccessLogService/createHTTPAccessLogs";
const LIST = "/HTTPAccessLogService/listHTTPAccessLogs";
const ROWS = 120_000;
/** A day has so many times the rows that are there before. */
const ROWS_OF_DAY = 10;
/** Lists begin somewhere among the rows that are there before, in seconds. */
const [LIST_FROM, LIST_TO] = [DAY_START / 1000 + 4320, DAY_START / 1000 + 8640];
/** Calls of one sample, and how many of them are in flight. */
const BATCHES = 60;
const AT_ONCE = 4;
const CONNECTIONS = 2;

/** Logs go in over gRPC in encoded batches, and are listed over HTTP; each round begins with the same rows. */
export function openLogsApi({ root, seconds, rows = ROWS }: BenchOptions) {
  const ours = new Installation(root, { manifest: withLongRetention });
  const server = () => ours.server;
  const folder = new TemporaryFolder();
  let batches = new LogBatches(0, folder);
  const send = (paths: readonly string[], atOnce: number) =>
    callWithEach(paths, atOnce, ours.grpcPort, CREATE, ours.headers);

  const lists = (name: string, fields: string, expected = '"httpAccessLogs":[{') => {
    const body = `{"day":"${DAY}","requestId":"<random ${LIST_FROM} ${LIST_TO}>000",${fields}}`;
    const call = () => ({ path: LIST, headers: ours.headers, body, expected });
    return httpMeasurement(name, server, call, { connections: CONNECTIONS, seconds });
  };
  return {
    measurements: [
      ingest(ours, () => batches, send),
      lists("api_list_20", '"size":20'),
      lists("api_list_1000", '"size":1000'),
      lists("api_list_20_of_server", `"size":20,"serverId":<random 1 ${SERVERS}>`, '"code":200'),
      lists("api_list_20_errors", '"size":20,"hasError":true'),
      memoryMeasurement("api_memory", server),
      startMeasurement("api_start_to_ready", server),
    ],
    begin: () =>
      ours.startFilled(async () => {
        batches = new LogBatches(rows * ROWS_OF_DAY, folder);
        for (let left = rows; left > 0; left -= BATCHES * batches.rowsOfBatch) {
          // one after the other, so that what is listed lies in the same files in every round
          await batches.withFiles(BATCHES, (paths) => send(paths, 1));
        }
        await settled(ours.server);
      }),
    end: () => ours.stop(),
    async [Symbol.asyncDispose]() {
      await ours[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** Processor time per row, with all that the server does for it after its response. */
function ingest(
  installation: Installation,
  batches: () => LogBatches,
  send: (paths: readonly string[], atOnce: number) => Promise<void>,
): Measurement {
  return {
    figures: [{ name: "api_ingest_row_cpu", unit: "us" }, { name: "api_ingest_rows", unit: "per s" }],
    measure: () =>
      batches().withFiles(BATCHES, async (paths) => {
        const { server } = installation;
        const rows = paths.length * batches().rowsOfBatch;
        const [started, before] = [performance.now(), server.cpuMicroseconds()];
        await send(paths, AT_ONCE);
        const seconds = (performance.now() - started) / 1000;
        await settled(server);
        return [(server.cpuMicroseconds() - before) / rows, rows / seconds];
      }),
  };
}

/** The default installation, which keeps logs of any day. */
function withLongRetention(manifest: Manifest): Manifest {
  const configs: Readonly<Record<string, object>> = {
    http_access_log: { retentionDays: 36_500 },
    access_log_segments: { minFreeBytes: "0" },
  };
  const plugins = manifest.plugins.map((plugin) => {
    const config = configs[plugin.use];
    return config === undefined ? plugin : { ...plugin, config };
  });
  return { ...manifest, plugins };
}
