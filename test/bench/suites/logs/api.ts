import { Installation, type Manifest } from "../../installation/installation.ts";
import { TemporaryFolder } from "../../installation/temporary_folder.ts";
import { callWithEach } from "../../load/h2load_single.ts";
import { httpMeasurement } from "../../measurement/http.ts";
import { memoryMeasurement, startMeasurement } from "../../measurement/server.ts";
import { settled } from "../../measurement/settled.ts";
import type { Bench, BenchOptions, Measurement } from "../../suite.ts";
import { LogBatches } from "./batches.ts";
import { DAY, DAY_START, SERVERS } from "./rows.ts";

const CREATE = "/pb.HTTPAccessLogService/createHTTPAccessLogs";
const LIST = "/HTTPAccessLogService/listHTTPAccessLogs";
const ROWS = 200_000;
/** Calls of one sample, and how many of them are in flight. */
const BATCHES = 60;
const AT_ONCE = 4;
/** A day is made of the rows that were there before and those of about so many samples. */
const SAMPLES_OF_DAY = 60;
const CONNECTIONS = 2;

/** A bench of access logs through the API, with the server that it runs on. */
export type LogsApi = Bench & { readonly server: Installation };

/** Logs go in over gRPC in encoded batches, and are listed over HTTP. */
export async function openLogsApi({ root, seconds, rows = ROWS, progress }: BenchOptions): Promise<LogsApi> {
  const server = await Installation.start(root, { manifest: withLongRetention });
  const folder = new TemporaryFolder();
  const batches = new LogBatches(rows + SAMPLES_OF_DAY * BATCHES * 1000, folder);
  const send = (paths: readonly string[]) => callWithEach(paths, AT_ONCE, server.grpcPort, CREATE, server.headers);
  progress.note(`sending ${rows} access logs`);
  for (let left = rows; left > 0; left -= BATCHES * batches.rowsOfBatch) await batches.withFiles(BATCHES, send);

  const lists = (name: string, fields: string, expected = '"httpAccessLogs":[{') => {
    const start = `<random ${DAY_START / 1000 + 1800} ${DAY_START / 1000 + 3600}>`;
    const body = `{"day":"${DAY}","requestId":"${start}000",${fields}}`;
    const call = () => ({ path: LIST, headers: server.headers, body, expected });
    return httpMeasurement(name, () => server.server, call, { connections: CONNECTIONS, seconds });
  };
  return {
    server,
    measurements: [
      ingest(server, batches, send),
      lists("api_list_20", '"size":20'),
      lists("api_list_1000", '"size":1000'),
      lists("api_list_20_of_server", `"size":20,"serverId":<random 1 ${SERVERS}>`, '"code":200'),
      lists("api_list_20_errors", '"size":20,"hasError":true'),
      memoryMeasurement("api_memory", () => server.server),
      startMeasurement("api_start_to_ready", () => server.server),
    ],
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** Processor time per row, with all that the server does for it after its response. */
function ingest(
  installation: Installation,
  batches: LogBatches,
  send: (paths: readonly string[]) => Promise<void>,
): Measurement {
  const rows = BATCHES * batches.rowsOfBatch;
  return {
    figures: [{ name: "api_ingest_row_cpu", unit: "us" }, { name: "api_ingest_rows", unit: "per s" }],
    measure: () =>
      batches.withFiles(BATCHES, async (paths) => {
        const { server } = installation;
        const [started, before] = [performance.now(), server.cpuMicroseconds()];
        await send(paths);
        const seconds = (performance.now() - started) / 1000;
        await settled(server);
        return [(server.cpuMicroseconds() - before) / rows, rows / seconds];
      }),
  };
}

/** The default installation, which keeps logs of any day. */
function withLongRetention(manifest: Manifest): Manifest {
  const config = { retentionDays: 36_500, minFreeBytes: "0" };
  const plugins = manifest.plugins.map((plugin) => plugin.use === "http_access_log" ? { ...plugin, config } : plugin);
  return { ...manifest, plugins };
}
