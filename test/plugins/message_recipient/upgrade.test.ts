import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Call, definePlugin, type Plugin } from "edgehelm";
import { as, stub, testKernel } from "edgehelm/testing";
import { type Kysely, sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { MessageMediaInstances } from "../../../plugins/message_media_instance/contract.ts";
import plugin from "../../../plugins/message_recipient/plugin.ts";
import { MessageRecipientService } from "../../../plugins/message_recipient/proto/service_message_recipient_pb.ts";
import type { Tables } from "../../../plugins/message_recipient/store.ts";

const { countAllEnabledMessageRecipients, deleteMessageRecipient, listEnabledMessageRecipients } =
  MessageRecipientService.method;
const admin = as.admin();
const RECIPIENTS = 300;
const instances = stub(MessageMediaInstances, {
  summaries: async () => new Map(),
  idsOfType: async (_call, type) => type === "none" ? [] : [1n, 3n],
});

/** Returns true for the recipients that a filter matches, by their numbers. */
const FILTERS: readonly (readonly [filter: object, matches: (index: number) => boolean])[] = [
  [{}, () => true],
  [{ adminId: 2n }, (index) => index % 3 === 2],
  [{ mediaType: "any" }, (index) => index % 4 % 2 === 1],
  [{ mediaType: "none" }, () => false],
  [{ messageRecipientGroupId: 7n }, (index) => index % 5 === 0],
  [{ adminId: 1n, mediaType: "any", messageRecipientGroupId: 7n }, (index) => index % 3 === 1 && index % 10 === 5],
  [{ keyword: "USER 1" }, (index) => String(index).startsWith("1")],
  [{ keyword: "even", mediaType: "any", adminId: 1n }, () => false],
];

test("recipients of an earlier version are listed and counted as before, with later changes", async () => {
  const directory = await mkdtemp(join(tmpdir(), "edgehelm-test-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  async function fill(db: Kysely<Tables>): Promise<void> {
    const rows = Array.from({ length: RECIPIENTS }, (_, index) => ({
      adminId: BigInt(index % 3),
      messageMediaInstanceId: BigInt(index % 4),
      groupIds: index % 5 === 0 ? "[7,8]" : "[]",
      nodeClusterIds: "[]",
      description: index % 2 === 0 ? "even" : "odd",
      user: `user ${index}`,
      timeFrom: "",
      timeTo: "",
      state: index === 10 ? 0n : 1n,
    }));
    await db.insertInto("messageRecipients").values(rows).execute();
    await sql`update messageRecipients set groupIds = '[9]' where id = 6`.execute(db);
  }
  const [name, first] = Object.entries(plugin.migrations!)[0]!;
  const before: Plugin = definePlugin({
    manifest: { ...plugin.manifest, services: [] },
    migrations: { [name]: first },
    setup({ db, every }) {
      const run = (call: Call) => call.transact((inner) => fill(db<Tables>()(inner)));
      every({ name: "fill", everySeconds: 86_400, run });
    },
  });
  const old = await testKernel({ plugins: [before], directory });
  await old.kernel.runJob("message_recipient.fill");
  await old.stop();

  const edgehelm = await testKernel({ plugins: [plugin], stubs: [instances], directory });
  for (const gone of [[10], [10, 299, 45]]) {
    for (const [filter, matches] of FILTERS) {
      const isInGroup = (index: number) => !("messageRecipientGroupId" in filter) || index !== 5;
      const users = Array.from({ length: RECIPIENTS }, (_, index) => index).reverse()
        .filter((index) => !gone.includes(index) && matches(index) && isInGroup(index)).map((index) => `user ${index}`);
      const { count } = await edgehelm.call(admin, countAllEnabledMessageRecipients, filter);
      const page = { ...filter, offset: 2n, size: 20n };
      const listed = await edgehelm.call(admin, listEnabledMessageRecipients, page);
      const found = listed.messageRecipients.map(({ user }) => user);
      expect({ filter, count, found }).toEqual({ filter, count: BigInt(users.length), found: users.slice(2, 22) });
    }
    for (const messageRecipientId of gone.length === 1 ? [300n, 46n] : []) {
      await edgehelm.call(admin, deleteMessageRecipient, { messageRecipientId });
    }
    await edgehelm.kernel.runJob("message_recipient.index_message_recipients");
  }
  await edgehelm.stop();
});
