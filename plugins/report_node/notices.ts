import { type Call, type Clock, jsonField, unixSeconds } from "edgehelm";
import { ReportNodeSettingSchema } from "./proto/shapes_pb.ts";
import type { ReportNodeStore } from "./store.ts";
import type { ReportTasks, UnreachableAddress } from "./tasks.ts";

const TIMEOUT_MILLISECONDS = 10_000;
const DEFAULT_CONNECTIVITY = 100;
const MAX_ADDRESSES_PER_NOTICE = 1000;

/**
 * Notifies the webhook of the global setting of addresses that too few report nodes can reach, once until they are
 * reachable again. A failed notification is retried in the next run.
 */
export async function notifyOfUnreachable(
  call: Call,
  nodes: ReportNodeStore,
  tasks: ReportTasks,
  clock: Clock,
): Promise<void> {
  const stored = (await nodes.setting.first(call, {}))?.settingJSON;
  const setting = stored && jsonField("settingJSON", stored, ReportNodeSettingSchema);
  if (setting === undefined || setting.notifyWebHookURL === "") return;
  const { minNotifyConnectivity = DEFAULT_CONNECTIVITY, notifyWebHookURL } = setting;
  const unreachable = await tasks.reachedByFewerThan(call, minNotifyConnectivity);
  const notified = new Set((await nodes.notices.all(call, {})).map(({ addrId }) => addrId));
  const unreachableIds = new Set(unreachable.map(({ addrId }) => addrId));
  const recovered = [...notified].filter((addrId) => !unreachableIds.has(addrId));
  if (recovered.length > 0) await call.transact((inner) => nodes.removeNotices.run(inner, { addrIds: recovered }));
  const newlyUnreachable = unreachable.filter(({ addrId }) => !notified.has(addrId)).slice(0, MAX_ADDRESSES_PER_NOTICE);
  if (
    newlyUnreachable.length === 0 || !await postNotice(call, notifyWebHookURL, minNotifyConnectivity, newlyUnreachable)
  ) return;
  const addrIds = newlyUnreachable.map(({ addrId }) => addrId);
  await call.transact((inner) => nodes.addNotices.run(inner, { addrIds, notifiedAt: unixSeconds(clock) }));
}

/** Posts the addresses to the webhook. Returns false if the webhook failed. */
async function postNotice(
  call: Call,
  url: string,
  minNotifyConnectivity: number,
  newlyUnreachable: readonly UnreachableAddress[],
) {
  const ipAddrs = newlyUnreachable.map((address) => ({ ...address, addrId: Number(address.addrId) }));
  try {
    const response = await call.fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ type: "ipAddrConnectivity", minNotifyConnectivity, ipAddrs }),
      timeoutMilliseconds: TIMEOUT_MILLISECONDS,
    });
    await response.body?.cancel();
    if (response.ok) return true;
    call.log.warn("report node webhook failed", { status: response.status });
  } catch (error) {
    call.log.warn("report node webhook not reachable", { error: String(error) });
  }
  return false;
}
