import type { Call } from "edgehelm";
import type { DeployPackage } from "../node_base/contract.ts";

/** The services of the host that this plugin uses. */
export interface Machine {
  /** Returns the deploy packages of report nodes. */
  packages(call: Call): Promise<readonly DeployPackage[]>;
}
