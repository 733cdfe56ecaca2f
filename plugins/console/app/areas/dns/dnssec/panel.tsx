import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import type { ObjectProps } from "../../../shell/area.ts";
import { callPath } from "../../../shell/call.ts";
import { mayCall } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import { time } from "../../../texts/mod.ts";
import { type Act, ACTS, DNSSECDialog } from "./dialogs.tsx";
import { DSRecord } from "./ds_record.tsx";
import { Keys } from "./keys.tsx";
import { ParentState, StatusTag } from "./states.tsx";
import { texts } from "./texts.ts";
import type { Signing } from "./signing.ts";

/** How a domain is signed: what to publish at the registrar, its keys, and what can be done. */
export default function DNSSECPanel({ object }: ObjectProps): JSX.Element {
  const domain = object as unknown as { readonly id: bigint; readonly name: string };
  const [act, setAct] = useState<Act>();
  const loaded = useLoaded(
    (signal) =>
      callPath("NSDNSSECService/findNSDomainDNSSEC", { nsDomainId: domain.id }, signal) as unknown as Promise<Signing>,
    [domain.id],
  );
  if (loaded.error !== undefined) return <Failure error={loaded.error} onRetry={loaded.reload} />;
  if (loaded.value === undefined) return <Skeleton rows={5} />;
  const { value: signing } = loaded;
  const { value: text } = texts;
  return (
    <div class="panel dnssec">
      <div class="bar">
        <StatusTag status={signing.status} />
        <span class="sp" />
        {ACTS[signing.status].filter((one) => mayCall(`NSDNSSECService/${one.operation}`)).map((one) => (
          <button
            key={one.key}
            type="button"
            class={one.isMain ? "btn primary" : "btn"}
            onClick={() => setAct(one)}
          >
            {text[one.key]}
          </button>
        ))}
      </div>
      {signing.status === "off" ? <p class="pad">{fill(text.offHelp, { name: domain.name })}</p> : (
        <>
          {signing.status === "disabling"
            ? <p class="notice warn">{fill(text.endsAt, { time: time(signing.disableAt) })}</p>
            : (
              <>
                <ParentState signing={signing} />
                <div class="pad">
                  <p>{publishText(signing)}</p>
                  <DSRecord text={signing.dsRecords.at(-1) ?? ""} />
                </div>
              </>
            )}
          <Keys signing={signing} />
        </>
      )}
      {act && (
        <DNSSECDialog
          act={act}
          domain={domain}
          onClose={() => {
            setAct(undefined);
            loaded.reload();
          }}
        />
      )}
    </div>
  );
}

function publishText({ status, publishDSAt, parentStatus }: Signing): string {
  const { value: text } = texts;
  const isEarly = Number(publishDSAt) * 1000 > Date.now();
  const at = { time: time(publishDSAt) };
  if (status === "rolling") return isEarly ? fill(text.publishNewAfter, at) : text.publishNew;
  if (parentStatus === "present") return text.published;
  return isEarly ? fill(text.publishAfter, at) : text.publishNow;
}
