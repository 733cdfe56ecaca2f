import type { NodeStreams } from "edgehelm";
import { nsNodeKind, type NSNodeKindDeps } from "../links.ts";
import { configHandlers } from "./configs.ts";
import { nodeHandlers } from "./nodes.ts";
import type { Deps, Operations } from "./deps.ts";
import { programHandlers } from "./programs.ts";
import { streamHandlers } from "./stream.ts";

/** Every operation of the service. */
export function nsNodeHandlers(given: Omit<Deps, "links"> & NSNodeKindDeps & { streams: NodeStreams }): Operations {
  const deps = { ...given, links: given.streams.of(nsNodeKind(given)) };
  return { ...nodeHandlers(deps), ...configHandlers(deps), ...programHandlers(deps), ...streamHandlers(deps) };
}
