import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { State } from "../../../parts/state.tsx";
import { callPath } from "../../../shell/call.ts";
import { mayCall } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import { type ACMEUser, loadUsers } from "./task.ts";
import { texts } from "./texts.ts";

interface Provider {
  readonly code: string;
  readonly name: string;
}

/** An operation on an ACME user, which a dialog asks to confirm. */
interface Confirming {
  readonly operation: "changeACMEUserKey" | "deleteACMEUser";
  readonly user: ACMEUser;
}

/** The ACME users, with the words of the provider that did not register them. */
export function Accounts(): JSX.Element {
  const { value: text } = texts;
  const users = useLoaded((signal) => loadUsers(signal), []);
  const [isAdding, setAdding] = useState(false);
  const [confirming, setConfirming] = useState<Confirming>();
  return (
    <div class="panel related">
      <div class="bar">
        <h2>{text.accounts}</h2>
        <span class="sp" />
        {mayCall("ACMEUserService/createACMEUser") && (
          <button type="button" class="btn" onClick={() => setAdding(true)}>{text.addAccount}</button>
        )}
      </div>
      {users.error !== undefined && <Failure error={users.error} onRetry={users.reload} />}
      {users.value !== undefined && users.value.length > 0 && (
        <table class="list acme-users">
          <thead>
            <tr>
              <th>{text.email}</th>
              <th>{text.provider}</th>
              <th>{text.state}</th>
              <th>
                <span class="hidden">{text.actions}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {users.value.map((user) => <AccountRow key={String(user.id)} user={user} onDo={setConfirming} />)}
          </tbody>
        </table>
      )}
      {confirming !== undefined && (
        <ConfirmDialog
          {...confirming}
          onDone={users.reload}
          onClose={() => setConfirming(undefined)}
        />
      )}
      {isAdding && <AddAccount onDone={users.reload} onClose={() => setAdding(false)} />}
    </div>
  );
}

interface AccountRowProps {
  readonly user: ACMEUser;
  readonly onDo: (confirming: Confirming) => void;
}

function AccountRow({ user, onDo }: AccountRowProps): JSX.Element {
  const { value: text } = texts;
  const { email, acmeProvider, acmeProviderCode, isRegistered, error } = user;
  return (
    <tr>
      <td class="first">{email}</td>
      <td>{acmeProvider?.name ?? acmeProviderCode}</td>
      <td>
        <State kind={isRegistered ? "ok" : "bad"} text={isRegistered ? text.registered : text.unregistered} />
        {error !== "" && <div class="dim">{error}</div>}
      </td>
      <td class="row-actions">
        {isRegistered && mayCall("ACMEUserService/changeACMEUserKey") && (
          <button
            type="button"
            class="btn quiet"
            aria-label={fill(text.changeKeyOf, { email })}
            onClick={() => onDo({ operation: "changeACMEUserKey", user })}
          >
            {text.changeKey}
          </button>
        )}
        {mayCall("ACMEUserService/deleteACMEUser") && (
          <button
            type="button"
            class="btn quiet"
            aria-label={fill(text.removeAccountOf, { email })}
            onClick={() => onDo({ operation: "deleteACMEUser", user })}
          >
            {text.removeAccount}
          </button>
        )}
      </td>
    </tr>
  );
}

interface ConfirmProps extends Confirming {
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function ConfirmDialog({ operation, user: { id, email }, onDone, onClose }: ConfirmProps): JSX.Element {
  const { value: text } = texts;
  const isRemoval = operation === "deleteACMEUser";
  async function act(): Promise<void> {
    await callPath(`ACMEUserService/${operation}`, { acmeUserId: id });
    onDone();
  }
  return (
    <ActionDialog
      title={fill(isRemoval ? text.removeAccountOf : text.changeKeyOf, { email })}
      action={isRemoval ? text.removeAccount : text.changeKey}
      isDangerous={isRemoval}
      onAct={act}
      onClose={onClose}
    >
      <p>{isRemoval ? text.removeAccountHelp : text.changeKeyHelp}</p>
    </ActionDialog>
  );
}

function AddAccount({ onDone, onClose }: { readonly onDone: () => void; readonly onClose: () => void }): JSX.Element {
  const { value: text } = texts;
  const providers = useLoaded(async (signal) => {
    const { acmeProviders } = await callPath("ACMEProviderService/findAllACMEProviders", {}, signal);
    return acmeProviders as unknown as readonly Provider[];
  }, []);
  const [email, setEmail] = useState("");
  const [code, setCode] = useState("");
  const acmeProviderCode = code || (providers.value?.[0]?.code ?? "");
  async function send(): Promise<void> {
    await callPath("ACMEUserService/createACMEUser", { email, acmeProviderCode });
    onDone();
  }
  return (
    <ActionDialog title={text.addAccount} action={text.addAccount} onAct={send} onClose={onClose}>
      <label class="field">
        {text.email}
        <input type="email" value={email} onInput={(event) => setEmail(event.currentTarget.value)} />
      </label>
      <label class="field">
        {text.provider}
        <select value={acmeProviderCode} onChange={(event) => setCode(event.currentTarget.value)}>
          {providers.value?.map((provider) => <option key={provider.code} value={provider.code}>{provider.name}
          </option>)}
        </select>
      </label>
    </ActionDialog>
  );
}
