import { definePlugin, type Plugin } from "edgehelm";
import { as, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { AccessLogClickHouseConfigSchema } from "../../../plugins/access_log_clickhouse/proto/config_pb.ts";
import { OriginSettingsSchema } from "../../../plugins/origin/proto/config_pb.ts";
import plugin from "../../../plugins/installation/plugin.ts";
import { InstallationService } from "../../../plugins/installation/proto/service_installation_pb.ts";

export const rpc = InstallationService.method;
export const admin = as.admin(1n);

/** The work of the job `worker.work`. */
export interface Work {
  run: () => Promise<void>;
}

/** Opens a kernel with plugins that have a job and settings. */
export async function openKernel(clock: TestClock, work: Work): Promise<TestKernel> {
  const manifest = { version: "1.0.0", kernel: "^1", services: [], tables: [] };
  const worker = definePlugin({
    manifest: { ...manifest, name: "worker", version: "2.1.0", description: "Works now and then." },
    setup: ({ every }) => every({ name: "work", everySeconds: 600, run: () => work.run() }),
  });
  const store: Plugin = definePlugin({
    manifest: { ...manifest, name: "store" },
    comments: () => import("../../../plugins/access_log_clickhouse/proto/comments_pb.ts"),
    config: AccessLogClickHouseConfigSchema,
    setup() {},
  });
  const origins = definePlugin({
    manifest: { ...manifest, name: "origins" },
    config: OriginSettingsSchema,
    setup() {},
  });
  return await testKernel({
    plugins: [plugin, worker, store, origins],
    clock,
    admins: { 2: ["log", "setting"] },
    config: {
      store: { url: "http://ada:hunter2@clickhouse.example:8123", username: "ada", password: "hunter3" },
      origins: { allowedRanges: ["10.0.0.0/8"] },
    },
  });
}
