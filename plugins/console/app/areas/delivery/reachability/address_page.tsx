import type { JSX } from "preact";
import { useLoaded } from "../../../parts/loaded.ts";
import { State } from "../../../parts/state.tsx";
import { callPath } from "../../../shell/call.ts";
import { linkTo } from "../../../shell/route.ts";
import { isListed, mayCall } from "../../../shell/state.ts";
import { loadViews } from "./reports.ts";
import { texts } from "./texts.ts";
import { Views } from "./views.tsx";

interface Address {
  readonly ip: string;
  readonly nodeId: bigint;
  readonly isUp: boolean;
}

const FIND = "NodeIPAddressService/findEnabledNodeIPAddress";

/** How one address is seen from report nodes. */
export function AddressPage({ id }: { id: bigint }): JSX.Element {
  const { value: text } = texts;
  const views = useLoaded((signal) => loadViews(id, signal), [id]);
  const address = useLoaded(async (signal) => {
    if (!mayCall(FIND)) return undefined;
    return (await callPath(FIND, { nodeIPAddressId: id }, signal))["nodeIPAddress"] as Address | undefined;
  }, [id]).value;
  const ip = address?.ip ?? views.value?.results[0]?.targetDesc;
  return (
    <>
      <div class="head">
        <h1 class="mono">{ip || String(id)}</h1>
        {address?.isUp === false && <State kind="idle" text={text.isDown} />}
        <span class="sp" />
        {address !== undefined && isListed("Node") && (
          <a class="btn" href={linkTo(["resource", "Node", address.nodeId])}>{text.node}</a>
        )}
        <button type="button" class="btn" disabled={views.isLoading} onClick={views.reload}>{text.reload}</button>
      </div>
      <Views views={views} />
    </>
  );
}
