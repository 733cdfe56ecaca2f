import { newWebhookSecret } from "edgehelm/auth";
import { as } from "edgehelm/testing";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { Secrets } from "../../../core/kernel/kernel_contracts.ts";
import { database } from "../../../core/storage/database.ts";
import { firstParty } from "../../matrix/plugins.ts";
import { openSettingsWorld } from "../../matrix/settings_world.ts";

const all = database<Record<string, Record<string, unknown>>>({ owner: "test", tables: undefined });
/** These hold the earlier keys themselves, and responses that expire within a day. */
const EXCEPT = ["kernel_settings", "kernel_idempotency"];
const EAB = { eabKid: "kid-1", eabKey: "very-secret-key" };
const SIGNED_HOOK = { settingJSON: btoa(JSON.stringify({ notifyWebHookSecret: newWebhookSecret() })) };
const TSIG = { secretType: "base64", secret: btoa("a secret of a DNS key, 32 bytes..") };
const declared = firstParty.flatMap(({ sealed = [] }) => sealed);
/** Columns that have values for minutes only: of orders and changes of keys under way, and of messages with codes. */
const BRIEF = [
  "acmeOrders.sealedKey",
  "acmeRegistrations.sealedNextKey",
  "messageTasks.sealedText",
  "userVerifyCodes.code",
];

test("every plugin that seals values declares their columns", () => {
  const sealing = firstParty.filter(({ requires = {} }) => Object.values(requires).some(({ id }) => id === Secrets.id));
  expect(sealing.filter(({ sealed }) => sealed === undefined).map(({ manifest }) => manifest.name)).toEqual([]);
  expect(sealing.length).toBeGreaterThan(5);
});

test("after a rotation every sealed value of every plugin is sealed again", async () => {
  const { edgehelm, objects } = await openSettingsWorld();
  await using _edgehelm = edgehelm;
  const { nsDomainId } = Object.assign({}, ...objects);
  const login = { name: "grant", username: "root" };
  const privateKey = "-----BEGIN PRIVATE KEY-----\nMC4=\n-----END PRIVATE KEY-----";
  for (
    const [path, body] of [
      ["ACMEProviderAccountService/createACMEProviderAccount", { name: "main", providerCode: "zerossl", ...EAB }],
      ["NodeGrantService/createNodeGrant", { ...login, method: "user", password: "swordfish" }],
      ["NodeGrantService/createNodeGrant", { ...login, method: "privateKey", privateKey, passphrase: "swordfish" }],
      ["ReportNodeService/updateReportNodeGlobalSetting", SIGNED_HOOK],
      ["NSKeyService/createNSKey", { nsDomainId: Number(nsDomainId), name: "key", algo: "hmac-sha256.", ...TSIG }],
      ["NSDNSSECService/enableNSDomainDNSSEC", { nsDomainId: Number(nsDomainId) }],
    ] as const
  ) expect(await edgehelm.post(`/${path}`, body, as.admin())).toMatchObject({ code: 200 });
  const call = edgehelm.kernel.systemCall("test");
  const run = (name: string) => edgehelm.kernel.commands.find((one) => one.name === name)!.run(call, []);
  const earlier = (await run("keys status"))[0]!.split(" ").at(-1)!;

  /** Returns the columns with values under a key. */
  async function columnsUnder(keyId: string): Promise<string[]> {
    const { rows: columns } = await sql<{ table: string; column: string }>`select m.name as "table", c.name as "column"
      from sqlite_master as m, pragma_table_info(m.name) as c where m.type = 'table' and c.type = 'TEXT'`
      .execute(all(call));
    const found: string[] = [];
    for (const { table, column } of columns.filter((one) => !EXCEPT.includes(one.table))) {
      const { rows } = await sql`select 1 from ${sql.table(table)}
        where ${sql.ref(column)} like ${`v1.${keyId}.%`} limit 1`.execute(all(call));
      if (rows.length > 0) found.push(`${table}.${column}`);
    }
    return found.sort();
  }

  const sealed = await columnsUnder(earlier);
  const expected = declared.map(({ table, column }) => `${table}.${column}`).filter((name) => !BRIEF.includes(name));
  expect(sealed).toEqual([...expected, "kernel_signing_keys.sealedPrivateJwk"].sort());
  await run("keys rotate-installation");
  await edgehelm.kernel.runJob("kernel.reseal");
  expect((await run("keys status"))[2]).toMatch(/^[1-9]\d* values were encrypted again, 0 cannot be read$/);
  expect(await columnsUnder(earlier)).toEqual([]);
  expect(await columnsUnder((await run("keys status"))[0]!.split(" ").at(-1)!)).toEqual(sealed);
});
