import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserRuns } from "../../../core/client/runtimes/page_visit.ts";
import { PASSWORD, type Sshd, sshdRuns, startSshd } from "../../../servers/sshd.ts";
import { PLUGINS, Site } from "../../node_installation/rig.ts";
import { ConsoleServer, type Visit } from "../visitor.ts";

describe.runIf(browserRuns() && sshdRuns())("the program of a node in a browser", () => {
  let sshd: Sshd;
  let served: ConsoleServer;
  let site: Site;
  let visit: Visit;
  let nsNodeId: number;
  beforeAll(async () => {
    sshd = await startSshd();
    const installation = { use: "node_installation", config: { installDirectory: `${sshd.folder}/apps` } };
    const settings = { outbound: { allow: ["127.0.0.0/8"] } };
    served = await ConsoleServer.start([...PLUGINS, "console", "node_log", installation], settings);
    site = Site.on(served.server);
    nsNodeId = await site.dnsNode(sshd, await site.grant({ password: PASSWORD }));
    visit = await served.visit();
    await visit.signIn();
  });
  afterAll(async () => {
    await visit?.end();
    await served?.stop();
    await sshd?.[Symbol.asyncDispose]();
  });

  test("is installed with live steps, after its error said what to do, and a new host key was accepted", async () => {
    const { page } = visit;
    await visit.open(`resource/NSNode/${nsNodeId}`);
    await page.getByRole("tab", { name: "Program" }).click();
    await page.getByText("Nothing was installed on this node.").waitFor();
    await visit.expectAccessible();
    await page.getByRole("button", { name: "Install", exact: true }).click();
    const alert = page.getByRole("alert");
    await alert.getByText("there is no package of edge-dns").waitFor();
    await alert.getByText("Upload a package for this machine").waitFor();
    await visit.expectAccessible();

    await site.upload({ name: "edge-dns", version: "1.0.0", test: "sleep 2" });
    await page.getByRole("button", { name: "Install", exact: true }).click();
    const stateOf = (step: string) => page.getByRole("row").filter({ hasText: step });
    await stateOf("Test the program").getByText("running").waitFor();
    await stateOf("Unpack it").getByText("done").waitFor();
    await stateOf("Start the program").getByText("done").waitFor();
    await page.getByText("version 1.0.0").waitFor();
    await page.getByRole("button", { name: "Stop", exact: true }).waitFor();

    sshd = await sshd.changeHostKey();
    await page.getByRole("button", { name: "Install newest version" }).click();
    await page.getByText(sshd.fingerprint, { exact: true }).waitFor();
    await page.setViewportSize({ width: 390, height: 860 });
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.getByRole("button", { name: "Accept new key" }).click();
    const dialog = page.getByRole("dialog");
    await visit.expectAccessible();
    await dialog.getByRole("button", { name: "Accept new key" }).click();
    await expect.poll(() => dialog.count()).toBe(0);
    await page.getByRole("button", { name: "Install newest version" }).click();
    await stateOf("Start the program").getByText("done").waitFor();
    await page.setViewportSize({ width: 390, height: 860 });
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    await visit.expectAccessible();
  });
});
