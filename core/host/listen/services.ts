import type { Kernel } from "../../kernel/kernel.ts";
import { Health } from "../../transports/grpc/health.ts";
import { GrpcService } from "../../transports/grpc/service.ts";
import { createHttpService, type HttpService } from "../../transports/http/app.ts";
import type { Settings } from "../settings/settings.ts";
import { zlibCompress, zlibDecompress } from "./compress.ts";
import { zlibCodings } from "./message_codings.ts";

export type ServingState = "starting" | "serving" | "stopping";

/** The services behind the listeners of an installation. */
export interface Services {
  readonly http: HttpService;
  readonly grpc: GrpcService;
  readonly health: Health;
}

export function createServices(
  kernel: Kernel,
  { http: { errorStatus, corsOrigins, behindProxy } }: Settings,
  state: () => ServingState,
): Services {
  const http = createHttpService(kernel, {
    errorStatus,
    corsOrigins,
    behindProxy,
    codings: zlibCodings,
    compress: zlibCompress,
    decompress: zlibDecompress,
    notReady: () => state() === "serving" ? kernel.notReady() : Promise.resolve(state()),
  });
  const health = new Health(() => state() === "serving");
  return { http, grpc: new GrpcService(kernel, { codings: zlibCodings, health, behindProxy }), health };
}
