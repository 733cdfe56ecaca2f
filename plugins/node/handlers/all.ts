import type { Handlers } from "edgehelm";
import type { NodeService } from "../proto/service_node_pb.ts";
import { findHandlers } from "./find.ts";
import { nodeHandlers } from "./nodes.ts";
import { ownHandlers } from "./own.ts";
import type { Parts } from "./parts.ts";
import { settingsHandlers } from "./settings.ts";

/** Every operation of the service. */
export function allHandlers(parts: Parts): Handlers<typeof NodeService> {
  return { ...nodeHandlers(parts), ...findHandlers(parts), ...settingsHandlers(parts), ...ownHandlers(parts) };
}
