import { type Handlers, ownerOf, pageOf, unixSeconds } from "edgehelm";
import { containing } from "edgehelm/storage";
import { userMessage } from "../messages.ts";
import type { UserService } from "../proto/service_user_pb.ts";
import type { UserRow } from "../store.ts";
import type { Deps } from "./deps.ts";

type FindOperations =
  | "findEnabledUser"
  | "listEnabledUsers"
  | "countAllEnabledUsers"
  | "findUserNodeClusterId"
  | "composeUserDashboard"
  | "composeUserGlobalBoard";

const DAY = 86_400n;

/** The operations that find, list and count users, and the dashboards. */
export function findHandlers(
  { users, directory, dashboards, features, clock }: Deps,
): Pick<Handlers<typeof UserService>, FindOperations> {
  return {
    async findEnabledUser({ userId }, call) {
      const user = await users.byId.first(call, { id: ownerOf(call, userId) });
      return user === undefined ? {} : { user: userMessage(call, user, features()) };
    },

    async listEnabledUsers(request, call) {
      const page = pageOf(request);
      const keyword = request.keyword.trim();
      let rows: UserRow[];
      if (keyword !== "") {
        const filter = { pattern: containing(keyword), verifying: request.isVerifying ? 1n : 0n };
        rows = await users.pageMatching.scan(call, { ...filter, ...page });
      } else rows = await (request.isVerifying ? users.pageOfUnverified : users.page).all(call, page);
      return { users: rows.map((row) => userMessage(call, row, features())) };
    },

    async countAllEnabledUsers({ keyword, isVerifying }, call) {
      if (keyword.trim() === "") return await (isVerifying ? users.countUnverified : users.count).one(call, {});
      const filter = { pattern: containing(keyword.trim()), verifying: isVerifying ? 1n : 0n };
      return { count: (await users.countMatching.scan(call, filter))[0]!.count };
    },

    async findUserNodeClusterId({ userId }, call) {
      const user = await users.byId.first(call, { id: ownerOf(call, userId) });
      return { nodeClusterId: user?.nodeClusterId ?? 0n };
    },

    async composeUserDashboard({ userId }, call) {
      const { id } = await directory.require(call, ownerOf(call, userId));
      return Object.assign({}, ...await Promise.all(dashboards.map((plugin) => plugin.ofUser(call, id))));
    },

    async composeUserGlobalBoard(_request, call) {
      const today = unixSeconds(clock) / DAY * DAY;
      const figures = await Promise.all(dashboards.map((plugin) => plugin.ofAll(call)));
      return Object.assign({}, ...figures, {
        totalUsers: (await users.count.one(call, {})).count,
        countVerifyingUsers: (await users.countUnverified.one(call, {})).count,
        countTodayUsers: (await users.countCreatedSince.one(call, { since: today })).count,
        countWeeklyUsers: (await users.countCreatedSince.one(call, { since: today - 6n * DAY })).count,
        dailyStats: await users.createdPerDay.all(call, { since: today - 13n * DAY }),
      });
    },
  };
}
