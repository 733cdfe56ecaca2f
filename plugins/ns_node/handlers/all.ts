import { NodeConnections } from "edgehelm";
import { configHandlers } from "./configs.ts";
import { nodeHandlers } from "./nodes.ts";
import type { Operations, Parts } from "./parts.ts";
import { programHandlers } from "./programs.ts";
import { streamHandlers } from "./stream.ts";

/** Every operation of the service. */
export function nsNodeHandlers(given: Omit<Parts, "connections">): Operations {
  const parts = { ...given, connections: new NodeConnections() };
  return { ...nodeHandlers(parts), ...configHandlers(parts), ...programHandlers(parts), ...streamHandlers(parts) };
}
