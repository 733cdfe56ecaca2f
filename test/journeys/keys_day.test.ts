import { expect, test } from "vitest";
import { openDay } from "./day_rig.ts";

test("Access keys: two integrations of one customer, each with its own, and an operator who cleans up", {
  timeout: 120_000,
}, async () => {
  await using day = await openDay();
  const { admin } = day;
  const ada = await day.user("ada");
  const service = "UserAccessKeyService";

  // she makes a key for her shop; whatever owner she names, it is hers
  const { userAccessKeyId, uniqueId, secret } = await ada.post(`${service}/createUserAccessKey`, {
    ...{ description: "shop", userId: ada.id + 1, adminId: 1 },
  });
  const { userAccessKeys } = await ada.post(`${service}/findAllEnabledUserAccessKeys`);
  expect(userAccessKeys[0]).toMatchObject({ id: userAccessKeyId, uniqueId, secret, description: "shop", isOn: true });
  expect((await ada.post(`${service}/countAllEnabledUserAccessKeys`)).count).toBe(2);

  // both integrations work side by side, and neither is ever an admin
  const shop = await day.enter("user", uniqueId, secret);
  for (const one of [ada, shop]) await one.post("NSDomainService/listNSDomains");
  await expect(day.enter("admin", uniqueId, secret)).rejects.toThrow("access key not found");
  await expect(day.enter("user", uniqueId, `${secret}x`)).rejects.toThrow("access key not found");
  expect(await shop.refused("UserService/listEnabledUsers")).toMatchObject({
    code: 403,
    message: expect.stringContaining("permission"),
  });

  // a key that is off ends its tokens at once, and the other key's live on
  await ada.post(`${service}/updateUserAccessKeyIsOn`, { userAccessKeyId, isOn: false });
  expect(await shop.refused("NSDomainService/listNSDomains")).toMatchObject({
    code: 401,
    message: expect.stringContaining("access token"),
  });
  await expect(day.enter("user", uniqueId, secret)).rejects.toThrow("access key not found");
  await ada.post(`${service}/updateUserAccessKeyIsOn`, { userAccessKeyId, isOn: true });
  const again = await day.enter("user", uniqueId, secret);
  await again.post("NSDomainService/listNSDomains");

  // another customer can do nothing about it; the operator can
  const bob = await day.user("bob");
  expect(await bob.refused(`${service}/deleteUserAccessKey`, { userAccessKeyId })).toMatchObject({ code: 404 });
  await admin.post(`${service}/deleteUserAccessKey`, { userAccessKeyId });
  expect(await again.refused("NSDomainService/listNSDomains")).toMatchObject({ code: 401 });
  expect((await admin.post(`${service}/countAllEnabledUserAccessKeys`, { userId: ada.id })).count).toBe(1);

  // a deleted user is out at once
  await admin.post("UserService/deleteUser", { userId: ada.id });
  expect(await ada.refused("NSDomainService/listNSDomains")).toMatchObject({ code: 401 });
});
