import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import type { ObjectProps } from "../../../shell/area.ts";
import { mayCall } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import { OriginDialog } from "./origin_dialog.tsx";
import { type Doing, OriginRows, titleOf } from "./origin_rows.tsx";
import { loadProxy, type OriginGroup, proxyIdOf, removeOrigin, switchOrigin } from "./origins.ts";
import { texts } from "./texts.ts";

const GROUPS: readonly OriginGroup[] = ["primary", "backup"];
const ADDING = ["OriginService/createOrigin", "ReverseProxyService/updateReverseProxyPrimaryOrigins"];
const STARTING = ["ReverseProxyService/createReverseProxy", "ServerService/updateServerReverseProxy"];

/** The machines from which a site gets its content. */
export default function OriginsPanel({ id, object, reload }: ObjectProps): JSX.Element {
  const [doing, setDoing] = useState<Doing>();
  const { value: text } = texts;
  const reverseProxyId = proxyIdOf(object);
  const loaded = useLoaded((signal) => loadProxy(reverseProxyId, signal), [reverseProxyId]);
  if (loaded.error !== undefined) return <Failure error={loaded.error} onRetry={loaded.reload} />;
  if (loaded.isLoading && loaded.value === undefined) return <Skeleton rows={4} />;
  const mayAdd = [...ADDING, ...(reverseProxyId === undefined ? STARTING : [])].every(mayCall);
  const close = () => setDoing(undefined);
  const done = () => {
    loaded.reload();
    // the first origin gives the site its reverse proxy
    if (reverseProxyId === undefined) reload();
  };
  return (
    <>
      {GROUPS.map((group) => {
        const origins = loaded.value?.[`${group}Origins`] ?? [];
        return (
          <section key={group} class="panel origins">
            <div class="bar">
              <h2>{text[group]}</h2>
              <span class="sp" />
              {mayAdd && (
                <button type="button" class="btn" onClick={() => setDoing({ what: "edit", group })}>
                  {group === "primary" ? text.addOrigin : text.addBackup}
                </button>
              )}
            </div>
            {origins.length === 0
              ? <p class="empty">{group === "primary" ? text.noOrigins : text.noBackups}</p>
              : <OriginRows group={group} origins={origins} onDo={setDoing} />}
          </section>
        );
      })}
      {doing?.what === "edit" && (
        <OriginDialog
          serverId={id}
          type={String(object["type"])}
          reverseProxyId={reverseProxyId}
          group={doing.group}
          origin={doing.origin}
          onDone={done}
          onClose={close}
        />
      )}
      {doing?.what === "switch" && (
        <ActionDialog
          title={fill(doing.origin.isOn ? text.turnOffTitle : text.turnOnTitle, { name: titleOf(doing.origin) })}
          action={doing.origin.isOn ? text.turnOff : text.turnOn}
          isDangerous={doing.origin.isOn === true}
          onAct={async () => {
            await switchOrigin(doing.origin, !doing.origin.isOn);
            done();
          }}
          onClose={close}
        >
          <p>{doing.origin.isOn ? text.turnOffHelp : text.turnOnHelp}</p>
        </ActionDialog>
      )}
      {doing?.what === "remove" && (
        <ActionDialog
          title={fill(text.removeTitle, { name: titleOf(doing.origin) })}
          action={text.remove}
          isDangerous
          onAct={async () => {
            await removeOrigin(reverseProxyId!, doing.group, doing.origin);
            done();
          }}
          onClose={close}
        >
          <p>{text.removeOriginHelp}</p>
        </ActionDialog>
      )}
    </>
  );
}
