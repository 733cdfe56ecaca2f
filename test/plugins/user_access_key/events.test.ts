import { as, testKernel } from "edgehelm/testing";
import { expect, test } from "vitest";
import { UserAccessKeyService } from "../../../plugins/user_access_key/proto/service_user_access_key_pb.ts";
import { emittedBy } from "../../core/events/emitted.ts";
import { ada, plugins, users } from "./rig.ts";

const { createUserAccessKey } = UserAccessKeyService.method;

test("a key that is made is an event for its owner, without the secret", async () => {
  await using edgehelm = await testKernel({ plugins, stubs: [users] });
  const before = (await emittedBy(edgehelm, "user_access_key")).length;
  const { userAccessKeyId, uniqueId, secret } = await edgehelm.call(ada, createUserAccessKey, {
    description: "deploy",
  });
  await edgehelm.call(as.admin(), createUserAccessKey, { userId: 8n, description: "by an admin" });
  const emitted = (await emittedBy(edgehelm, "user_access_key")).slice(before);
  expect(emitted).toMatchObject([
    {
      name: "user_access_key.made",
      userId: 7n,
      data: { userAccessKeyId: String(userAccessKeyId), uniqueId, description: "deploy", madeBy: "user" },
    },
    { name: "user_access_key.made", userId: 8n, data: { description: "by an admin", madeBy: "admin" } },
  ]);
  expect(JSON.stringify(emitted, (_, value) => typeof value === "bigint" ? String(value) : value)).not.toContain(
    secret,
  );
});

test("a key that is refused is no event", async () => {
  await using edgehelm = await testKernel({ plugins, stubs: [users] });
  const before = (await emittedBy(edgehelm, "user_access_key")).length;
  await expect(edgehelm.call(ada, createUserAccessKey, { description: "x".repeat(1001) })).rejects.toThrow();
  expect(await emittedBy(edgehelm, "user_access_key")).toHaveLength(before);
});
