import { expect, test } from "vitest";
import { openDay } from "./day_rig.ts";

test("Access keys: two integrations of one customer, each with its own key, and an admin who deletes one", async () => {
  await using day = await openDay();
  const { admin } = day;
  const ada = await day.user("ada");
  const service = "UserAccessKeyService";

  // She creates a key for her shop; the requested owner is ignored.
  const { userAccessKeyId, uniqueId, secret } = await ada.post(`${service}/createUserAccessKey`, {
    ...{ description: "shop", userId: ada.id + 1, adminId: 1 },
  });
  const { userAccessKeys } = await ada.post(`${service}/findAllEnabledUserAccessKeys`);
  expect(userAccessKeys[0]).toMatchObject({ id: userAccessKeyId, uniqueId, secret, description: "shop", isOn: true });
  expect((await ada.post(`${service}/countAllEnabledUserAccessKeys`)).count).toBe(2);

  // Both integrations work at the same time, and neither has admin permissions.
  const shop = await day.login("user", uniqueId, secret);
  for (const client of [ada, shop]) await client.post("NSDomainService/listNSDomains");
  await expect(day.login("admin", uniqueId, secret)).rejects.toThrow("access key not found");
  await expect(day.login("user", uniqueId, `${secret}x`)).rejects.toThrow("access key not found");
  expect(await shop.error("UserService/listEnabledUsers")).toMatchObject({
    code: 403,
    message: expect.stringContaining("permission"),
  });

  // Turning a key off revokes its tokens immediately, but not those of other keys.
  await ada.post(`${service}/updateUserAccessKeyIsOn`, { userAccessKeyId, isOn: false });
  expect(await shop.error("NSDomainService/listNSDomains")).toMatchObject({
    code: 401,
    message: expect.stringContaining("access token"),
  });
  await expect(day.login("user", uniqueId, secret)).rejects.toThrow("access key not found");
  await ada.post(`${service}/updateUserAccessKeyIsOn`, { userAccessKeyId, isOn: true });
  const reenabled = await day.login("user", uniqueId, secret);
  await reenabled.post("NSDomainService/listNSDomains");

  // Another customer cannot delete the key; the admin can.
  const bob = await day.user("bob");
  expect(await bob.error(`${service}/deleteUserAccessKey`, { userAccessKeyId })).toMatchObject({ code: 404 });
  await admin.post(`${service}/deleteUserAccessKey`, { userAccessKeyId });
  expect(await reenabled.error("NSDomainService/listNSDomains")).toMatchObject({ code: 401 });
  expect((await admin.post(`${service}/countAllEnabledUserAccessKeys`, { userId: ada.id })).count).toBe(1);

  // Deleting a user revokes their tokens immediately.
  await admin.post("UserService/deleteUser", { userId: ada.id });
  expect(await ada.error("NSDomainService/listNSDomains")).toMatchObject({ code: 401 });
});
