import type { ComponentType, JSX } from "preact";
import { useState } from "preact/hooks";
import type { Load } from "../shell/area.ts";
import { untilBack } from "../shell/connection.ts";
import { Failure } from "./failure.tsx";
import { useLoaded } from "./loaded.ts";
import { Skeleton } from "./skeleton.tsx";

// loaded components by what loads them, so that a page that was shown before is there at once
const loaded = new Map<unknown, ComponentType<never>>();

/** Shows a component that is loaded when it is shown for the first time. */
export function Lazy<Props extends object>({ load, props }: { load: Load<Props>; props: Props }): JSX.Element {
  const [known] = useState(() => loaded.get(load));
  const component = useLoaded(async () => {
    // a part of the console that could not be loaded is there when the server is back
    const { default: found } = await load().catch(() => untilBack().then(load));
    loaded.set(load, found as ComponentType<never>);
    return { found };
  }, [load]);
  const Found = (component.value?.found ?? known) as ComponentType<Props> | undefined;
  if (component.error !== undefined) return <Failure error={component.error} onRetry={component.reload} />;
  return Found === undefined ? <Skeleton rows={4} /> : <Found {...props} />;
}
