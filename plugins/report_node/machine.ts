import type { Call, DeployPackage } from "edgehelm";

/** What the machine that the server runs on offers. */
export interface Machine {
  /** The deploy packages of report nodes. */
  packages(call: Call): Promise<readonly DeployPackage[]>;
}
