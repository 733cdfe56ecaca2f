import { type Call, distinct, type Handlers, idField, invalid, pageOf, unixSeconds } from "edgehelm";
import { idOrNoneField } from "edgehelm/fields";
import { errors } from "../errors.ts";
import type { ConsoleSessionService } from "../proto/service_console_session_pb.ts";
import type { SessionFilter, SessionRow } from "../store.ts";
import type { HandlerDeps } from "./handlers.ts";
import { endSession } from "./endings.ts";

/** Handles the operations by which super admins see and end the sessions of others. */
export function sessionOperations(
  { sessions, store, tokens, admins, users, clock, idleSeconds }: HandlerDeps,
): Handlers<typeof ConsoleSessionService> {
  function filterOf(request: { readonly adminId: bigint; readonly userId: bigint }): SessionFilter {
    const [adminId, userId] = [idOrNoneField("adminId", request.adminId), idOrNoneField("userId", request.userId)];
    if (adminId !== 0n && userId !== 0n) throw invalid("userId", `must be 0 if adminId is set, got ${userId}`);
    const now = unixSeconds(clock);
    const role = adminId !== 0n ? "admin" : userId !== 0n ? "user" : "";
    return { role, subjectId: adminId || userId, now, usedSince: now - idleSeconds };
  }

  async function messages(call: Call, rows: readonly SessionRow[]) {
    const idsOf = (role: string) => distinct(rows.filter((row) => row.role === role).map(({ subjectId }) => subjectId));
    const adminNames = await admins?.names(call, idsOf("admin"));
    const userNames = await users?.summaries(call, idsOf("user"));
    return rows.map((row) => {
      const { id, role, subjectId, address, userAgent, keySource, createdAt, lastUsedAt, expiresAt } = row;
      const isAdmin = role === "admin";
      return {
        ...{ id, type: role, ip: address, userAgent, createdAt, lastUsedAt, expiresAt, isOfKey: keySource !== "" },
        username: (isAdmin ? adminNames : userNames)?.get(subjectId)?.username ?? "",
        adminId: isAdmin ? subjectId : 0n,
        userId: isAdmin ? 0n : subjectId,
      };
    });
  }

  return {
    async countConsoleSessions(request, call) {
      return { count: (await store.count.one(call, filterOf(request))).count };
    },

    async listConsoleSessions(request, call) {
      const rows = await store.page.all(call, { ...filterOf(request), ...pageOf(request) });
      return { consoleSessions: await messages(call, rows) };
    },

    async findConsoleSession({ consoleSessionId }, call) {
      const row = await store.byId.first(call, { id: consoleSessionId });
      const [consoleSession] = row === undefined || sessions.isOver(row) ? [] : await messages(call, [row]);
      return consoleSession === undefined ? {} : { consoleSession };
    },

    async deleteConsoleSession({ consoleSessionId }, call) {
      const id = idField("consoleSessionId", consoleSessionId);
      const row = await store.byId.first(call, { id });
      if (row === undefined || sessions.isOver(row)) throw errors.session_missing(id);
      await endSession({ store, tokens }, call, row);
      return {};
    },
  };
}
