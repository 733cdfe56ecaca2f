import type { Call, DeployPackage } from "edgehelm";

/** The services of the host that this plugin uses. */
export interface Machine {
  /** Returns the deploy packages of report nodes. */
  packages(call: Call): Promise<readonly DeployPackage[]>;
}
