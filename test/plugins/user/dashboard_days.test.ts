import { as, TestClock, testKernel } from "edgehelm/testing";
import { expect, test } from "vitest";
import plugin from "../../../plugins/user/plugin.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";

test("the admin dashboard counts users by days of the installation's time zone", async () => {
  const clock = new TestClock(Date.UTC(2026, 9, 23, 21, 59), "Europe/Berlin");
  await using edgehelm = await testKernel({ plugins: [plugin], clock });
  const root = as.admin();
  const register = (username: string) =>
    edgehelm.call(root, UserService.method.createUser, { username, password: "correct horse battery" });
  await register("late");
  clock.advance(60);
  await register("first");
  clock.advance(24 * 3600);
  await register("longest");
  clock.advance(25 * 3600 - 1);
  const board = await edgehelm.call(root, UserService.method.composeUserGlobalBoard, {});
  expect([board.countTodayUsers, board.countWeeklyUsers]).toEqual([1n, 3n]);
  expect(board.dailyStats.map(({ day, count }) => [day, count]))
    .toEqual([["20261023", 1n], ["20261024", 1n], ["20261025", 1n]]);
});
