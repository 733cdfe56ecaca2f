import type { State } from "../../../parts/state.tsx";
import { callPath } from "../../../shell/call.ts";
import type { ListPage } from "../../../parts/lists/loaded_list.tsx";
import { LIST_SIZE } from "../../../parts/lists/loaded_list.tsx";
import { texts } from "./texts.ts";

/** A record with a health check, as the server returns it. */
export interface HealthState {
  readonly nsRecordId: bigint;
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly state: "up" | "down" | "out" | "unchecked";
  readonly downSince: bigint;
  readonly port: number;
  readonly countDown: number;
  readonly countReports: bigint;
  readonly reports: readonly { readonly nsNodeId: bigint; readonly nsNodeName: string; readonly reportedAt: bigint }[];
}

/** A page of records, and the number of nodes that check them. */
export interface HealthPage extends ListPage<HealthState> {
  readonly countActiveNodes: bigint;
}

const KINDS = { up: "ok", down: "bad", out: "warn", unchecked: "idle" } as const;

export async function loadStates(
  filter: { readonly nsDomainId: bigint; readonly isDown: boolean },
  offset: number,
  signal: AbortSignal,
): Promise<HealthPage> {
  const page = { offset: BigInt(offset), size: BigInt(LIST_SIZE) };
  const [{ healthStates, countActiveNodes }, { count }] = await Promise.all([
    callPath("NSRecordService/listNSRecordHealthStates", { ...filter, ...page }, signal),
    callPath("NSRecordService/countNSRecordHealthStates", filter, signal),
  ]);
  return {
    rows: healthStates as readonly HealthState[],
    total: count as bigint,
    countActiveNodes: countActiveNodes as bigint,
  };
}

export function tagOf({ state }: HealthState): Parameters<typeof State>[0] {
  return { kind: KINDS[state], text: texts.value[state] };
}
