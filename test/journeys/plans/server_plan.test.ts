import { as, TestClock, testKernel } from "edgehelm/testing";
import { expect, test } from "vitest";
import plans from "../../../plugins/plan/plugin.ts";
import server from "../../../plugins/server/plugin.ts";
import { ServerService } from "../../../plugins/server/proto/service_server_pb.ts";
import users from "../../../plugins/user/plugin.ts";
import accounts from "../../../plugins/user_account/plugin.ts";
import plugin from "../../../plugins/user_plan/plugin.ts";
import { UserPlanService } from "../../../plugins/user_plan/proto/service_user_plan_pb.ts";
import { admin, createTestPlan, userWith } from "../../plugins/user_plan/rig.ts";

const { createServer, findEnabledServer, updateServerUserPlan } = ServerService.method;
const { buyUserPlan, findEnabledUserPlan } = UserPlanService.method;

test("a site can only use an active plan of its owner, and the plan lists the site", async () => {
  const clock = new TestClock();
  await using edgehelm = await testKernel({ plugins: [plugin, plans, accounts, users, server], clock });
  const [ada, bob] = [await userWith(edgehelm, 100), await userWith(edgehelm, 100)];
  const planId = await createTestPlan(edgehelm);
  const request = { planId, period: "monthly", countPeriod: 1, name: "mine" };
  const { userPlanId } = await edgehelm.call(as.user(ada), buyUserPlan, request);
  const site = { type: "httpProxy", name: "shop", nodeClusterId: 1n };
  const { serverId } = await edgehelm.call(admin, createServer, { ...site, userId: ada });
  const { serverId: serverOfBob } = await edgehelm.call(admin, createServer, { ...site, userId: bob });

  await edgehelm.call(admin, updateServerUserPlan, { serverId, userPlanId });
  const { userPlan } = await edgehelm.call(as.user(ada), findEnabledUserPlan, { userPlanId });
  expect(userPlan?.servers).toMatchObject([{ id: serverId, name: "shop" }]);
  const invalidPlan = { code: 400, message: expect.stringContaining("userPlanId:") };
  await expect(edgehelm.call(admin, updateServerUserPlan, { serverId: serverOfBob, userPlanId })).rejects.toMatchObject(
    invalidPlan,
  );
  clock.advance(40 * 86_400);
  const afterExpiry = edgehelm.call(admin, createServer, { ...site, userId: ada, userPlanId });
  await expect(afterExpiry).rejects.toMatchObject(invalidPlan);
  expect((await edgehelm.call(admin, findEnabledServer, { serverId })).server?.userPlanId).toBe(userPlanId);
});
