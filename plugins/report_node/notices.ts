import { type Call, type Clock, unixSeconds } from "edgehelm";
import { webhookHeaders } from "edgehelm/auth";
import { hexText } from "edgehelm/wire";
import type { GlobalSetting } from "./global_setting.ts";
import type { ReportNodeStore } from "./store.ts";
import type { MeasuredAddress, ReportTasks } from "./tasks.ts";

const TIMEOUT_MILLISECONDS = 10_000;
const DEFAULT_CONNECTIVITY = 100;
const MAX_ADDRESSES_PER_NOTICE = 1000;

/** The web hook and what its notices say. */
interface Hook {
  readonly url: string;
  /** The secret that signs notices; empty for none. */
  readonly secret: string;
  readonly minNotifyConnectivity: number;
  /** The number of notices that it accepted. */
  readonly noticeCount: bigint;
}

/**
 * Notifies the webhook of the global setting of addresses that too few report nodes can reach, once until they are
 * reachable again. A failed notification is retried in the next run.
 */
export async function notifyOfUnreachable(
  call: Call,
  nodes: ReportNodeStore,
  tasks: ReportTasks,
  globalSetting: GlobalSetting,
  clock: Clock,
): Promise<void> {
  const { setting, secret, noticeCount } = await globalSetting.find(call);
  if (setting.notifyWebHookURL === "") return;
  const { minNotifyConnectivity = DEFAULT_CONNECTIVITY, notifyWebHookURL } = setting;
  const unreachable = (await tasks.measured(call)).filter(({ connectivity }) => connectivity < minNotifyConnectivity);
  const notified = new Set((await nodes.notices.all(call, {})).map(({ addrId }) => addrId));
  const unreachableIds = new Set(unreachable.map(({ addrId }) => addrId));
  const recovered = [...notified].filter((addrId) => !unreachableIds.has(addrId));
  if (recovered.length > 0) await call.transact((inner) => nodes.removeNotices.run(inner, { addrIds: recovered }));
  const newlyUnreachable = unreachable.filter(({ addrId }) => !notified.has(addrId)).slice(0, MAX_ADDRESSES_PER_NOTICE);
  const notifiedAt = unixSeconds(clock);
  const hook = { url: notifyWebHookURL, secret, minNotifyConnectivity, noticeCount };
  if (newlyUnreachable.length === 0 || !await postNotice(call, hook, newlyUnreachable, notifiedAt)) return;
  const addrIds = newlyUnreachable.map(({ addrId }) => addrId);
  await call.transact(async (inner) => {
    await nodes.addNotices.run(inner, { addrIds, notifiedAt });
    await nodes.countNotice.run(inner, {});
  });
}

/** Posts the addresses to the webhook. Returns false if the webhook failed. */
async function postNotice(
  call: Call,
  { url, secret, minNotifyConnectivity, noticeCount }: Hook,
  newlyUnreachable: readonly MeasuredAddress[],
  now: bigint,
): Promise<boolean> {
  const ipAddrs = newlyUnreachable.map(({ addrId, ip, port, costMs, connectivity, level }) => ({
    ...{ addrId: Number(addrId), ip, port, costMs, connectivity, level },
  }));
  const body = JSON.stringify({ type: "ipAddrConnectivity", minNotifyConnectivity, ipAddrs });
  const id = await noticeId(secret, noticeCount, newlyUnreachable);
  const signature = secret === "" ? {} : await webhookHeaders(secret, id, Number(now), body);
  try {
    const response = await call.fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...signature },
      body,
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

/** Returns the id of a notice. An attempt for the same addresses has the same one until the web hook accepts a notice. */
async function noticeId(secret: string, count: bigint, addresses: readonly MeasuredAddress[]): Promise<string> {
  const text = `${secret} ${count} ${addresses.map(({ addrId }) => addrId).join(" ")}`;
  return hexText(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}
