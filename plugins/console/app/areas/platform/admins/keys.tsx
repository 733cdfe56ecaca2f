import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { State } from "../../../parts/state.tsx";
import { callPath } from "../../../shell/call.ts";
import { mayCall } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import { relativeTime } from "../../../texts/mod.ts";
import { CreateKeyDialog } from "../../customer/keys/create_dialog.tsx";
import { texts } from "./texts.ts";

const LIST = "UserAccessKeyService/findAllEnabledUserAccessKeys";

interface AccessKey {
  readonly id: bigint;
  readonly uniqueId: string;
  readonly description: string;
  readonly isOn: boolean;
  readonly accessedAt: bigint;
}

/** The access keys of an admin. */
export function AdminKeys({ adminId }: { adminId: bigint }): JSX.Element | null {
  const [isCreating, setCreating] = useState(false);
  const [removing, setRemoving] = useState<AccessKey>();
  const keys = useLoaded(
    async (signal) => mayCall(LIST) ? (await callPath(LIST, { adminId }, signal))["userAccessKeys"] as AccessKey[] : [],
    [adminId],
  );
  const { value: text } = texts;
  if (!mayCall(LIST)) return null;
  async function turn({ id, isOn }: AccessKey): Promise<void> {
    await callPath("UserAccessKeyService/updateUserAccessKeyIsOn", { userAccessKeyId: id, isOn: !isOn });
    keys.reload();
  }
  async function remove(): Promise<void> {
    await callPath("UserAccessKeyService/deleteUserAccessKey", { userAccessKeyId: removing!.id });
    keys.reload();
  }
  return (
    <section aria-label={text.keys}>
      <div class="head related">
        <h2>{text.keys}</h2>
        <span class="sp" />
        <button type="button" class="btn" onClick={() => setCreating(true)}>{text.createKey}</button>
      </div>
      <div class="panel">
        {keys.error !== undefined && <Failure error={keys.error} onRetry={keys.reload} />}
        {keys.value === undefined && keys.error === undefined && <Skeleton rows={2} />}
        {keys.value?.length === 0 && <p class="empty">{text.noKeys}</p>}
        {keys.value !== undefined && keys.value.length > 0 && (
          <div class="scroll">
            <table class="list">
              <thead>
                <tr>
                  <th>{text.purpose}</th>
                  <th>{text.keyId}</th>
                  <th>{text.state}</th>
                  <th>{text.used}</th>
                  <th>
                    <span class="hidden">{text.removeKey}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {keys.value.map((key) => (
                  <tr key={key.id}>
                    <td>{nameOf(key)}</td>
                    <td class="mono">{key.uniqueId}</td>
                    <td>
                      <State kind={key.isOn ? "ok" : "idle"} text={key.isOn ? text.states.on : text.states.off} />
                    </td>
                    <td>{key.accessedAt === 0n ? text.never : relativeTime(key.accessedAt)}</td>
                    <td class="buttons">
                      <button
                        type="button"
                        class="btn quiet"
                        aria-label={`${key.isOn ? text.turnOff : text.turnOn} ${nameOf(key)}`}
                        onClick={() => turn(key)}
                      >
                        {key.isOn ? text.turnOff : text.turnOn}
                      </button>
                      <button
                        type="button"
                        class="btn quiet"
                        aria-label={`${text.removeKey} ${nameOf(key)}`}
                        onClick={() => setRemoving(key)}
                      >
                        {text.removeKey}
                      </button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
      {isCreating && <CreateKeyDialog owner={{ adminId }} onCreated={keys.reload} onClose={() => setCreating(false)} />}
      {removing && (
        <ActionDialog
          title={`${text.removeKey}: ${nameOf(removing)}`}
          action={text.removeKey}
          isDangerous
          onAct={remove}
          onClose={() => setRemoving(undefined)}
        >
          <p>{fill(text.removeKeyHelp, { name: nameOf(removing) })}</p>
        </ActionDialog>
      )}
    </section>
  );
}

function nameOf({ description, uniqueId }: AccessKey): string {
  return description || uniqueId;
}
