import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserRuns } from "../../../core/client/runtimes/page_visit.ts";
import { ConsoleServer } from "../visitor.ts";
import { MESSAGE_PLUGINS, MessageWorld } from "./message_world.ts";

const PLUGINS = [...MESSAGE_PLUGINS, "message_task_log"];
const THANKS = "thank you, message 7 is stored";
const REFUSAL = "no such channel <b>#ops</b>";

describe.runIf(browserRuns())("attempts to send messages", () => {
  let served: ConsoleServer;
  let provider: Server;
  beforeAll(async () => {
    provider = createServer((request, response) => {
      const isRefused = request.url === "/refuses";
      request.resume().on("end", () => response.writeHead(isRefused ? 404 : 200).end(isRefused ? REFUSAL : THANKS));
    });
    await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
    served = await ConsoleServer.start(PLUGINS, { outbound: { allow: ["127.0.0.1"] } });
  });
  afterAll(async () => {
    await served.stop();
    provider.close();
  });

  test("each is listed with the provider's own words, and opens with its message", async () => {
    const world = new MessageWorld(served.server);
    const { port } = provider.address() as AddressInfo;
    for (
      const [name, path, subject] of [["Hook of Vaasa", "takes", "Vaasa is back"], [
        "Hook of Oulu",
        "refuses",
        "Oulu is gone",
      ]]
    ) {
      const paramsJSON = { url: `http://127.0.0.1:${port}/${path}` };
      const channel = await world.addChannel(name!, { mediaType: "webHook", paramsJSON });
      await world.addMessage(await world.addRecipient(channel, `noc at ${path}`), subject!, `${subject} since noon`);
    }
    const count = async () => (await world.post("MessageTaskLogService/countMessageTaskLogs", {})).count;
    await expect.poll(count, { timeout: 60_000 }).toBe(2);
    const visit = await served.visit();
    const { page } = visit;
    await visit.signIn();
    await visit.open("messages/attempts");
    await page.getByRole("row", { name: /Vaasa is back thank you, message 7 is stored Sent .*noc at takes/ }).waitFor();
    const failed = page.getByRole("row", { name: /Oulu is gone .*Failed .*noc at refuses Hook of Oulu/ });
    await failed.getByText(`status 404: ${REFUSAL}`).waitFor();
    await visit.expectAccessible();
    await failed.getByRole("button", { name: "Oulu is gone" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(`status 404: ${REFUSAL}`).waitFor();
    expect(await dialog.locator(".message-body").textContent()).toBe("Oulu is gone since noon");
    await visit.expectAccessible();
    await dialog.getByRole("button", { name: "Close" }).click();
    // a deleted message leaves its attempts
    await world.post("MessageTaskService/deleteMessageTask", { messageTaskId: 2 });
    await page.reload();
    await page.getByRole("row", { name: /^Message 2, which cannot be sent any more .*status 404/ }).waitFor();
    await visit.end();
    const narrow = await served.visit({ width: 390, theme: "dark" });
    await narrow.signIn();
    await narrow.page.getByLabel("Language").selectOption("zh");
    await narrow.open("messages/attempts");
    await narrow.page.getByText(THANKS).waitFor();
    await narrow.expectAccessible();
    await narrow.expectNoSidewaysScroll();
    await narrow.end();
  });
});
