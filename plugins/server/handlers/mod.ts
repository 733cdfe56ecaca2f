import type { Handlers } from "edgehelm";
import type { ServerService } from "../proto/service_server_pb.ts";
import { changeHandlers } from "./change.ts";
import type { Deps } from "./deps.ts";
import { findHandlers } from "./find.ts";

/** Handles all operations of the service. */
export function serverHandlers(deps: Deps): Handlers<typeof ServerService> {
  return { ...changeHandlers(deps), ...findHandlers(deps) };
}
