import { configHandlers } from "./configs.ts";
import { nodeHandlers } from "./nodes.ts";
import type { Deps, Operations } from "./deps.ts";
import { programHandlers } from "./programs.ts";
import { streamHandlers } from "./stream.ts";

/** Implements every operation of the service. */
export function nsNodeHandlers(deps: Deps): Operations {
  return { ...nodeHandlers(deps), ...configHandlers(deps), ...programHandlers(deps), ...streamHandlers(deps) };
}
