import type { JSX } from "preact";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import type { ObjectProps } from "../../../shell/area.ts";
import { callPath } from "../../../shell/call.ts";
import { linkTo } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import { type DNSNode, NodeTable } from "./node_table.tsx";
import { texts } from "./texts.ts";

/** The nodes of a DNS cluster, with their states. */
export default function NodesPanel({ id }: ObjectProps): JSX.Element {
  const { value: text } = texts;
  const loaded = useLoaded(async (signal) => {
    const { nsNodes } = await callPath("NSNodeService/findAllNSNodesWithNSClusterId", { nsClusterId: id }, signal);
    return nsNodes as readonly DNSNode[];
  }, [id]);
  if (loaded.error !== undefined) return <Failure error={loaded.error} onRetry={loaded.reload} />;
  if (loaded.value === undefined) return <Skeleton rows={4} />;
  return (
    <div class="panel">
      {mayCall("NSNodeService/createNSNode") && (
        <div class="bar">
          <span class="sp" />
          <a class="btn" href={linkTo(["resource", "NSNode", "new"], { nodeClusterId: String(id) })}>{text.add}</a>
        </div>
      )}
      {loaded.value.length === 0 ? <p class="empty">{text.empty}</p> : <NodeTable nodes={loaded.value} />}
    </div>
  );
}
