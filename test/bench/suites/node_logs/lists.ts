import type { HttpCall } from "../../load/http_call.ts";
import type { FilledLogs } from "./data.ts";
import { yesterday } from "./yesterday.ts";

const ROWS = '"nodeLogs":[{';
const FIRST = '"offset":<random 0 100>';

/** Each call asks for another page or text, so that no response comes from what the last call left. */
export function listCalls({ rows, nodeId, serverId, originId }: FilledLogs): Record<string, HttpCall> {
  const list = (fields: string, expected = ROWS): HttpCall => ({
    path: "/NodeLogService/listNodeLogs",
    body: `{${fields}}`,
    expected,
  });
  const count = (fields: string, operation = "countNodeLogs"): HttpCall => ({
    path: `/NodeLogService/${operation}`,
    body: `{${fields}}`,
    expected: '"count":',
  });
  const deep = (share: number) => `"offset":<random ${Math.floor(rows * share) - 200} ${Math.floor(rows * share)}>`;
  const node = `"role":"node","nodeId":${nodeId}`;
  const days = `"dayFrom":"${yesterday()}","dayTo":"${yesterday()}"`;
  const none = '"code":200';
  return {
    list_first: list(FIRST),
    list_deep: list(deep(0.9)),
    list_1000: list(`${FIRST},"size":1000`),
    list_role: list(`"role":"dns",${FIRST}`),
    list_role_deep: list(`"role":"dns",${deep(1 / 12)}`),
    list_level_deep: list(`"level":"success",${deep(1 / 25)}`),
    list_levels_role_day_deep: list(`"level":"error,warning","role":"node",${days},${deep(1 / 30)}`),
    list_day: list(`${days},${FIRST}`),
    list_node: list(`${node},${FIRST}`),
    list_node_deep: list(`${node},${deep(1 / 400)}`),
    list_node_level: list(`${node},"level":"error",${FIRST}`),
    list_site: list(`"serverId":${serverId},"offset":<random 0 2>`),
    list_origin: list(`"originId":${originId},"offset":<random 0 2>`, none),
    list_sites_error: list(`"allServers":true,"level":"warning",${FIRST}`),
    list_unread: list(`"isUnread":true,${FIRST}`, none),
    list_unread_node: list(`${node},"isUnread":true,"offset":<random 0 2>`, none),
    list_unfixed: list(`"fixedState":2,${FIRST}`),
    list_fixed: list('"fixedState":1', none),
    keyword_rare: list(`"keyword":"number <random 60001 ${rows - 5} 6> after"`),
    keyword_common: list(`"keyword":"certificate",${FIRST}`),
    keyword_none: list('"keyword":"unheard of <random 1 1000000>"', none),
    keyword_node: list(`${node},"keyword":"timeout",${FIRST}`),
    keyword_short: list(`"keyword":"of",${FIRST}`),
    tag: list(`"tag":"RELOAD",${FIRST}`),
    count: count(""),
    count_role_levels_day: count(`"role":"node","level":"error,warning",${days}`),
    count_node: count(node),
    count_site: count(`"serverId":${serverId},"level":"error"`),
    count_unfixed: count('"fixedState":2'),
    count_unread: count("", "countAllUnreadNodeLogs"),
  };
}
