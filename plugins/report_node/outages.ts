import { type Call, type Clock, unixSeconds } from "edgehelm";
import type { Events } from "edgehelm/runtime";
import type { NodeIPAddresses } from "../node_ip_address/contract.ts";
import { addressBroke, addressRecovered } from "./events.ts";
import type { GlobalSetting } from "./global_setting.ts";
import type { ReportNodeStore } from "./store.ts";
import type { MeasuredAddress, ReportTasks } from "./tasks.ts";

const MAX_PER_RUN = 500;
/** With so few broken addresses, report nodes that are cut off themselves are not suspected. */
const FEW = 2;

export interface OutageDeps {
  readonly nodes: ReportNodeStore;
  readonly tasks: ReportTasks;
  readonly setting: GlobalSetting;
  readonly addresses: NodeIPAddresses | undefined;
  readonly events: Events;
  readonly clock: Clock;
}

/**
 * Emits an event for each address that became broken or recovered, and takes it down or puts it up as the global setting
 * says, in one transaction.
 */
export async function actOnOutages(call: Call, deps: OutageDeps): Promise<void> {
  const { nodes, tasks, setting, addresses } = deps;
  if (addresses === undefined) return;
  const measured = await tasks.measured(call);
  const broken = measured.filter(({ level }) => level === "broken");
  const known = new Map((await nodes.outages.all(call, {})).map(({ addrId, isTakenDown }) => [addrId, isTakenDown]));
  const isBroken = new Set(broken.map(({ addrId }) => addrId));
  const ended = [...known].filter(([addrId]) => !isBroken.has(addrId)).slice(0, MAX_PER_RUN);
  const reached = new Map(measured.map((address) => [address.addrId, address]));
  for (const [addrId, isTakenDown] of ended) {
    await end(call, deps, addresses, addrId, isTakenDown === 1n, reached.get(addrId));
  }
  if (broken.length > FEW && broken.length * 2 > measured.length) {
    call.log.warn("most addresses are broken, so report nodes may be cut off; no address is taken down", {
      broken: broken.length,
      measured: measured.length,
    });
    return;
  }
  const takesDown = (await setting.find(call)).setting.takesBrokenDown === true && broken.length < measured.length;
  const begun = broken.filter(({ addrId }) => !known.has(addrId)).slice(0, MAX_PER_RUN);
  for (const address of begun) await begin(call, deps, addresses, address, takesDown && address.isUp);
}

async function begin(
  call: Call,
  { nodes, events, clock }: OutageDeps,
  addresses: NodeIPAddresses,
  { addrId, ip, connectivity }: MeasuredAddress,
  isTakenDown: boolean,
): Promise<void> {
  await call.transact(async (inner) => {
    await nodes.addOutage.run(inner, { addrId, isTakenDown, createdAt: unixSeconds(clock) });
    if (isTakenDown) await addresses.setUp(inner, addrId, false);
    await events.emit(inner, addressBroke, { nodeIPAddressId: addrId, ip, connectivity, isTakenDown });
  });
}

/** @param address the address as it is reached; undefined if it has no results, or is turned off or deleted */
async function end(
  call: Call,
  { nodes, events }: OutageDeps,
  addresses: NodeIPAddresses,
  addrId: bigint,
  wasTakenDown: boolean,
  address: MeasuredAddress | undefined,
): Promise<void> {
  await call.transact(async (inner) => {
    await nodes.removeOutage.run(inner, { addrId });
    if (wasTakenDown) await addresses.setUp(inner, addrId, true);
    if (address === undefined) return;
    await events.emit(inner, addressRecovered, { nodeIPAddressId: addrId, ip: address.ip });
  });
}
