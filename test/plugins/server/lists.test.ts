import { expect, test } from "vitest";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { admin, create, edgehelm, service, useKernel } from "./rig.ts";

useKernel();

test("lists and counts agree with an in-memory filter, and servers are deleted with their user", async () => {
  const userId = (await edgehelm.call(admin, UserService.method.createUser, {
    username: "owner",
    password: "a long enough password",
  })).userId;
  const rows: { id: bigint; nodeClusterId: bigint; family: string; name: string }[] = [];
  for (let index = 0; index < 24; index++) {
    const [nodeClusterId, family] = [BigInt(index % 3 + 1), ["http", "tcp", "udp"][index % 2]!];
    const name = `${index % 4 === 0 ? "Blog" : "shop"} ${index}`;
    const id = await create({ userId, nodeClusterId, name, type: `${family}Proxy` });
    rows.unshift({ id, nodeClusterId, family, name });
  }
  for (const nodeClusterId of [0n, 1n, 2n]) {
    for (const protocolFamily of ["", "http", "udp"]) {
      for (const keyword of ["", "BLOG", "%"]) {
        const filter = { userId, nodeClusterId, protocolFamily, keyword };
        const expected = rows.filter((row) =>
          (nodeClusterId === 0n || row.nodeClusterId === nodeClusterId) &&
          (protocolFamily === "" || row.family === protocolFamily) &&
          row.name.toLowerCase().includes(keyword.toLowerCase())
        );
        expect((await edgehelm.call(admin, service.countAllEnabledServersMatch, filter)).count)
          .toBe(BigInt(expected.length));
        const { servers } = await edgehelm.call(admin, service.listEnabledServersMatch, {
          ...filter,
          offset: 2n,
          size: 3n,
        });
        expect(servers.map(({ id }) => id)).toEqual(expected.slice(2, 5).map(({ id }) => id));
      }
    }
  }
  await expect(edgehelm.call(admin, service.listEnabledServersMatch, { trafficOutDesc: true }))
    .rejects.toMatchObject({ code: 400, reason: "server.cannot_sort" });
  await edgehelm.call(admin, UserService.method.deleteUser, { userId });
  await edgehelm.kernel.runJob("user.remove_deleted");
  expect((await edgehelm.call(admin, service.countAllUserServers, { userId })).count).toBe(0n);
});
