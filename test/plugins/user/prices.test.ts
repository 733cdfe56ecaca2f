import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { edgehelm, newUser, root, useKernel } from "./rig.ts";

const { verifyUser } = UserService.method;

useKernel();

describe("prices, servers and figures", () => {
  const { findUserPriceInfo, updateUserPriceType, updateUserPricePeriod, findUserNodeClusterId } = UserService.method;
  const { checkUserServersState, renewUserServersState, composeUserDashboard, composeUserGlobalBoard } =
    UserService.method;
  const { findAllUserFeatureDefinitions, checkUserOTPWithUsername, findUserVerifiedEmailWithUsername } =
    UserService.method;

  test("are stored and returned", async () => {
    const { userId, username } = await newUser();
    const self = as.user(userId);
    await edgehelm.call(root, updateUserPriceType, { userId, priceType: "traffic" });
    await edgehelm.call(root, updateUserPricePeriod, { userId, pricePeriod: "monthly" });
    expect(await edgehelm.call(self, findUserPriceInfo, {}))
      .toMatchObject({ priceType: "traffic", pricePeriod: "monthly" });
    await expect(edgehelm.call(root, updateUserPriceType, { userId, priceType: "guess" })).rejects.toMatchObject({
      message: 'priceType: must be one of empty, traffic, bandwidth, got "guess"',
    });
    expect((await edgehelm.call(self, checkUserServersState, {})).isEnabled).toBe(true);
    await edgehelm.call(root, verifyUser, { userId, isRejected: true, rejectReason: "fraud" });
    expect((await edgehelm.call(root, renewUserServersState, { userId })).isEnabled).toBe(false);
    expect((await edgehelm.call(root, checkUserServersState, { userId })).isEnabled).toBe(false);
    await edgehelm.call(root, verifyUser, { userId });
    expect((await edgehelm.call(self, findUserNodeClusterId, {})).nodeClusterId).toBe(0n);
    expect((await edgehelm.call(self, composeUserDashboard, {})).countServers).toBe(0n);
    const board = await edgehelm.call(root, composeUserGlobalBoard, {});
    expect(board.totalUsers).toBe(board.countTodayUsers);
    expect(board.dailyStats).toMatchObject([{ count: board.totalUsers }]);
    expect((await edgehelm.call(self, findAllUserFeatureDefinitions, {})).features.length).toBeGreaterThan(3);
    expect((await edgehelm.call(root, checkUserOTPWithUsername, { username })).requireOTP).toBe(false);
    expect((await edgehelm.call(root, findUserVerifiedEmailWithUsername, { username })).email).toBe("");
  });
});
