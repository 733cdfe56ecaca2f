import type { JSX } from "preact";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { callPath } from "../../../shell/call.ts";
import { linkTo } from "../../../shell/route.ts";
import { count } from "../../../texts/mod.ts";
import { type DNSNode, NodeTable } from "./node_table.tsx";
import { texts } from "./texts.ts";

const SHOWN = 8n;

/** The first DNS nodes with their states, on the overview of operators. */
export default function NodesCard(): JSX.Element | null {
  const { value: text } = texts;
  const loaded = useLoaded(async (signal) => {
    const [{ nsNodes }, total] = await Promise.all([
      callPath("NSNodeService/listNSNodesMatch", { offset: 0n, size: SHOWN }, signal),
      callPath("NSNodeService/countAllNSNodesMatch", {}, signal),
    ]);
    return { nodes: nsNodes as readonly DNSNode[], total: total["count"] as bigint };
  }, []);
  if (loaded.value?.nodes.length === 0) return null;
  return (
    <section class="panel card">
      <div class="bar">
        <h2>{text.title}</h2>
        <span class="sp" />
        {loaded.value !== undefined && (
          <a class="link" href={linkTo(["resource", "NSNode"])}>{`${text.all} (${count(loaded.value.total)})`}</a>
        )}
      </div>
      {loaded.error !== undefined && <Failure error={loaded.error} onRetry={loaded.reload} />}
      {loaded.error === undefined && loaded.value === undefined && <Skeleton rows={4} />}
      {loaded.value !== undefined && <NodeTable nodes={loaded.value.nodes} hasCluster />}
    </section>
  );
}
