import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { packAgent } from "../../../../plugins/ns_node/agent/build.ts";
import { knotRuns, startKnotOn } from "../../../servers/knot.ts";
import { freePort } from "../../../servers/nsd.ts";
import { type Sshd, sshdRuns, startSshd } from "../../../servers/sshd.ts";
import { Site } from "../../node_installation/rig.ts";
import { DNSSite } from "./rig.ts";

const MORE = ["file", "file_chunk", "node", "node_cluster", "node_grant"];

describe.skipIf(!knotRuns() || !sshdRuns())("the agent, installed over SSH", () => {
  let sshd: Sshd;
  let dns: DNSSite;
  let site: Site;
  let port: number;
  beforeAll(async () => {
    sshd = await startSshd();
    port = await freePort();
    const installation = { use: "node_installation", config: { installDirectory: `${sshd.folder}/apps` } };
    dns = await DNSSite.open([...MORE, installation], { outbound: { allow: ["127.0.0.0/8"] } });
    site = Site.on(dns.server);
  });
  afterAll(async () => {
    await dns?.[Symbol.asyncDispose]();
    await sshd?.[Symbol.asyncDispose]();
  });

  test("needs Knot, starts with the configuration of the installation, and serves its cluster", async () => {
    const folder = await mkdtemp(join(tmpdir(), "edgehelm-packed-"));
    try {
      const archive = await packAgent(folder, "7.0.0");
      await site.uploadPackage({ filename: basename(archive), content: await readFile(archive) });
    } finally {
      await rm(folder, { recursive: true });
    }
    const nsNodeId = await site.dnsNode(sshd, await site.grant());
    expect(await site.install(nsNodeId)).toMatchObject({ state: "failed", error: expect.stringContaining("knot: ") });

    await startKnotOn(sshd, port);
    expect(await site.install(nsNodeId)).toMatchObject({ state: "done", version: "7.0.0" });

    const { nsNode } = await site.call("NSNodeService/findNSNode", { nsNodeId });
    const { nsDomainId } = await site.call("NSDomainService/createNSDomain", {
      nsClusterId: nsNode.nsCluster.id,
      name: "ssh.test",
    });
    await site.call("NSRecordService/createNSRecord", { nsDomainId, name: "www", type: "A", value: "192.0.2.1" });
    const args = ["+short", "@127.0.0.1", "-p", `${port}`, "www.ssh.test", "A"];
    await vi.waitFor(() => expect(execFileSync("dig", args).toString()).toBe("192.0.2.1\n"), {
      timeout: 120_000,
      interval: 100,
    });
    // upgrades remove the releases beside it
    expect(sshd.run(`ls ${sshd.folder}/apps/edge-dns/state`).trim().split("\n")).toContain("positions.json");
  });
});
