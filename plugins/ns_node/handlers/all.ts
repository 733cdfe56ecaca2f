import type { NodeStreams } from "edgehelm";
import { nsNodeKind, type NSNodeKindParts } from "../links.ts";
import { configHandlers } from "./configs.ts";
import { nodeHandlers } from "./nodes.ts";
import type { Operations, Parts } from "./parts.ts";
import { programHandlers } from "./programs.ts";
import { streamHandlers } from "./stream.ts";

/** Every operation of the service. */
export function nsNodeHandlers(given: Omit<Parts, "links"> & NSNodeKindParts & { streams: NodeStreams }): Operations {
  const parts = { ...given, links: given.streams.of(nsNodeKind(given)) };
  return { ...nodeHandlers(parts), ...configHandlers(parts), ...programHandlers(parts), ...streamHandlers(parts) };
}
