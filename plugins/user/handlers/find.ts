import { type Handlers, ownerOf, pageOf } from "edgehelm";
import { addDays, compactDay, dayStart, today } from "edgehelm/fields";
import { userMessages } from "../messages.ts";
import type { UserService } from "../proto/service_user_pb.ts";
import type { Deps } from "./deps.ts";

type FindOperations =
  | "findEnabledUser"
  | "listEnabledUsers"
  | "countAllEnabledUsers"
  | "findUserNodeClusterId"
  | "composeUserDashboard"
  | "composeUserGlobalBoard";

const CHART_DAYS = 14;
const ALL = { keyword: "" };

/** The operations that find, list and count users, and the dashboards. */
export function findHandlers(
  { users, directory, clusters, factors, dashboards, features, clock }: Deps,
): Pick<Handlers<typeof UserService>, FindOperations> {
  const listOf = (isVerifying: boolean) => isVerifying ? users.listOfVerifying : users.list;

  return {
    async findEnabledUser({ userId }, call) {
      const rows = await users.byId.all(call, { id: ownerOf(call, userId) });
      const [user] = await userMessages(call, clusters, rows, features());
      if (user === undefined) return {};
      const login = await factors?.state(call, { role: "user", subjectId: user.id });
      return { user: { ...user, ...(login && { otpLogin: { ...login, type: "otp", userId: user.id } }) } };
    },

    async listEnabledUsers({ keyword, isVerifying, ...request }, call) {
      const rows = await listOf(isVerifying).page(call, { keyword: keyword.trim() }, pageOf(request));
      return { users: await userMessages(call, clusters, rows, features()) };
    },

    countAllEnabledUsers: ({ keyword, isVerifying }, call) =>
      listOf(isVerifying).count(call, { keyword: keyword.trim() }),

    async findUserNodeClusterId({ userId }, call) {
      const user = await users.byId.first(call, { id: ownerOf(call, userId) });
      return { nodeClusterId: user?.nodeClusterId ?? 0n };
    },

    async composeUserDashboard({ userId }, call) {
      const { id } = await directory.require(call, ownerOf(call, userId));
      return Object.assign({}, ...await Promise.all(dashboards.map((plugin) => plugin.ofUser(call, id))));
    },

    async composeUserGlobalBoard(_request, call) {
      const day = today(clock);
      const since = (days: number) => BigInt(dayStart(clock, addDays(day, days)));
      const days = Array.from({ length: CHART_DAYS }, (_, index) => {
        const ago = index + 1 - CHART_DAYS;
        return { day: compactDay(addDays(day, ago)), from: since(ago), to: since(ago + 1) };
      });
      const figures = await Promise.all(dashboards.map((plugin) => plugin.ofAll(call)));
      return Object.assign({}, ...figures, {
        totalUsers: (await users.list.count(call, ALL)).count,
        countVerifyingUsers: (await users.listOfVerifying.count(call, ALL)).count,
        countTodayUsers: (await users.countCreatedSince.one(call, { since: since(0) })).count,
        countWeeklyUsers: (await users.countCreatedSince.one(call, { since: since(-6) })).count,
        dailyStats: await users.createdPerDay.all(call, {
          days: JSON.stringify(days.map(({ day, from, to }) => [day, Number(from), Number(to)])),
        }),
      });
    },
  };
}
