import { readdir } from "node:fs/promises";
import { deployPackages } from "../node_base/contract.ts";
import type { ReportNodeConfig } from "./proto/config_pb.ts";
import type { Machine } from "./machine.ts";

const PROGRAM = "edge-reporter";
const DEFAULT_DIRECTORY = "deploy";

/** Opens the directory with deploy packages. */
export function open({ deployDirectory }: ReportNodeConfig): Machine {
  return {
    async packages() {
      try {
        return deployPackages(PROGRAM, await readdir(deployDirectory || DEFAULT_DIRECTORY));
      } catch (error) {
        if ((error as { code?: string }).code === "ENOENT") return [];
        throw error;
      }
    },
  };
}
