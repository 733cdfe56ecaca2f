import type { JSX } from "preact";
import { useLoaded } from "../../../parts/loaded.ts";
import type { ObjectProps } from "../../../shell/area.ts";
import { loadViews } from "./reports.ts";
import { Views } from "./views.tsx";

/** How an address is seen from report nodes, on the page of the address. */
export default function ReachabilityPanel({ id }: ObjectProps): JSX.Element {
  return <Views views={useLoaded((signal) => loadViews(id, signal), [id])} />;
}
