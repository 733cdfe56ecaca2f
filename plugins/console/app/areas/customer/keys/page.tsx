import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { listOf } from "../../../parts/lists/list_of.ts";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { State } from "../../../parts/state.tsx";
import { callPath } from "../../../shell/call.ts";
import { fill } from "../../../texts/fill.ts";
import { plural, relativeTime, time } from "../../../texts/mod.ts";
import { CreateKeyDialog } from "./create_dialog.tsx";
import { texts } from "./texts.ts";

interface AccessKey {
  readonly id: bigint;
  readonly uniqueId: string;
  readonly description: string;
  readonly isOn: boolean;
  readonly accessedAt: bigint;
  readonly restriction?: Restriction;
}

interface Restriction {
  readonly expiresAt: bigint;
  readonly addresses: readonly string[];
  readonly operations: readonly string[];
  readonly isReadOnly: boolean;
}

/** The access keys of the customer. */
export default function KeysPage(): JSX.Element {
  const [isCreating, setCreating] = useState(false);
  const [changing, setChanging] = useState<{ readonly key: AccessKey; readonly what: "turnOff" | "remove" }>();
  const keys = useLoaded(
    (signal) => listOf<AccessKey>("UserAccessKeyService/findAllEnabledUserAccessKeys", "userAccessKeys", {}, signal),
    [],
  );
  const { value: text } = texts;
  async function turn({ id }: AccessKey, isOn: boolean): Promise<void> {
    await callPath("UserAccessKeyService/updateUserAccessKeyIsOn", { userAccessKeyId: id, isOn });
    keys.reload();
  }
  async function change(): Promise<void> {
    const { key, what } = changing!;
    if (what === "turnOff") return await turn(key, false);
    await callPath("UserAccessKeyService/deleteUserAccessKey", { userAccessKeyId: key.id });
    keys.reload();
  }
  return (
    <>
      <div class="head">
        <h1>{text.title}</h1>
        <span class="sp" />
        <button type="button" class="btn primary" onClick={() => setCreating(true)}>{text.create}</button>
      </div>
      <p class="sub">{text.help}</p>
      <div class="panel">
        {keys.error !== undefined && <Failure error={keys.error} onRetry={keys.reload} />}
        {keys.value === undefined && keys.error === undefined && <Skeleton rows={4} />}
        {keys.value?.length === 0 && <p class="empty">{text.none}</p>}
        {keys.value !== undefined && keys.value.length > 0 && (
          <table class="list">
            <thead>
              <tr>
                <th>{text.description}</th>
                <th>{text.id}</th>
                <th>{text.state}</th>
                <th>{text.used}</th>
                <th>{text.restricted}</th>
                <th>
                  <span class="hidden">{text.remove}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {keys.value.map((key) => (
                <tr key={key.id}>
                  <td class="first">{nameOf(key)}</td>
                  <td class="mono">{key.uniqueId}</td>
                  <td>
                    <State kind={key.isOn ? "ok" : "idle"} text={key.isOn ? text.on : text.off} />
                  </td>
                  <td>{key.accessedAt === 0n ? text.never : relativeTime(key.accessedAt)}</td>
                  <td class="dim">{restrictionText(key.restriction)}</td>
                  <td class="buttons">
                    <button
                      type="button"
                      class="btn quiet"
                      aria-label={`${key.isOn ? text.turnOff : text.turnOn} ${nameOf(key)}`}
                      onClick={() => key.isOn ? setChanging({ key, what: "turnOff" }) : turn(key, true)}
                    >
                      {key.isOn ? text.turnOff : text.turnOn}
                    </button>
                    <button
                      type="button"
                      class="btn quiet"
                      aria-label={`${text.remove} ${nameOf(key)}`}
                      onClick={() => setChanging({ key, what: "remove" })}
                    >
                      {text.remove}
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
      {isCreating && <CreateKeyDialog onCreated={keys.reload} onClose={() => setCreating(false)} />}
      {changing && (
        <ActionDialog
          title={`${text[changing.what]}: ${nameOf(changing.key)}`}
          action={text[changing.what]}
          isDangerous
          onAct={change}
          onClose={() => setChanging(undefined)}
        >
          <p>{fill(changing.what === "remove" ? text.removeHelp : text.offHelp, { name: nameOf(changing.key) })}</p>
        </ActionDialog>
      )}
    </>
  );
}

function nameOf({ description, uniqueId }: AccessKey): string {
  return description || uniqueId;
}

function restrictionText(restriction: Restriction | undefined): string {
  if (restriction === undefined) return "";
  const { value: text } = texts;
  const { isReadOnly, expiresAt, addresses, operations } = restriction;
  return [
    isReadOnly && text.reads,
    expiresAt > 0n && fill(text.until, { day: time(expiresAt) }),
    addresses.length > 0 && fill(text.from, { addresses: addresses.join(", ") }),
    operations.length > 0 && plural(text.operations, operations.length),
  ].filter(Boolean).join(", ");
}
