import { as } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ACMEProviderAccountService } from "../../../plugins/acme_provider_account/proto/service_acme_provider_account_pb.ts";
import { ACMEUserService } from "../../../plugins/acme_user/proto/service_acme_user_pb.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { pebbleRuns } from "../../servers/pebble.ts";
import { admin, createDomain, createTask, openRig, type Rig, runUntil } from "../acme_task/rig.ts";

const accounts = ACMEProviderAccountService.method;
const rpc = ACMEUserService.method;
const eabKey = "zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W";

describe.runIf(pebbleRuns())("accounts", () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await openRig({ bindings: { "kid-1": eabKey } });
  }, 120_000);
  afterAll(() => rig[Symbol.asyncDispose]());

  async function createAccount(binding: object): Promise<bigint> {
    const request = { name: "main", providerCode: "pebble", email: "ops@example.com", ...binding };
    return (await rig.edgehelm.call(admin, accounts.createACMEProviderAccount, request)).acmeProviderAccountId;
  }

  async function findAccount(acmeProviderAccountId: bigint) {
    const { findEnabledACMEProviderAccount } = accounts;
    return (await rig.edgehelm.call(admin, findEnabledACMEProviderAccount, { acmeProviderAccountId }))
      .acmeProviderAccount!;
  }

  async function findUser(acmeUserId: bigint, caller = admin) {
    return (await rig.edgehelm.call(caller, rpc.findEnabledACMEUser, { acmeUserId })).acmeUser!;
  }

  test("an account registers with its external account binding, and its key is replaced", async () => {
    const id = await createAccount({ eabKid: "kid-1", eabKey });
    expect(await findAccount(id)).toMatchObject({ isRegistered: true, error: "", email: "ops@example.com" });
    const request = { email: "ada@example.com", acmeProviderCode: "pebble" };
    const { acmeUserId } = await rig.edgehelm.call(admin, rpc.createACMEUser, request);
    expect(await findUser(acmeUserId)).toMatchObject({ isRegistered: true, acmeProviderAccount: { id } });

    await rig.edgehelm.call(admin, accounts.changeACMEProviderAccountKey, { acmeProviderAccountId: id });
    await createDomain(rig, "rolled.example.com");
    const names = { authType: "dns", dnsDomain: "rolled.example.com", domains: ["rolled.example.com"] };
    const task = await runUntil(
      rig,
      await createTask(rig, names),
      ({ latestACMETaskLog }) => latestACMETaskLog !== undefined,
    );
    expect(task.latestACMETaskLog).toMatchObject({ isOk: true, error: "" });

    const deletion = rig.edgehelm.call(admin, accounts.deleteACMEProviderAccount, { acmeProviderAccountId: id });
    await expect(deletion).rejects.toMatchObject({ reason: "acme_provider_account.in_use" });
  }, 180_000);

  test("a wrong binding keeps the words of the provider until it is replaced", async () => {
    const id = await createAccount({ eabKid: "kid-2", eabKey });
    const account = await findAccount(id);
    expect(account.isRegistered).toBe(false);
    expect(account.error).toContain("127.0.0.1");
    expect(account.error.length).toBeGreaterThan(30);
    const { updateACMEProviderAccount } = accounts;
    const fixed = { acmeProviderAccountId: id, name: "main", email: "", eabKid: "kid-1", eabKey };
    await rig.edgehelm.call(admin, updateACMEProviderAccount, fixed);
    expect(await findAccount(id)).toMatchObject({ isRegistered: true, error: "" });
    await rig.edgehelm.call(admin, accounts.deleteACMEProviderAccount, { acmeProviderAccountId: id });
  }, 60_000);

  test("a user has a registration of their own, and sees only the id of the account", async () => {
    await createAccount({ eabKid: "kid-1", eabKey });
    const request = { email: "ada@example.com", acmeProviderCode: "pebble" };
    const person = { username: "ada", password: "ada walks in the rain", fullname: "Ada" };
    const owner = as.user((await rig.edgehelm.call(admin, UserService.method.createUser, person)).userId);
    const { acmeUserId } = await rig.edgehelm.call(owner, rpc.createACMEUser, request);
    const user = await findUser(acmeUserId, owner);
    expect(user).toMatchObject({ isRegistered: true, error: "" });
    expect(user.acmeProviderAccount).toMatchObject({ eabKid: "", eabKey: "", name: "" });
    await rig.edgehelm.call(owner, rpc.changeACMEUserKey, { acmeUserId });
    await rig.edgehelm.call(owner, rpc.deleteACMEUser, { acmeUserId });
    expect(await findUser(acmeUserId, owner)).toBeUndefined();
  }, 60_000);
});
