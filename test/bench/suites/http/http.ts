import { fileURLToPath } from "node:url";
import { createDomains } from "../../installation/domains.ts";
import { Installation } from "../../installation/installation.ts";
import { ServerProcess } from "../../installation/server_process.ts";
import { denoCommand } from "../../installation/start_command.ts";
import type { BenchOptions, Measurement, Suite } from "../../suite.ts";
import { HttpCalls } from "./calls.ts";
import { type HttpLoad, httpMeasurement, measureHttp } from "../../measurement/http.ts";
import { memoryMeasurement, startMeasurement } from "../../measurement/server.ts";

const HONO = fileURLToPath(new URL("../../peers/hono_server.ts", import.meta.url));
const CONNECTIONS = 32;
const DOMAINS = 10_000;

/** HTTP through the default kernel at the default log level, beside bare Hono handlers on Deno.serve. */
export const http: Suite = {
  async open(options) {
    const { ours, calls, load, measurements, begin } = prepare(options);
    const quiet = new Installation(options.root, { environment: { EDGEHELM_LOG: "error" } });
    let hono: ServerProcess | undefined;
    return {
      measurements: [
        ...measurements,
        httpMeasurement("hono_empty", () => hono!, () => calls.empty(), load),
        httpMeasurement("hono_find", () => hono!, () => calls.find(), load),
        logLine(ours, quiet, calls, load),
      ],
      async begin() {
        // one after the other, since the start of a server is a figure too
        await begin();
        await quiet.start();
        hono = await ServerProcess.start(denoCommand(HONO, ours.databasePath));
      },
      async end() {
        await Promise.all([hono?.stop(), ours.stop(), quiet.stop()]);
      },
      async [Symbol.asyncDispose]() {
        await Promise.all([hono?.stop(), ours[Symbol.asyncDispose](), quiet[Symbol.asyncDispose]()]);
      },
    };
  },
  openForComparison(options) {
    const { ours, measurements, begin } = prepare(options);
    return Promise.resolve({
      measurements,
      begin,
      end: () => ours.stop(),
      [Symbol.asyncDispose]: () => ours[Symbol.asyncDispose](),
    });
  },
};

function prepare({ root, seconds }: BenchOptions) {
  const ours = new Installation(root);
  const calls = new HttpCalls(ours);
  const load = { connections: CONNECTIONS, seconds };
  const server = () => ours.server;
  const measurements: Measurement[] = [
    httpMeasurement("empty", server, () => calls.empty(), load),
    httpMeasurement("find", server, () => calls.find(), load),
    httpMeasurement("list_20", server, () => calls.list(), load),
    httpMeasurement("create", server, () => calls.create(), load),
    memoryMeasurement("memory_after", server),
    startMeasurement("start_to_ready", server),
  ];
  const begin = () => ours.startFilled(async () => void (calls.domains = await createDomains(ours, DOMAINS)));
  return { ours, calls, load, measurements, begin };
}

/** The cost of an empty call at the default log level, less that of one at the level error: in the order ABBA. */
function logLine(ours: Installation, quiet: Installation, calls: HttpCalls, load: HttpLoad): Measurement {
  const cost = async (installation: Installation) => {
    const { cpu } = await measureHttp(installation.server, { ...calls.empty(), headers: installation.headers }, load);
    return cpu;
  };
  return {
    figures: [{ name: "log_line_cpu", unit: "us" }],
    // the other one had its calls before
    async warmUp() {
      await cost(quiet);
      await cost(quiet);
    },
    async measure() {
      const [first, quietFirst] = [await cost(ours), await cost(quiet)];
      const [quietSecond, second] = [await cost(quiet), await cost(ours)];
      return [(first + second - quietFirst - quietSecond) / 2];
    },
  };
}
