import { copyFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { as, testKernel } from "edgehelm/testing";
import { expect, test } from "vitest";
import { plugins, rpc, zoneRpc } from "./rig.ts";
import { NSNodeService } from "../../../plugins/ns_node/proto/service_ns_node_pb.ts";
import { TEST_DATABASE } from "../../harness/database.ts";

const admin = as.admin();

test.skipIf(TEST_DATABASE === "sqld")(
  "a node that knows more than a restored installation has to start over",
  async () => {
    const [live, backup] = [await mkdtemp(join(tmpdir(), "live-")), await mkdtemp(join(tmpdir(), "backup-"))];
    try {
      let node = as.dns(0n);
      let nsDomainId = 0n;
      const use = async (
        directory: string,
        work: (kernel: Awaited<ReturnType<typeof testKernel>>) => Promise<void>,
      ) => {
        await using kernel = await testKernel({ plugins, directory });
        await work(kernel);
      };
      const compare = async (
        kernel: Awaited<ReturnType<typeof testKernel>>,
        history: string,
        versions: object[] = [],
      ) => await kernel.call(node, zoneRpc.compareNSFeedVersions, { history, versions });

      let first!: Awaited<ReturnType<typeof compare>>;
      await use(live, async (kernel) => {
        const { nsClusterId } = await kernel.call(admin, rpc.createNSCluster, {
          name: "main",
          hosts: ["ns1.edge.test"],
        });
        const created = await kernel.call(admin, NSNodeService.method.createNSNode, {
          name: "ns1",
          nodeClusterId: nsClusterId,
        });
        node = as.dns(created.nsNodeId);
        ({ nsDomainId } = await kernel.call(admin, rpc.createNSDomain, { name: "one.test", nsClusterId }));
        await kernel.call(admin, rpc.createNSRecord, { nsDomainId, name: "a", type: "A", value: "192.0.2.1" });
        first = await compare(kernel, "");
        expect(first.isKnown).toBe(false);
        expect(Object.fromEntries(first.versions.map(({ type, version }) => [type, version])))
          .toEqual({ nsDomainChanged: 1n, nsRecordChanged: 1n });
        expect(await compare(kernel, first.history, first.versions)).toEqual({ ...first, isKnown: true });
      });
      for (const name of await readdir(live)) await copyFile(join(live, name), join(backup, name));

      let second!: typeof first;
      await use(live, async (kernel) => {
        // a restart begins a history, and the node continues
        second = await compare(kernel, first.history, first.versions);
        expect(second.isKnown).toBe(true);
        expect(second.history).not.toBe(first.history);
        await kernel.call(admin, rpc.createNSRecord, { nsDomainId, name: "lost", type: "A", value: "192.0.2.2" });
        second = await compare(kernel, second.history, second.versions);
        expect(second.isKnown).toBe(true);
      });

      await use(backup, async (kernel) => {
        // the node that saw the lost record, also after the restored installation counted to the same version
        expect((await compare(kernel, second.history, second.versions)).isKnown).toBe(false);
        await kernel.call(admin, rpc.createNSRecord, { nsDomainId, name: "b", type: "A", value: "192.0.2.3" });
        expect((await compare(kernel, second.history, second.versions)).isKnown).toBe(false);
        // one that named the earlier history with a version that came after its end
        expect((await compare(kernel, first.history, second.versions)).isKnown).toBe(false);
        // one that saw only what was in the backup
        expect((await compare(kernel, first.history, first.versions)).isKnown).toBe(true);
      });
    } finally {
      for (const directory of [live, backup]) await rm(directory, { recursive: true, force: true });
    }
  },
);
