import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browserRuns } from "../../../core/client/runtimes/page_visit.ts";
import { ConsoleServer, type Visit } from "../visitor.ts";
import { CHANGED_ELSEWHERE, MESSAGE_PLUGINS, MessageWorld } from "./message_world.ts";

describe.runIf(browserRuns())("channels and recipients of messages", () => {
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

  const save = () => page.getByRole("button", { name: "Save" }).click();
  const field = (label: string) => page.getByLabel(label, { exact: true });

  test("a mail account is added with an error beside its field, and its password stays out of the list", async () => {
    await visit.open("messages/channels/new");
    await field("Name").fill("Mail of Oslo");
    await field("Mail server").fill("smtp.oslo.example");
    await field("Username").fill("noc@oslo.example");
    await field("Password").fill("fjord and ferry");
    await field("Messages at most").fill("20");
    await field("Within this many minutes").fill("5");
    await field("Seconds until the same message is sent again").fill("600");
    await save();
    const error = page.getByRole("alert").filter({ hasText: "paramsJSON.smtp: must be host:port" });
    await error.waitFor();
    const server = field("Mail server");
    expect([await server.getAttribute("aria-invalid"), await page.getByRole("alert").count()]).toEqual(["true", 1]);
    expect(await server.getAttribute("aria-describedby")).toContain(await error.getAttribute("id"));
    await visit.expectAccessible();
    await server.fill("smtp.oslo.example:465");
    await save();
    const row = page.getByRole("row", { name: /Mail of Oslo on Email 20 messages in 5 minutes/ });
    await row.getByText("not sent again for 600 seconds").waitFor();
    expect(await page.locator("main").textContent()).not.toContain("fjord");
    await visit.expectAccessible();
    expect(await world.channelNamed("Oslo")).toMatchObject({
      ...{ name: "Mail of Oslo", isOn: true, hashLife: 600, rate: { minutes: 5, count: 20 } },
      params: { smtp: "smtp.oslo.example:465", username: "noc@oslo.example", password: "******" },
    });
    await row.getByRole("link", { name: "Mail of Oslo" }).click();
    expect(await field("Password").getAttribute("type")).toBe("password");
    await page.getByText("It is stored, and not shown.").waitFor();
    await field("Username").fill("night@oslo.example");
    await save();
    await row.waitFor();
    const kept = { smtp: "smtp.oslo.example:465", username: "night@oslo.example", password: "fjord and ferry" };
    expect(await world.secretsOf("Oslo")).toEqual(kept);
    await row.getByRole("link", { name: "Mail of Oslo" }).click();
    await field("Password").fill("bridge");
    await page.getByRole("button", { name: "Show" }).click();
    expect([await field("Password").getAttribute("type"), await field("Password").inputValue()])
      .toEqual(["text", "bridge"]);
    await save();
    await row.waitFor();
    expect(await world.secretsOf("Oslo")).toEqual({ ...kept, password: "bridge" });
  });

  test("a web hook has headers, and either parameters or a body", async () => {
    await visit.open("messages/channels/new");
    await field("Name").fill("Hook of Turku");
    await field("Kind").selectOption({ label: "Web hook" });
    await field("URL").fill("https://hook.turku.example/in");
    await field("Method").selectOption("GET");
    await page.getByRole("group", { name: "Headers" }).getByRole("button", { name: "Add" }).click();
    await field("Headers 1: Name").fill("Authorization");
    await field("Headers 1: Value").fill("Bearer of Turku");
    expect(await field("Headers 1: Value").getAttribute("type")).toBe("password");
    await field("Content").selectOption({ label: "A body of your own" });
    await field("Body").fill("${MessageSubject}");
    await page.getByLabel("Leave out repeated messages").uncheck();
    await visit.expectAccessible();
    await save();
    await page.getByRole("row", { name: /Hook of Turku on Web hook no limit sent every time/ }).waitFor();
    const { hashLife } = await world.channelNamed("Turku");
    expect([hashLife, await world.secretsOf("Turku")]).toEqual([-1, {
      ...{ url: "https://hook.turku.example/in", method: "GET", contentType: "body", body: "${MessageSubject}" },
      headers: [{ name: "Authorization", value: "Bearer of Turku" }],
    }]);
  });

  test("a kind that the form does not know has a JSON editor", async () => {
    const kind = { id: 99, type: "pager", name: "Pager", description: "", userDescription: "A number", isOn: true };
    await page.route(
      "**/MessageMediaService/findAllMessageMedias",
      (route) => route.fulfill({ json: { code: 200, message: "ok", data: { messageMedias: [kind] } } }),
    );
    await visit.open("messages/channels/new");
    await field("Kind").selectOption({ label: "Pager" });
    await page.getByRole("textbox", { name: "Parameters" }).fill('{"line": 7');
    await field("Name").fill("Pager of Riga");
    await save();
    await page.getByRole("alert").filter({ hasText: "paramsJSON: must be JSON" }).waitFor();
    await visit.expectAccessible();
  });

  test("a channel keeps its parameters while others change, and nothing of others is overwritten", async () => {
    const password = "herring at noon";
    const params = { smtp: "smtp.bergen.example:25", username: "noc@bergen.example", password };
    const id = await world.addChannel("Mail of Bergen", { paramsJSON: params, rateJSON: { minutes: 1, count: 3 } });
    await visit.open(`messages/channels/${id}`);
    await field("Description").fill("Second mail server");
    await save();
    await page.getByRole("link", { name: "Mail of Bergen" }).waitFor();
    expect(await world.channelNamed("Bergen")).toMatchObject({ description: "Second mail server" });
    expect(await world.secretsOf("Bergen")).toEqual(params);
    await visit.open(`messages/channels/${id}`);
    await field("Name").fill("Post of Bergen");
    await world.post("MessageMediaInstanceService/updateMessageMediaInstance", {
      ...{ messageMediaInstanceId: id, name: "Mail of Bergen", mediaType: "email", isOn: true, description: "Theirs" },
    });
    await save();
    await page.getByRole("alert").getByText(CHANGED_ELSEWHERE).waitFor();
    await visit.expectAccessible();
    expect(await world.channelNamed("Bergen")).toMatchObject({ name: "Mail of Bergen", description: "Theirs" });
    await page.getByRole("button", { name: "Show what it is now" }).click();
    await expect.poll(() => field("Description").inputValue()).toBe("Theirs");
    await field("Name").fill("Post of Bergen");
    await save();
    await page.getByRole("link", { name: "Post of Bergen" }).waitFor();
    expect(await world.channelNamed("Bergen")).toMatchObject({ name: "Post of Bergen", description: "Theirs" });
    expect(await world.secretsOf("Bergen")).toEqual(params);
  });

  test("a channel is turned off, and deleted when no recipient uses it", async () => {
    const id = await world.addChannel("Mail of Tampere");
    const recipientId = await world.addRecipient(id, "noc@tampere.example");
    await visit.open("messages/channels?keyword=Tampere");
    await page.getByRole("button", { name: "Turn off Mail of Tampere" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Those that wait are dropped.").waitFor();
    await dialog.getByRole("button", { name: "Turn off" }).click();
    await page.getByRole("row", { name: /Mail of Tampere off/ }).waitFor();
    await visit.open("messages/recipients?keyword=tampere");
    await page.getByText("channel is off").waitFor();
    await visit.open("messages/channels?keyword=Tampere");
    await page.getByRole("button", { name: "Delete Mail of Tampere" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await dialog.getByRole("alert").getByText("noc@tampere.example").waitFor();
    await world.post("MessageRecipientService/deleteMessageRecipient", { messageRecipientId: recipientId });
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByText("Nothing matches this filter.").waitFor();
    const find = { messageMediaInstanceId: id };
    expect(await world.post("MessageMediaInstanceService/findEnabledMessageMediaInstance", find)).toEqual({});
  });

  test("a recipient is chosen by names, with groups and a time of day", async () => {
    await world.addChannel("Mail of Malmö");
    const groupId = await world.addGroup("On call in Malmö");
    const { nodeClusterId } = await world.post("NodeClusterService/createNodeCluster", { name: "Öresund" });
    await visit.open("messages/recipients/new");
    await field("Address").fill("x".repeat(300));
    await save();
    await page.getByRole("alert").getByText("messageMediaInstanceId: choose one").waitFor();
    await field("Channel").and(page.locator("select")).selectOption({ label: "Mail of Malmö" });
    await page.getByText("An email address").waitFor();
    await save();
    await page.getByRole("alert").filter({ hasText: /^user: / }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(1);
    await field("Address").fill("noc@malmo.example");
    await page.getByLabel("On call in Malmö").check();
    await page.getByLabel("Öresund").check();
    await field("From").fill("20:30");
    await field("Until").fill("06:00");
    await field("Description").fill("At night");
    await visit.expectAccessible();
    await save();
    await page.getByRole("row", { name: /noc@malmo.example Mail of Malmö On call in Malmö 20:30–06:00/ }).waitFor();
    await visit.expectAccessible();
    expect(await world.recipientOf("malmo")).toMatchObject({
      ...{ isOn: true, user: "noc@malmo.example", timeFrom: "20:30:00", timeTo: "06:00:00", description: "At night" },
      ...{ messageRecipientGroups: [{ id: groupId }], nodeClusterIds: [nodeClusterId], admin: { id: 1 } },
    });
  });

  test("a recipient that was changed elsewhere is not overwritten, and turning it off keeps the rest", async () => {
    const messageMediaInstanceId = await world.addChannel("Mail of Umeå");
    const id = await world.addRecipient(messageMediaInstanceId, "noc@umea.example", { description: "Ours" });
    await visit.open(`messages/recipients/${id}`);
    await field("Description").fill("Mine");
    const theirs = { adminId: 1, messageMediaInstanceId, user: "noc@umea.example", isOn: true, timeFrom: "08:00" };
    await world.post("MessageRecipientService/updateMessageRecipient", { messageRecipientId: id, ...theirs });
    await save();
    await page.getByRole("alert").getByText(CHANGED_ELSEWHERE).waitFor();
    expect(await world.recipientOf("umea")).toMatchObject({ timeFrom: "08:00:00" });
    await visit.open("messages/recipients?keyword=umea");
    await page.getByRole("button", { name: /^Turn off .*noc@umea.example/ }).click();
    // another admin changes the recipient while the question is open
    const again = { ...theirs, description: "Theirs", timeFrom: "09:00" };
    await world.post("MessageRecipientService/updateMessageRecipient", { messageRecipientId: id, ...again });
    await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
    await page.getByRole("row", { name: /off noc@umea.example/ }).waitFor();
    const { isOn = false, ...rest } = await world.recipientOf("umea");
    expect([isOn, rest.timeFrom, rest.description]).toEqual([false, "09:00:00", "Theirs"]);
  });

  test("a recipient is deleted by name, and messages that wait for it go with it", async () => {
    const id = await world.addRecipient(await world.addChannel("Mail of Visby"), "noc@visby.example");
    const messageTaskId = await world.addMessage(id, "The ferry is late");
    await visit.open("messages/recipients?keyword=visby");
    await page.getByRole("button", { name: /^Delete .*noc@visby.example/ }).click();
    const dialog = page.getByRole("dialog", { name: /^Delete / });
    await dialog.getByText("no longer receives messages at noc@visby.example").waitFor();
    await visit.expectAccessible();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByText("Nothing matches this filter.").waitFor();
    const found = await world.post("MessageRecipientService/findEnabledMessageRecipient", { messageRecipientId: id });
    expect(found).toEqual({});
    expect(await world.post("MessageTaskService/findEnabledMessageTask", { messageTaskId })).toEqual({});
  });
});
