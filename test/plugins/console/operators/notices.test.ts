import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browserRuns } from "../../../core/client/runtimes/page_visit.ts";
import { ConsoleServer, type Visit } from "../visitor.ts";
import { MESSAGE_PLUGINS, MessageWorld } from "./message_world.ts";

const PLUGINS = [...MESSAGE_PLUGINS, "message"];

interface Key {
  readonly id: string;
  readonly secret: string;
}

describe.runIf(browserRuns())("notices", () => {
  let served: ConsoleServer;
  let world: MessageWorld;
  let visit: Visit;
  let page: Page;
  beforeAll(async () => {
    served = await ConsoleServer.start(PLUGINS);
    world = new MessageWorld(served.server);
  });
  afterAll(() => served.stop());
  beforeEach(async () => {
    visit = await served.visit();
    ({ page } = visit);
  });
  afterEach(() => visit.end());

  /** Makes an access key of a person, which is an event, and waits until there is a notice of it. */
  async function makeKey(owner: object, description: string): Promise<Key> {
    const before = await countOf();
    const made = await world.post("UserAccessKeyService/createUserAccessKey", { ...owner, description });
    await expect.poll(countOf, { timeout: 60_000 }).toBe(before + 1);
    return { id: made.uniqueId, secret: made.secret };
  }
  async function countOf(): Promise<number> {
    return (await world.post("MessageService/countUnreadMessages", { includeRead: true })).count;
  }
  const bell = (name: string) => page.getByRole("banner").getByRole("link", { name, exact: true });
  const rows = () => page.locator("tr.news");

  test("an operator reads them: one, none again, and all, and the number in the frame follows", async () => {
    await makeKey({ adminId: 1 }, "first");
    await makeKey({ adminId: 1 }, "second");
    await world.post("MessageService/updateAllMessagesRead", {});
    await makeKey({ adminId: 1 }, "third");
    await makeKey({ adminId: 1 }, "fourth");
    await visit.signIn();
    await bell("Notices, 2 unread").click();
    await page.getByRole("heading", { level: 1, name: "Notices" }).waitFor();
    await expect.poll(() => rows().count()).toBe(2);
    await visit.expectAccessible();
    await rows().first().getByRole("button", { name: /^Mark “.*” as read$/ }).click();
    await bell("Notices, 1 unread").waitFor();
    await expect.poll(() => rows().count()).toBe(1);
    await page.getByRole("link", { name: "All", exact: true }).click();
    // the fifth is about the key that the installation began with
    await expect.poll(() => rows().count()).toBe(5);
    await expect.poll(() => page.locator("tr.news.unread").count()).toBe(1);
    await visit.expectAccessible();
    await rows().nth(3).getByRole("button", { name: /^Mark “.*” as unread$/ }).click();
    await bell("Notices, 2 unread").waitFor();
    expect(await world.post("MessageService/countUnreadMessages", {})).toEqual({ count: 2 });
    await page.getByRole("button", { name: "Mark all as read" }).click();
    await bell("Notices").waitFor();
    await page.getByRole("link", { name: "Unread" }).click();
    await page.getByText("You have read everything.").waitFor();
    expect(await world.post("MessageService/countUnreadMessages", {})).toEqual({ count: 0 });
  });

  test("a customer sees what is theirs, in Chinese, in the dark and on a phone", async () => {
    const names = ["ada", "bob"];
    const users = await Promise.all(
      names.map((username) =>
        world.post("UserService/createUser", { username, password: `${username} walks in the rain`, source: "" })
      ),
    );
    const [ada, bob] = users.map(({ userId }) => userId);
    const key = await makeKey({ userId: ada }, "of ada");
    await makeKey({ userId: bob }, "of bob");
    const narrow = await served.visit({ width: 390, theme: "dark" });
    await narrow.signIn(key, "Customer");
    await narrow.page.getByLabel("Language").selectOption("zh");
    await narrow.page.getByRole("link", { name: "通知，1 条未读" }).click();
    await narrow.page.getByRole("heading", { level: 1, name: "通知" }).waitFor();
    await expect.poll(() => narrow.page.locator("tr.news").count()).toBe(1);
    await narrow.expectAccessible();
    await narrow.expectNoSidewaysScroll();
    await narrow.page.getByRole("button", { name: /^将“.*”标为已读$/ }).click();
    await narrow.page.getByText("没有未读通知。").waitFor();
    await narrow.end();
  });
});
