import { type Call, type Clock, jsonField, unixSeconds } from "edgehelm";
import { ReportNodeSettingSchema } from "./proto/shapes_pb.ts";
import type { ReportNodeStore } from "./store.ts";
import type { ReportTasks, Unreached } from "./tasks.ts";

const LIMIT_MILLISECONDS = 10_000;
const DEFAULT_CONNECTIVITY = 100;
const TOLD_AT_ONCE = 1000;

/**
 * Tells the web hook of the global setting about addresses that too few report nodes reach, once until they are reached
 * again. A hook that does not take it is tried again in the next round.
 */
export async function notifyOfUnreached(
  call: Call,
  nodes: ReportNodeStore,
  tasks: ReportTasks,
  clock: Clock,
): Promise<void> {
  const stored = (await nodes.setting.first(call, {}))?.settingJSON;
  const setting = stored && jsonField("settingJSON", stored, ReportNodeSettingSchema);
  if (setting === undefined || setting.notifyWebHookURL === "") return;
  const { minNotifyConnectivity = DEFAULT_CONNECTIVITY, notifyWebHookURL } = setting;
  const unreached = await tasks.reachedByFewerThan(call, minNotifyConnectivity);
  const told = new Set((await nodes.notices.all(call, {})).map(({ addrId }) => addrId));
  const still = new Set(unreached.map(({ addrId }) => addrId));
  const over = [...told].filter((addrId) => !still.has(addrId));
  if (over.length > 0) await call.transact((inner) => nodes.removeNotices.run(inner, { addrIds: over }));
  const news = unreached.filter(({ addrId }) => !told.has(addrId)).slice(0, TOLD_AT_ONCE);
  if (news.length === 0 || !await isTaken(call, notifyWebHookURL, minNotifyConnectivity, news)) return;
  const addrIds = news.map(({ addrId }) => addrId);
  await call.transact((inner) => nodes.addNotices.run(inner, { addrIds, toldAt: unixSeconds(clock) }));
}

/** Posts the addresses; false when the hook did not take them. */
async function isTaken(call: Call, url: string, minNotifyConnectivity: number, news: readonly Unreached[]) {
  const ipAddrs = news.map((one) => ({ ...one, addrId: Number(one.addrId) }));
  try {
    const response = await call.fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ type: "ipAddrConnectivity", minNotifyConnectivity, ipAddrs }),
      signal: AbortSignal.timeout(LIMIT_MILLISECONDS),
    });
    await response.body?.cancel();
    if (response.ok) return true;
    call.log.warn("the web hook of report nodes refused", { status: response.status });
  } catch (error) {
    call.log.warn("the web hook of report nodes cannot be reached", { error: String(error) });
  }
  return false;
}
