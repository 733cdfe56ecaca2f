import { testKernel } from "edgehelm/testing";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { servedApi } from "../../../../core/kernel/served/served_api.ts";
import { openApiDocument, sourcesOf } from "../../../../plugins/openapi/document.ts";
import { OpenApiConfigSchema } from "../../../../plugins/openapi/proto/config_pb.ts";
import { create } from "@bufbuild/protobuf";
import { clientGzipBytes } from "../../../core/client/bundle_size.ts";
import { firstParty } from "../../../matrix/plugins.ts";
import { hosts, standIns } from "../../../matrix/world.ts";
import { Installation } from "../../installation/installation.ts";
import type { Measurement, Suite } from "../../suite.ts";
import { applyMeasurement } from "./apply.ts";
import { CliHome } from "./cli_home.ts";

const BYTES_PER_KB = 1000;

/** Sizes and times of what is derived from descriptors: the document, the client and the commands. */
export const derived: Suite = {
  async open({ root }) {
    const stack = new AsyncDisposableStack();
    const edgehelm = await testKernel({ plugins: firstParty, stubs: standIns(), hosts });
    stack.defer(() => edgehelm.stop());
    const installation = stack.use(await Installation.start(root));
    const home = stack.use(await CliHome.of(installation, root));
    const api = servedApi(firstParty, edgehelm.kernel.operations.all);
    const sources = await sourcesOf(api);
    const config = create(OpenApiConfigSchema);
    return {
      measurements: [
        documentMeasurement(() => openApiDocument(api, sources, config)),
        {
          figures: [{ name: "client_kb", unit: "KB" }],
          measure: async () => [await clientGzipBytes() / BYTES_PER_KB],
        },
        commandMeasurement("cli_start", () => home.run("NSDomainService", "findNSDomain", "--help")),
        commandMeasurement("cli_call", () => home.run("NSDomainService", "countAllNSDomains")),
        applyMeasurement(root),
      ],
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  },
};

/** The time of making the document, which a server does once, and its size with and without compression. */
function documentMeasurement(make: () => string): Measurement {
  return {
    figures: [
      { name: "openapi_ms", unit: "ms" },
      { name: "openapi_kb", unit: "KB" },
      { name: "openapi_gzip_kb", unit: "KB" },
    ],
    async measure() {
      const started = performance.now();
      const document = new TextEncoder().encode(make());
      const milliseconds = performance.now() - started;
      const compressed = await promisify<Uint8Array, Uint8Array>(gzip)(document);
      return [milliseconds, document.length / BYTES_PER_KB, compressed.length / BYTES_PER_KB];
    },
  };
}

/** The time of a command from the start of its process to the end, and its processor time. */
function commandMeasurement(
  name: string,
  run: () => Promise<{ readonly milliseconds: number; readonly cpuMilliseconds: number }>,
): Measurement {
  return {
    figures: [{ name: `${name}_ms`, unit: "ms" }, { name: `${name}_cpu_ms`, unit: "ms" }],
    async measure() {
      const { milliseconds, cpuMilliseconds } = await run();
      return [milliseconds, cpuMilliseconds];
    },
  };
}
