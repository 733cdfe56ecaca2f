import { Installation } from "../../installation/installation.ts";
import { TemporaryFolder } from "../../installation/temporary_folder.ts";
import type { Measurement } from "../../suite.ts";
import { CliHome } from "./cli_home.ts";
import { writeManyObjects } from "./many_objects.ts";

/** The time of applying 10,000 objects to an empty installation, and of the plan after it, which has no changes. */
export function applyMeasurement(root: string): Measurement {
  return {
    figures: [
      { name: "apply_10k_objects_s", unit: "s" },
      { name: "apply_10k_objects_cpu_s", unit: "s" },
      { name: "apply_10k_objects_server_cpu_s", unit: "s" },
      { name: "plan_10k_objects_s", unit: "s" },
      { name: "plan_10k_objects_cpu_s", unit: "s" },
    ],
    // each one starts a server of its own, whose first calls are part of it
    warmUp: async () => {},
    async measure() {
      using folder = new TemporaryFolder();
      writeManyObjects(folder.path);
      await using installation = await Installation.start(root);
      using home = await CliHome.of(installation, root);
      const before = installation.server.cpuMicroseconds();
      const apply = await home.run("apply", folder.path, "--yes");
      const serverSeconds = (installation.server.cpuMicroseconds() - before) / 1e6;
      const plan = await home.run("plan", folder.path);
      return [
        apply.milliseconds / 1000,
        apply.cpuMilliseconds / 1000,
        serverSeconds,
        plan.milliseconds / 1000,
        plan.cpuMilliseconds / 1000,
      ];
    },
  };
}
