import type { JSX } from "preact";
import { Failure } from "../../../parts/failure.tsx";
import { readJson } from "../../../parts/json_bytes.ts";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { State } from "../../../parts/state.tsx";
import type { ObjectProps } from "../../../shell/area.ts";
import { callPath } from "../../../shell/call.ts";
import { linkTo } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import { relativeTime, time } from "../../../texts/mod.ts";
import { texts } from "./texts.ts";

interface Node {
  readonly id: bigint;
  readonly name: string;
  readonly isOn: boolean;
  readonly isInstalled: boolean;
  readonly isUp: boolean;
  readonly isActive: boolean;
  readonly statusJSON: Uint8Array;
}

interface Status {
  readonly buildVersion?: string;
  readonly updatedAt?: number | string;
}

/** The nodes of a DNS cluster, with their states. */
export default function NodesPanel({ id }: ObjectProps): JSX.Element {
  const { value: text } = texts;
  const loaded = useLoaded(async (signal) => {
    const { nsNodes } = await callPath("NSNodeService/findAllNSNodesWithNSClusterId", { nsClusterId: id }, signal);
    return nsNodes as readonly Node[];
  }, [id]);
  if (loaded.error !== undefined) return <Failure error={loaded.error} onRetry={loaded.reload} />;
  if (loaded.value === undefined) return <Skeleton rows={4} />;
  return (
    <div class="panel">
      {mayCall("NSNodeService/createNSNode") && (
        <div class="bar">
          <span class="sp" />
          <a class="btn" href={linkTo(["resource", "NSNode", "new"])}>{text.add}</a>
        </div>
      )}
      {loaded.value.length === 0 ? <p class="empty">{text.empty}</p> : (
        <table class="list">
          <thead>
            <tr>
              <th>{text.name}</th>
              <th>{text.state}</th>
              <th>{text.seen}</th>
              <th>{text.version}</th>
            </tr>
          </thead>
          <tbody>
            {loaded.value.map((node) => <NodeRow key={node.id} node={node} />)}
          </tbody>
        </table>
      )}
    </div>
  );
}

function NodeRow({ node }: { node: Node }): JSX.Element {
  const { updatedAt = 0, buildVersion = "" } = readJson<Status>(node.statusJSON) ?? {};
  const seen = BigInt(updatedAt);
  return (
    <tr>
      <td class="first">
        <a class="main" href={linkTo(["resource", "NSNode", node.id])}>{node.name}</a>
      </td>
      <td>
        <State {...stateOf(node)} />
      </td>
      <td>{seen === 0n ? texts.value.never : <time title={time(seen)}>{relativeTime(seen)}</time>}</td>
      <td class="mono">{buildVersion}</td>
    </tr>
  );
}

/** The most important thing to know about a node, in words. */
function stateOf({ isOn, isInstalled, isUp, isActive }: Node): Parameters<typeof State>[0] {
  const { value: text } = texts;
  if (!isOn) return { kind: "idle", text: text.off };
  if (!isActive && !isInstalled) return { kind: "idle", text: text.notInstalled };
  if (!isUp) return { kind: "bad", text: text.down };
  return isActive ? { kind: "ok", text: text.up } : { kind: "warn", text: text.silent };
}
