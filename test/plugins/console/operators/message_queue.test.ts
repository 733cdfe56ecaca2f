import type { Page, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browserRuns } from "../../../core/client/runtimes/page_visit.ts";
import { ConsoleServer, type Visit } from "../visitor.ts";
import { CHANGED_ELSEWHERE, MESSAGE_PLUGINS, MessageWorld } from "./message_world.ts";

describe.runIf(browserRuns())("the queue of messages and the groups of recipients", () => {
  let served: ConsoleServer;
  let world: MessageWorld;
  let visit: Visit;
  let page: Page;
  beforeAll(async () => {
    served = await ConsoleServer.start(MESSAGE_PLUGINS);
    world = new MessageWorld(served.server);
  });
  afterAll(() => served.stop());
  beforeEach(async () => {
    visit = await served.visit();
    ({ page } = visit);
    await visit.signIn();
  });
  afterEach(() => visit.end());

  const state = (name: string) =>
    page.getByRole("navigation", { name: "State" }).getByRole("link", { name: new RegExp(`^${name} `) });

  test("messages are chosen by state, shown whole, and deleted", async () => {
    const recipientId = await world.addRecipient(await world.addChannel("Mail of Aarhus"), "noc@aarhus.example");
    const body = `${"A long story about the harbour. ".repeat(40)}\n\n<b>The end</b>`;
    const waiting = await world.addMessage(recipientId, "Aarhus waits", body);
    await world.addMessage(recipientId, "Aarhus got it", "", 2);
    await visit.open("messages");
    await page.getByRole("row", { name: /Aarhus waits admin · noc@aarhus.example Mail of Aarhus/ }).waitFor();
    expect(await page.getByText("Aarhus got it").count()).toBe(0);
    await visit.expectAccessible();
    await state("Sent").click();
    await page.getByRole("row", { name: /Aarhus got it/ }).waitFor();
    expect(await page.getByText("Aarhus waits").count()).toBe(0);
    await state("Waiting").click();
    await page.getByRole("button", { name: "Aarhus waits", exact: true }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.locator(".message-body").textContent()).toBe(body);
    await visit.expectAccessible();
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Delete message “Aarhus waits”" }).click();
    await dialog.getByText("It will not be sent.").waitFor();
    await dialog.getByRole("button", { name: "Delete message" }).click();
    await page.getByRole("row", { name: /Aarhus waits/ }).waitFor({ state: "detached" });
    const find = { messageTaskId: waiting };
    expect(await world.post("MessageTaskService/findEnabledMessageTask", find)).toEqual({});
  });

  test("a message that failed says why, and is queued again", async () => {
    const recipientId = await world.addRecipient(await world.addChannel("Mail of Odense"), "noc@odense.example");
    const messageTaskId = await world.addMessage(recipientId, "Odense is offline", "since noon", 3);
    const error = "535 the mail server refused the login";
    // only a message transport sets errors
    await page.route("**/MessageTaskService/listMessageTasksWithStatus", async (route: Route) => {
      const found = await (await route.fetch()).json();
      for (const task of found.data.messageTasks ?? []) if (task.status === 3) task.result = { error };
      await route.fulfill({ json: found });
    });
    await visit.open("messages/queue/failed");
    const row = page.getByRole("row", { name: /Odense is offline/ });
    await row.getByText(error).waitFor();
    await row.getByRole("button", { name: "Odense is offline", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(error).waitFor();
    await visit.expectAccessible();
    await dialog.getByRole("button", { name: "Close" }).click();
    await row.getByRole("button", { name: "Queue message “Odense is offline” again" }).click();
    await dialog.getByRole("button", { name: "Queue again" }).click();
    await row.waitFor({ state: "detached" });
    const { messageTask } = await world.post("MessageTaskService/findEnabledMessageTask", { messageTaskId });
    expect([messageTask.status, messageTask.sentAt, messageTask.result]).toEqual([0, 0, undefined]);
    await page.unrouteAll({ behavior: "wait" });
  });

  test("an empty installation says what to set up first, in both languages and on a phone", async () => {
    const empty = await ConsoleServer.start(MESSAGE_PLUGINS);
    const newcomer = await empty.visit({ width: 390 });
    const { page: first } = newcomer;
    await newcomer.signIn();
    for (const tab of ["queue", "recipients"]) {
      await newcomer.open(`messages/${tab}`);
      await first.getByText("First add a channel").waitFor();
      await newcomer.expectAccessible();
      await newcomer.expectNoSidewaysScroll();
    }
    await first.getByRole("link", { name: "Add channel" }).click();
    await first.getByRole("heading", { level: 1, name: "Add channel" }).waitFor();
    await newcomer.open("messages/groups");
    await first.getByText("There are no groups yet.").waitFor();
    await newcomer.open("messages/channels");
    await first.getByText("There are no channels yet.").waitFor();
    await new MessageWorld(empty.server).addChannel("Mail of Aalborg");
    await newcomer.open("messages/queue");
    await first.reload();
    await first.getByText("There is a channel. Now add recipients").waitFor();
    await newcomer.open("messages/recipients");
    await first.getByText("No one receives messages yet.").waitFor();
    await first.getByLabel("Language").selectOption("中文");
    await first.getByText("还没有人接收消息。").waitFor();
    await newcomer.end();
    await empty.stop();
  });

  test("a group is added, counted, renamed, and deleted when it is empty", async () => {
    await visit.open("messages/groups");
    await page.getByRole("button", { name: "Add group" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("x".repeat(300));
    await dialog.getByRole("button", { name: "Add group" }).click();
    await dialog.getByRole("alert").filter({ hasText: /^name: / }).waitFor();
    expect(await dialog.getByLabel("Name").getAttribute("aria-invalid")).toBe("true");
    await dialog.getByLabel("Name").fill("Kiruna");
    await dialog.getByRole("button", { name: "Add group" }).click();
    await page.getByRole("row", { name: /Kiruna 0 members/ }).waitFor();
    const { messageRecipientGroups } = await world.post(
      "MessageRecipientGroupService/findAllEnabledMessageRecipientGroups",
      {},
    );
    const { id } = messageRecipientGroups.find(({ name }: { readonly name: string }) => name === "Kiruna");
    const recipient = { messageRecipientGroupIds: [id] };
    const recipientId = await world.addRecipient(
      await world.addChannel("Mail of Kiruna"),
      "noc@kiruna.example",
      recipient,
    );
    await page.reload();
    await visit.expectAccessible();
    await page.getByRole("link", { name: "Kiruna: 1 member" }).click();
    await page.getByRole("row", { name: /noc@kiruna.example/ }).waitFor();
    expect(await page.getByLabel("Group", { exact: true }).inputValue()).toBe(String(id));
    await visit.open("messages/groups");
    await page.getByRole("button", { name: "Rename Kiruna" }).click();
    await dialog.getByLabel("Name").fill("Kiruna at night");
    await world.post("MessageRecipientGroupService/updateMessageRecipientGroup", {
      ...{ messageRecipientGroupId: id, name: "Kiruna by day", isOn: true },
    });
    await dialog.getByRole("button", { name: "Rename" }).click();
    await dialog.getByRole("alert").getByText(CHANGED_ELSEWHERE).waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.reload();
    await page.getByRole("button", { name: "Rename Kiruna by day" }).click();
    await dialog.getByLabel("Name").fill("Kiruna at night");
    await dialog.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("button", { name: "Delete Kiruna at night" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await dialog.getByRole("alert").getByText("noc@kiruna.example").waitFor();
    await world.post("MessageRecipientService/deleteMessageRecipient", { messageRecipientId: recipientId });
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("cell", { name: "Kiruna at night", exact: true }).waitFor({ state: "detached" });
  });

  test("secrets inside of JSON are hidden until they are asked for", async () => {
    const hook = {
      url: "https://hook.esbjerg.example",
      headers: [{ name: "Authorization", value: "Bearer of fish" }, { name: "Accept", value: "text/plain" }],
    };
    const mailbox = { smtp: "smtp.edge.example:465", username: "noc@edge.example", password: "smoked fish" };
    const id = await world.addChannel("Hook of Esbjerg", { mediaType: "webHook", paramsJSON: hook });
    // the server masks these, but services of others may show theirs
    await page.route("**/MessageMediaInstanceService/findEnabledMessageMediaInstance", async (route: Route) => {
      const found = await (await route.fetch()).json();
      const { messageMediaInstance: shown } = found.data;
      shown.paramsJSON = btoa(JSON.stringify(shown.messageMedia.type === "email" ? mailbox : hook));
      await route.fulfill({ json: found });
    });
    await visit.open(`resource/MessageMediaInstance/${id}`);
    await page.getByRole("cell", { name: "text/plain" }).waitFor();
    const main = page.locator("main");
    expect(await main.textContent()).not.toContain("Bearer of fish");
    await visit.expectAccessible();
    await page.getByRole("cell").getByRole("button", { name: "Show" }).click();
    await page.getByRole("cell", { name: "Bearer of fish" }).waitFor();
    await page.getByRole("cell").getByRole("button", { name: "Hide" }).click();
    await page.locator("summary").filter({ hasText: "JSON" }).first().click();
    expect(await main.textContent()).not.toContain("Bearer of fish");
    await page.locator("details").getByRole("button", { name: "Show" }).click();
    await page.locator("pre").getByText("Bearer of fish").waitFor();
    const mail = await world.addChannel("Mail of Esbjerg", { paramsJSON: mailbox });
    await visit.open(`resource/MessageMediaInstance/${mail}/edit`);
    const password = page.getByLabel("Password", { exact: true });
    expect([await password.getAttribute("type"), await password.inputValue()]).toEqual(["password", "smoked fish"]);
    await page.unrouteAll({ behavior: "wait" });
  });
});
