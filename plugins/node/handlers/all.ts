import type { Handlers } from "edgehelm";
import type { NodeService } from "../proto/service_node_pb.ts";
import { findHandlers } from "./find.ts";
import { nodeHandlers } from "./nodes.ts";
import { ownHandlers } from "./own.ts";
import type { Deps } from "./deps.ts";
import { programHandlers } from "./programs.ts";
import { settingsHandlers } from "./settings.ts";
import { streamHandlers } from "./stream.ts";

/** Implements every operation of the service. */
export function allHandlers(deps: Deps): Handlers<typeof NodeService> {
  return {
    ...nodeHandlers(deps),
    ...findHandlers(deps),
    ...settingsHandlers(deps),
    ...programHandlers(deps),
    ...ownHandlers(deps),
    ...streamHandlers(deps),
  };
}
