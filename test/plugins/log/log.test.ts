import { as } from "edgehelm/testing";
import { expect, test } from "vitest";
import { ada, admin, descriptions, edgehelm, list, rpc, size, START, useKernel, write } from "./rig.ts";

useKernel();

test("an admin reads the logs and deletes them", async () => {
  await write(admin, " turned node 7 off ", { level: "warn", action: "/nodes/7", ip: "192.0.2.1" });
  await write(ada, "renewed a plan", { ip: "2001:db8::1" });
  await write(as.user(8n), "went away");
  expect(await list()).toMatchObject([
    { description: "went away", type: "user", userId: 8n, userName: "" },
    { description: "renewed a plan", type: "user", adminId: 0n, userId: 7n, userName: "Ada L.", ip: "2001:db8::1" },
    {
      level: "warn",
      action: "/nodes/7",
      description: "turned node 7 off",
      ip: "192.0.2.1",
      type: "admin",
      adminId: 3n,
      userId: 0n,
      providerId: 0n,
      userName: "admin3",
      createdAt: BigInt(START),
    },
  ]);
  expect(await size()).toBe(
    3n * 64n + BigInt("turned node 7 off/nodes/7192.0.2.1renewed a plan2001:db8::1went away".length),
  );
  const [last] = await list();
  await edgehelm.call(admin, rpc.deleteLogPermanently, { logId: last!.id });
  expect(await descriptions()).toEqual(["renewed a plan", "turned node 7 off"]);
  await expect(edgehelm.call(admin, rpc.deleteLogPermanently, { logId: last!.id }))
    .rejects.toMatchObject({ code: 404, reason: "log.not_found" });
  const ids = (await list()).map(({ id }) => id);
  await edgehelm.call(admin, rpc.deleteLogsPermanently, { logIds: [...ids, 9999n] });
  expect(await descriptions()).toEqual([]);
  expect(await size()).toBe(0n);
});

test("users write logs of their own actions and read none", async () => {
  await write(ada, "mine");
  for (const method of [rpc.listLogs, rpc.countLogs, rpc.cleanLogsPermanently, rpc.deleteLogPermanently]) {
    await expect(edgehelm.call(ada, method as typeof rpc.countLogs, {})).rejects.toMatchObject({ code: 403 });
  }
  await expect(write(as.node(1n), "not a person")).rejects.toMatchObject({ code: 403 });
});
