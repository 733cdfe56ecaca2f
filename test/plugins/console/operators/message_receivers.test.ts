import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browserRuns } from "../../../core/client/runtimes/page_visit.ts";
import { ConsoleServer, type Visit } from "../visitor.ts";
import { MESSAGE_PLUGINS, MessageWorld } from "./message_world.ts";

const PLUGINS = [...MESSAGE_PLUGINS, "message_receiver", "node", "node_base"];

interface Receiver {
  readonly type: string;
  readonly messageRecipient?: { readonly user: string };
  readonly messageRecipientGroup?: { readonly name: string };
}

describe.runIf(browserRuns())("receivers of events", () => {
  let served: ConsoleServer;
  let world: MessageWorld;
  let visit: Visit;
  let page: Page;
  beforeAll(async () => {
    served = await ConsoleServer.start(PLUGINS);
    world = new MessageWorld(served.server);
    const channel = await world.addChannel("Mail of Tromsø");
    await world.addRecipient(channel, "noc@tromso.example");
    await world.addRecipient(channel, "chief@tromso.example");
    await world.addGroup("On call in Tromsø");
  });
  afterAll(() => served.stop());
  beforeEach(async () => {
    visit = await served.visit();
    ({ page } = visit);
    await visit.signIn();
  });
  afterEach(() => visit.end());

  const dialog = () => page.getByRole("dialog");
  async function add(events: RegExp | string, who: RegExp | string): Promise<void> {
    await page.getByRole("button", { name: "Add receiver" }).click();
    await dialog().getByLabel("Events").selectOption(await optionOf("Events", events));
    await dialog().getByLabel("Who is notified").selectOption(await optionOf("Who is notified", who));
    await dialog().getByRole("button", { name: "Add receiver" }).click();
  }
  /** Returns the value of the option with a text, when it is there. */
  async function optionOf(label: string, text: RegExp | string): Promise<string> {
    const option = dialog().getByLabel(label).locator("option").filter({ hasText: text }).first();
    await option.waitFor({ state: "attached" });
    return (await option.getAttribute("value"))!;
  }
  async function told(target: object = {}): Promise<string[]> {
    const { messageReceivers = [] } = await world.post("MessageReceiverService/findAllEnabledMessageReceivers", target);
    return (messageReceivers as Receiver[]).map(({ type, messageRecipient, messageRecipientGroup }) =>
      `${type} to ${messageRecipient?.user ?? messageRecipientGroup?.name}`
    );
  }

  test("receivers of levels and of kinds are added, others stay, and one is removed by name", async () => {
    await visit.open("messages/told");
    await page.getByText("As long as there are none anywhere, all recipients are notified of errors.").waitFor();
    await add("All errors", "On call in Tromsø");
    await page.getByRole("row", { name: /All errors On call in Tromsø group/ }).waitFor();
    await add(/^Node … is offline \(node\.went_offline\)$/, /noc@tromso/);
    const row = page.getByRole("row", { name: /Node … is offline Error node\.went_offline .*noc@tromso\.example/ });
    await row.waitFor();
    await visit.expectAccessible();
    expect(await told()).toEqual(["error to On call in Tromsø", "node.went_offline to noc@tromso.example"]);
    await add(/^Node … is offline/, /noc@tromso/);
    await dialog().getByRole("alert").getByText("They are notified of these events already.").waitFor();
    await visit.expectAccessible();
    await dialog().getByRole("button", { name: "Cancel" }).click();
    // another reader adds one while this page is open
    await world.post("MessageReceiverService/updateMessageReceivers", {
      recipientOptions: {
        "error": { recipientOptions: [{ messageRecipientGroupId: 1 }] },
        "node.went_offline": { recipientOptions: [{ messageRecipientId: 1 }, { messageRecipientId: 2 }] },
      },
    });
    await add("All events", /chief@tromso/);
    await page.getByRole("row", { name: /All events .*chief@tromso/ }).waitFor();
    expect(await told()).toEqual(expect.arrayContaining(["node.went_offline to chief@tromso.example"]));
    await page.getByRole("row", { name: /Node … is offline .*noc@tromso/ }).getByRole("button", { name: /^No longer/ })
      .click();
    await dialog().getByText("is no longer notified of these events here").waitFor();
    await dialog().getByRole("button", { name: "Remove" }).click();
    await row.waitFor({ state: "detached" });
    expect((await told()).toSorted()).toEqual([
      "* to chief@tromso.example",
      "error to On call in Tromsø",
      "node.went_offline to chief@tromso.example",
    ]);
  });

  test("a cluster has receivers of its own, of the kinds that are about its nodes", async () => {
    const { nodeClusterId } = await world.post("NodeClusterService/createNodeCluster", { name: "Lofoten" });
    await visit.open("messages/told");
    await page.getByLabel("Events about").selectOption({ label: "A cluster of edge nodes" });
    await page.locator("select#told-object").selectOption({ label: "Lofoten" });
    await page.getByText("There are no receivers here. Those of the whole installation").waitFor();
    expect(page.url()).toContain(`about=nodeCluster&id=${nodeClusterId}`);
    await page.getByRole("button", { name: "Add receiver" }).click();
    const options = dialog().getByLabel("Events").locator("option");
    const kinds = (await options.allTextContents()).filter((text) => text.includes("."));
    expect(kinds).toEqual(["Node … is back (node.came_back)", "Node … is offline (node.went_offline)"]);
    await dialog().getByLabel("Events").selectOption("node.came_back");
    await dialog().getByText("A node that had gone offline reported that it is active.").waitFor();
    await dialog().getByLabel("Who is notified").selectOption(await optionOf("Who is notified", /chief@tromso/));
    await dialog().getByRole("button", { name: "Add receiver" }).click();
    await page.getByRole("row", { name: /Node … is back Success node\.came_back .*chief@tromso/ }).waitFor();
    expect(await told({ role: "node", nodeClusterId })).toEqual(["node.came_back to chief@tromso.example"]);
  });

  test("in Chinese, in the dark and on a phone", async () => {
    const { nodeClusterId } = await world.post("NodeClusterService/createNodeCluster", { name: "Senja" });
    await world.post("MessageReceiverService/updateMessageReceivers", {
      ...{ nodeClusterId, role: "node" },
      recipientOptions: { "node.went_offline": { recipientOptions: [{ messageRecipientGroupId: 1 }] } },
    });
    const narrow = await served.visit({ width: 390, theme: "dark" });
    await narrow.signIn();
    await narrow.page.getByLabel("Language").selectOption("zh");
    await narrow.open(`messages/told?about=nodeCluster&id=${nodeClusterId}`);
    await narrow.page.getByText("节点 … 离线").waitFor();
    await narrow.expectAccessible();
    await narrow.expectNoSidewaysScroll();
    await narrow.page.getByRole("button", { name: "添加接收者" }).click();
    await narrow.page.getByRole("dialog").getByLabel("通知谁").waitFor();
    await narrow.expectAccessible();
    await narrow.expectNoSidewaysScroll();
    await narrow.end();
  });
});
