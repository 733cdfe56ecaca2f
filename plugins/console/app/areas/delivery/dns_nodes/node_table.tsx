import type { JSX } from "preact";
import { readJson } from "../../../parts/json_bytes.ts";
import { State } from "../../../parts/state.tsx";
import { linkTo } from "../../../shell/route.ts";
import { relativeTime, time } from "../../../texts/mod.ts";
import { texts } from "./texts.ts";

/** The part of a DNS node that is shown in a table. */
export interface DNSNode {
  readonly id: bigint;
  readonly name: string;
  readonly isOn: boolean;
  readonly isInstalled: boolean;
  readonly isUp: boolean;
  readonly isActive: boolean;
  readonly nsCluster?: { readonly id: bigint; readonly name: string };
  readonly statusJSON: Uint8Array;
}

interface Status {
  readonly buildVersion?: string;
  readonly updatedAt?: number | string;
}

interface NodeTableProps {
  readonly nodes: readonly DNSNode[];
  /** True to name the cluster of each node. */
  readonly hasCluster?: boolean;
}

/** DNS nodes with their states. */
export function NodeTable({ nodes, hasCluster = false }: NodeTableProps): JSX.Element {
  const { value: text } = texts;
  return (
    <div class="scroll">
      <table class="list">
        <thead>
          <tr>
            <th>{text.name}</th>
            {hasCluster && <th>{text.cluster}</th>}
            <th>{text.state}</th>
            <th>{text.seen}</th>
            <th>{text.version}</th>
          </tr>
        </thead>
        <tbody>
          {nodes.map((node) => <NodeRow key={node.id} node={node} hasCluster={hasCluster} />)}
        </tbody>
      </table>
    </div>
  );
}

function NodeRow({ node, hasCluster }: { node: DNSNode; hasCluster: boolean }): JSX.Element {
  const { updatedAt = 0, buildVersion = "" } = readJson<Status>(node.statusJSON) ?? {};
  const seen = BigInt(updatedAt);
  return (
    <tr>
      <td class="first">
        <a class="main" href={linkTo(["resource", "NSNode", node.id])}>{node.name}</a>
      </td>
      {hasCluster && <td>{node.nsCluster?.name}</td>}
      <td>
        <State {...stateOf(node)} />
      </td>
      <td>{seen === 0n ? texts.value.never : <time title={time(seen)}>{relativeTime(seen)}</time>}</td>
      <td class="mono">{buildVersion}</td>
    </tr>
  );
}

/** The most important thing to know about a node, in words. */
function stateOf({ isOn, isInstalled, isUp, isActive }: DNSNode): Parameters<typeof State>[0] {
  const { value: text } = texts;
  if (!isOn) return { kind: "idle", text: text.off };
  if (!isActive && !isInstalled) return { kind: "idle", text: text.notInstalled };
  if (!isUp) return { kind: "bad", text: text.down };
  return isActive ? { kind: "ok", text: text.up } : { kind: "warn", text: text.silent };
}
