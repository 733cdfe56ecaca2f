import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ConnectedNode, Instances } from "../harness/instances.ts";
import { CHOSEN_KEY, type Server } from "../harness/server.ts";
import { sqldRuns } from "../servers/sqld.ts";

const PLUGINS = [
  "admin",
  "api_access_token",
  "node_base",
  "ns_cluster",
  "ns_domain_group",
  "ns_node",
  "user",
  "user_access_key",
];
const COUNT = 4;
/** The lease of a job without its holder, with a margin for slow machines. */
const TAKEOVER = { timeout: 300_000, interval: 200 };

describe.skipIf(!sqldRuns())("four processes on one database", () => {
  let instances: Instances;
  const servers = (): readonly Server[] => instances.servers;
  const server = (index: number): Server => servers()[index % COUNT]!;
  beforeAll(async () => {
    instances = await Instances.start(COUNT, PLUGINS, { limits: { loginFailures: COUNT, loginSeconds: 60 } });
  });
  afterAll(() => instances?.[Symbol.asyncDispose]());

  async function postOk(to: Server, path: string, request: object) {
    const { code, message, data } = await to.post(path, request);
    if (code !== 200) throw new Error(`${path}: ${message}`);
    return data;
  }

  async function createKey(owner: object): Promise<{ userAccessKeyId: number; uniqueId: string; secret: string }> {
    return await postOk(server(0), "/UserAccessKeyService/createUserAccessKey", owner);
  }

  async function createNode(name: string): Promise<{ id: number; uniqueId: string; secret: string }> {
    const { nsClusterId } = await postOk(server(0), "/NSClusterService/createNSCluster", {
      name,
      hosts: ["ns1.edge.test"],
    });
    const request = { name, nodeClusterId: nsClusterId };
    const { nsNodeId } = await postOk(server(0), "/NSNodeService/createNSNode", request);
    return (await postOk(server(0), "/NSNodeService/findNSNode", { nsNodeId })).nsNode;
  }

  test("reject a token within a second after another one revoked its key, user, admin or node", async () => {
    const users: number[] = [];
    const admins: number[] = [];
    for (const name of ["first", "second", "third"]) {
      const password = "walks in the rain";
      users.push((await postOk(server(0), "/UserService/createUser", { username: name, password })).userId);
      const admin = { username: name, password, isSuper: true, canLogin: true };
      admins.push((await postOk(server(0), "/AdminService/createAdmin", admin)).adminId);
    }
    const [disabledUser, deletedUser, keyUser] = users.map((userId) => ({ userId }));
    const [disabledAdmin, deletedAdmin, keyAdmin] = admins.map((adminId) => ({ adminId }));
    const [disabledKey, deletedKey] = [await createKey(keyUser!), await createKey(keyAdmin!)];
    const [disabledNode, deletedNode] = [await createNode("off"), await createNode("gone")];
    const groups = "/NSDomainGroupService/findAllNSDomainGroups";
    const config = "/NSNodeService/findCurrentNSNodeConfig";
    const { nsClusterId } = await postOk(server(0), "/NSClusterService/createNSCluster", { name: "other" });
    const revocations: readonly [
      type: string,
      key: { uniqueId: string; secret: string },
      path: string,
      request: object,
    ][] = [
      ["user", disabledKey, "/UserAccessKeyService/updateUserAccessKeyIsOn", {
        userAccessKeyId: disabledKey.userAccessKeyId,
        isOn: false,
      }],
      ["admin", deletedKey, "/UserAccessKeyService/deleteUserAccessKey", deletedKey],
      ["user", await createKey(disabledUser!), "/UserService/updateUser", {
        ...disabledUser,
        username: "first",
        isOn: false,
      }],
      ["user", await createKey(deletedUser!), "/UserService/deleteUser", deletedUser!],
      ["admin", await createKey(disabledAdmin!), "/AdminService/updateAdmin", {
        ...disabledAdmin,
        username: "first",
        isOn: false,
      }],
      ["admin", await createKey(deletedAdmin!), "/AdminService/deleteAdmin", deletedAdmin!],
      ["dns", disabledNode, "/NSNodeService/updateNSNode", {
        nsNodeId: disabledNode.id,
        name: "off",
        nsClusterId,
        isOn: false,
      }],
      ["dns", deletedNode, "/NSNodeService/deleteNSNode", { nsNodeId: deletedNode.id }],
    ];
    const delays = await Promise.all(revocations.map(async ([type, { uniqueId, secret }, path, request], index) => {
      const token = await server(index).token(uniqueId, secret, type);
      const operation = type === "dns" ? config : groups;
      for (const instance of servers()) {
        expect(await instance.postWith(token, operation, {})).toMatchObject({ code: 200 });
      }
      await postOk(server(index + 1), path, request);
      const revokedAt = performance.now();
      return await Promise.all(
        servers().map(async (instance) => {
          let [sentAt, lastAccepted] = [0, 0];
          for (;;) {
            const { code } = await instance.postWith(token, operation, {});
            if (code !== 200) {
              // A deleted node is not found while its token is still accepted.
              expect(type === "dns" ? [401, 404] : [401]).toContain(code);
              return lastAccepted;
            }
            lastAccepted = sentAt;
            sentAt = performance.now() - revokedAt;
            await new Promise((resolve) => setImmediate(resolve));
          }
        }),
      );
    }));
    expect(Math.max(...delays.flat())).toBeLessThan(1000);
  });

  test("share the count of failed logins", async () => {
    const { uniqueId, secret } = await createKey({ adminId: 1 });
    const login = (to: Server, accessKey: string) => {
      const request = { type: "admin", accessKeyId: uniqueId, accessKey };
      return to.postAnonymously("/APIAccessTokenService/getAPIAccessToken", request);
    };
    for (const instance of servers()) expect(await login(instance, "wrong")).toMatchObject({ code: 401 });
    for (const instance of servers()) expect(await login(instance, secret)).toMatchObject({ code: 429 });
  });

  test("execute a call once if all of them receive it with one idempotency key", async () => {
    const token = await server(0).token(CHOSEN_KEY.EDGEHELM_ADMIN_ACCESS_KEY_ID, CHOSEN_KEY.EDGEHELM_ADMIN_ACCESS_KEY);
    for (const method of ["change", "reach"]) {
      const responses = await Promise.all(
        servers().map((instance) =>
          instance.postWith(token, `/ProbeService/${method}`, { text: method }, { "idempotency-key": method })
        ),
      );
      expect(responses.map(({ code }) => code)).toEqual(responses.map(() => 200));
      expect(new Set(responses.map(({ data }) => data.text)).size).toBe(1);
    }
    const { text } = await postOk(server(1), "/ProbeService/look", { text: "changes" });
    expect(JSON.parse(text).toSorted()).toEqual(["change", "reach"]);
  });

  /** Waits for an unfinished round other than `excluded`, and returns it with its instance. */
  async function heldRound(from: Server, excluded?: string): Promise<{ run: string; holder: number }> {
    let run = "";
    await expect.poll(async () => {
      const last = (await instances.rounds(from)).at(-1);
      run = last?.step === "began" ? last.run : "";
      return run !== "" && run !== excluded && instances.holderOf(run) !== -1;
    }, TAKEOVER).toBe(true);
    return { run, holder: instances.holderOf(run) };
  }

  /** Holds the job in a round, disturbs its instance, and returns the round after another instance has taken over. */
  async function takeOver(disturb: (holder: number) => void) {
    await postOk(server(0), "/ProbeService/change", { text: "hold" });
    const first = await heldRound(server(0));
    const other = server(first.holder + 1);
    disturb(first.holder);
    expect((await heldRound(other, first.run)).holder).not.toBe(first.holder);
    await postOk(other, "/ProbeService/change", { text: "hold", number: -1 });
    return first;
  }

  /** Expects that rounds did not overlap and that none began before it was due. */
  async function expectSequentialRounds(from: Server): Promise<void> {
    const steps = await instances.rounds(from);
    const began = steps.filter(({ step }) => step === "began");
    for (const [index, { run, at }] of began.entries()) {
      const next = began[index + 1];
      if (next !== undefined) expect(next.at - at).toBeGreaterThanOrEqual(800);
      const [from, to] = [steps.findIndex((step) => step.run === run), steps.findLastIndex((step) => step.run === run)];
      expect(to - from).toBeLessThanOrEqual(1);
    }
  }

  test("run a due job once, and stop the round of a suspended instance before it writes", async () => {
    const { run, holder } = await takeOver((holder) => server(holder).suspend());
    server(holder).resume();
    // with the loss of the lease, or with a read that was under way when the instance was suspended
    await expect.poll(() => server(holder).output, TAKEOVER).toMatch(/"job failed","job":"rounds\.round"/);
    const steps = (await instances.rounds(server(holder))).filter((step) => step.run === run);
    expect(steps.map(({ step }) => step)).toEqual(["began"]);
    await expectSequentialRounds(server(holder));
  });

  test("take over the job of a partitioned instance, which is unavailable until it reconnects", async () => {
    const { holder } = await takeOver((holder) => instances.proxies[holder]!.cutOff("silent"));
    expect(await server(holder).post("/ProbeService/look", {})).toMatchObject({ code: 503 });
    instances.proxies[holder]!.restore();
    await expect.poll(async () => (await server(holder).post("/ProbeService/look", {})).code, TAKEOVER).toBe(200);
    await expectSequentialRounds(server(holder));
  });

  test("deliver a command to a node on another instance, and notice when that instance ends", async () => {
    const { id: nsNodeId, uniqueId, secret } = await createNode("talker");
    const holder = server(2);
    const node = new ConnectedNode(holder, uniqueId, secret);
    onTestFinished(() => node.stop());
    await expect.poll(() => node.codes, TAKEOVER).toContain("connectedAPINode");
    const dataJSON = btoa('{"n":1}');
    const send = (to: Server) =>
      to.post("/NSNodeService/sendCommandToNSNode", { nsNodeId, code: "check", dataJSON, timeoutSeconds: 10 });
    for (const instance of servers()) {
      const { data } = await send(instance);
      expect(data).toMatchObject({ nsNodeId, isOk: true, message: "done", dataJSON });
    }
    expect(node.codes.filter((code) => code === "check").length).toBe(COUNT);
    const timedOut = await server(0).post("/NSNodeService/sendCommandToNSNode", {
      nsNodeId,
      code: "ignore",
      timeoutSeconds: 1,
    });
    expect(timedOut.data).toMatchObject({ isOk: false, message: "response timeout over 1 seconds" });

    holder.kill();
    await holder.ended;
    await expect.poll(async () => (await send(server(1))).data.message, TAKEOVER)
      .toBe(`node '${nsNodeId}' not connected yet`);
    await instances.restart(2);
    const again = new ConnectedNode(server(3), uniqueId, secret);
    onTestFinished(() => again.stop());
    await expect.poll(() => again.codes, TAKEOVER).toContain("connectedAPINode");
    expect((await send(server(2))).data).toMatchObject({ isOk: true, message: "done" });
    await postOk(server(0), "/NSNodeService/deleteNSNode", { nsNodeId });
    await expect.poll(() => again.codes).toContain("end");
  });
});
