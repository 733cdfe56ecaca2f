import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { ConnectedNode, Instances } from "../harness/instances.ts";
import { CHOSEN_KEY, type Server } from "../harness/server.ts";
import { sqldRuns } from "../servers/sqld.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const PLUGINS = [
  "admin",
  "api_access_token",
  "ns_cluster",
  "ns_domain_group",
  "ns_node",
  "user",
  "user_access_key",
];
const COUNT = 4;
/** How long a job's lease lasts without its holder, and what a slow machine adds. */
const TAKEOVER = { timeout: 30_000, interval: 200 };

describe.skipIf(!sqldRuns())("four processes on one database", () => {
  let instances: Instances;
  const servers = (): readonly Server[] => instances.servers;
  const server = (index: number): Server => servers()[index % COUNT]!;
  beforeAll(async () => {
    instances = await Instances.start(COUNT, PLUGINS, { limits: { loginFailures: COUNT, loginSeconds: 60 } });
  });
  afterAll(() => instances?.[Symbol.asyncDispose]());

  async function ok(from: Server, path: string, request: object) {
    const { code, message, data } = await from.post(path, request);
    if (code !== 200) throw new Error(`${path}: ${message}`);
    return data;
  }

  async function newKey(owner: object): Promise<{ userAccessKeyId: number; uniqueId: string; secret: string }> {
    return await ok(server(0), "/UserAccessKeyService/createUserAccessKey", owner);
  }

  async function newNode(name: string): Promise<{ id: number; uniqueId: string; secret: string }> {
    const { nsClusterId } = await ok(server(0), "/NSClusterService/createNSCluster", {
      name,
      hosts: ["ns1.edge.test"],
    });
    const request = { name, nodeClusterId: nsClusterId };
    const { nsNodeId } = await ok(server(0), "/NSNodeService/createNSNode", request);
    return (await ok(server(0), "/NSNodeService/findNSNode", { nsNodeId })).nsNode;
  }

  test("refuse within a second what one of them ended: keys, users, admins and nodes", async () => {
    const users: number[] = [];
    const admins: number[] = [];
    for (const name of ["first", "second", "third"]) {
      const password = "walks in the rain";
      users.push((await ok(server(0), "/UserService/createUser", { username: name, password })).userId);
      admins.push((await ok(server(0), "/AdminService/createAdmin", { username: name })).adminId);
    }
    const [offUser, goneUser, keyUser] = users.map((userId) => ({ userId }));
    const [offAdmin, goneAdmin, keyAdmin] = admins.map((adminId) => ({ adminId }));
    const [keyToTurnOff, keyToDelete] = [await newKey(keyUser!), await newKey(keyAdmin!)];
    const [nodeToTurnOff, nodeToDelete] = [await newNode("off"), await newNode("gone")];
    const groups = "/NSDomainGroupService/findAllNSDomainGroups";
    const config = "/NSNodeService/findCurrentNSNodeConfig";
    const { nsClusterId } = await ok(server(0), "/NSClusterService/createNSCluster", { name: "other" });
    const ends: readonly [type: string, key: { uniqueId: string; secret: string }, path: string, request: object][] = [
      ["user", keyToTurnOff, "/UserAccessKeyService/updateUserAccessKeyIsOn", {
        userAccessKeyId: keyToTurnOff.userAccessKeyId,
        isOn: false,
      }],
      ["admin", keyToDelete, "/UserAccessKeyService/deleteUserAccessKey", keyToDelete],
      ["user", await newKey(offUser!), "/UserService/updateUser", { ...offUser, username: "first", isOn: false }],
      ["user", await newKey(goneUser!), "/UserService/deleteUser", goneUser!],
      ["admin", await newKey(offAdmin!), "/AdminService/updateAdmin", { ...offAdmin, username: "first", isOn: false }],
      ["admin", await newKey(goneAdmin!), "/AdminService/deleteAdmin", goneAdmin!],
      ["dns", nodeToTurnOff, "/NSNodeService/updateNSNode", {
        nsNodeId: nodeToTurnOff.id,
        name: "off",
        nsClusterId,
        isOn: false,
      }],
      ["dns", nodeToDelete, "/NSNodeService/deleteNSNode", { nsNodeId: nodeToDelete.id }],
    ];
    const delays = await Promise.all(ends.map(async ([type, { uniqueId, secret }, path, request], index) => {
      const token = await server(index).token(uniqueId, secret, type);
      const operation = type === "dns" ? config : groups;
      for (const one of servers()) expect(await one.postWith(token, operation, {})).toMatchObject({ code: 200 });
      await ok(server(index + 1), path, request);
      const ended = performance.now();
      return await Promise.all(
        servers().map(async (one) => {
          let [asked, lastAccepted] = [0, 0];
          for (;;) {
            const { code } = await one.postWith(token, operation, {});
            if (code !== 200) {
              // A node that is gone is not found while its token still holds.
              expect(type === "dns" ? [401, 404] : [401]).toContain(code);
              return lastAccepted;
            }
            lastAccepted = asked;
            asked = performance.now() - ended;
            await new Promise((resolve) => setImmediate(resolve));
          }
        }),
      );
    }));
    expect(Math.max(...delays.flat())).toBeLessThan(1000);
  });

  test("count failed logins together", async () => {
    const { uniqueId, secret } = await newKey({ adminId: 1 });
    const login = (from: Server, accessKey: string) => {
      const request = { type: "admin", accessKeyId: uniqueId, accessKey };
      return from.postAsNobody("/APIAccessTokenService/getAPIAccessToken", request);
    };
    for (const one of servers()) expect(await login(one, "wrong")).toMatchObject({ code: 401 });
    for (const one of servers()) expect(await login(one, secret)).toMatchObject({ code: 429 });
  });

  test("do once what is asked of all of them with one idempotency key", async () => {
    const token = await server(0).token(CHOSEN_KEY.EDGEHELM_ADMIN_ACCESS_KEY_ID, CHOSEN_KEY.EDGEHELM_ADMIN_ACCESS_KEY);
    for (const method of ["change", "reach"]) {
      const answers = await Promise.all(
        servers().map((one) =>
          one.postWith(token, `/ProbeService/${method}`, { text: method }, { "idempotency-key": method })
        ),
      );
      expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 200));
      expect(new Set(answers.map(({ data }) => data.text)).size).toBe(1);
    }
    const { text } = await ok(server(1), "/ProbeService/look", { text: "changes" });
    expect(JSON.parse(text).toSorted()).toEqual(["change", "reach"]);
  });

  /** Waits for a round that is held, another one than `not`, and answers it with its instance. */
  async function heldRound(from: Server, not?: string): Promise<{ run: string; holder: number }> {
    let run = "";
    await expect.poll(async () => {
      const last = (await instances.rounds(from)).at(-1);
      run = last?.step === "began" ? last.run : "";
      return run !== "" && run !== not && instances.holderOf(run) !== -1;
    }, TAKEOVER).toBe(true);
    return { run, holder: instances.holderOf(run) };
  }

  /** Holds the job inside a round, does something to its instance, and answers the round when another one took over. */
  async function takenOver(act: (holder: number) => void) {
    await ok(server(0), "/ProbeService/change", { text: "hold" });
    const first = await heldRound(server(0));
    const other = server(first.holder + 1);
    act(first.holder);
    expect((await heldRound(other, first.run)).holder).not.toBe(first.holder);
    await ok(other, "/ProbeService/change", { text: "hold", number: -1 });
    return first;
  }

  /** No round began while another went on, and none sooner than due. */
  async function expectOneAfterTheOther(from: Server): Promise<void> {
    const steps = await instances.rounds(from);
    const began = steps.filter(({ step }) => step === "began");
    for (const [index, { run, at }] of began.entries()) {
      const next = began[index + 1];
      if (next !== undefined) expect(next.at - at).toBeGreaterThanOrEqual(800);
      const [from, to] = [steps.findIndex((one) => one.run === run), steps.findLastIndex((one) => one.run === run)];
      expect(to - from).toBeLessThanOrEqual(1);
    }
  }

  test("run a job once when it is due, and end what stood still and came back before it writes", async () => {
    const { run, holder } = await takenOver((holder) => server(holder).halt());
    server(holder).go();
    await expect.poll(() => server(holder).output, TAKEOVER).toContain("lost the lease of job rounds.round");
    const steps = (await instances.rounds(server(holder))).filter((one) => one.run === run);
    expect(steps.map(({ step }) => step)).toEqual(["began"]);
    await expectOneAfterTheOther(server(holder));
  });

  test("take over the job of one that is cut off, which says that it cannot serve, and serves again", async () => {
    const { holder } = await takenOver((holder) => instances.proxies[holder]!.cutOff("silent"));
    expect(await server(holder).post("/ProbeService/look", {})).toMatchObject({ code: 503 });
    instances.proxies[holder]!.restore();
    await expect.poll(async () => (await server(holder).post("/ProbeService/look", {})).code, TAKEOVER).toBe(200);
    await expectOneAfterTheOther(server(holder));
  });

  test("bring a command to a node that is connected to another one, and see it go with its instance", async () => {
    const { id: nsNodeId, uniqueId, secret } = await newNode("talker");
    const holder = server(2);
    const node = new ConnectedNode(holder, uniqueId, secret);
    onTestFinished(() => node.stop());
    await expect.poll(() => node.codes, TAKEOVER).toContain("connectedAPINode");
    const dataJSON = btoa('{"n":1}');
    const send = (from: Server) =>
      from.post("/NSNodeService/sendCommandToNSNode", { nsNodeId, code: "check", dataJSON, timeoutSeconds: 10 });
    for (const one of servers()) {
      const { data } = await send(one);
      expect(data).toMatchObject({ nsNodeId, isOk: true, message: "done", dataJSON });
    }
    expect(node.codes.filter((code) => code === "check").length).toBe(COUNT);
    const late = await server(0).post("/NSNodeService/sendCommandToNSNode", {
      nsNodeId,
      code: "ignore",
      timeoutSeconds: 1,
    });
    expect(late.data).toMatchObject({ isOk: false, message: "response timeout over 1 seconds" });

    holder.kill();
    await holder.ended;
    await expect.poll(async () => (await send(server(1))).data.message, TAKEOVER)
      .toBe(`node '${nsNodeId}' not connected yet`);
    await instances.restart(2);
    const again = new ConnectedNode(server(3), uniqueId, secret);
    onTestFinished(() => again.stop());
    await expect.poll(() => again.codes, TAKEOVER).toContain("connectedAPINode");
    expect((await send(server(2))).data).toMatchObject({ isOk: true, message: "done" });
    await ok(server(0), "/NSNodeService/deleteNSNode", { nsNodeId });
    await expect.poll(() => again.codes, { timeout: 5000 }).toContain("end");
  });
});
