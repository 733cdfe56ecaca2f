import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { State } from "../../../parts/state.tsx";
import { callPath } from "../../../shell/call.ts";
import { fill } from "../../../texts/fill.ts";
import { texts as common, time } from "../../../texts/mod.ts";
import { loadUsers, type Task, type TaskLog } from "./task.ts";
import { texts } from "./texts.ts";

interface DialogProps {
  readonly onDone: () => void;
  readonly onClose: () => void;
}

interface TaskProps extends DialogProps {
  readonly task: Task;
}

/** Creates a task, which orders at once if it renews by itself. */
export function AddDialog({ onDone, onClose }: DialogProps): JSX.Element {
  const { value: text } = texts;
  const users = useLoaded((signal) => loadUsers(signal), []);
  const [acmeUserId, setUser] = useState("");
  const [names, setNames] = useState("");
  const [authType, setWay] = useState("dns");
  const [dnsDomain, setDomain] = useState("");
  const [autoRenew, setRenew] = useState(true);
  const chosen = acmeUserId || String(users.value?.[0]?.id ?? "");
  async function send(): Promise<void> {
    const domains = names.split(/[\s,]+/).filter((name) => name !== "");
    const request = { acmeUserId: BigInt(chosen || "0"), domains, authType, autoRenew };
    await callPath("ACMETaskService/createACMETask", { ...request, dnsDomain: authType === "dns" ? dnsDomain : "" });
    onDone();
  }
  return (
    <ActionDialog title={text.addTitle} action={text.add} isDisabled={chosen === ""} onAct={send} onClose={onClose}>
      {users.error !== undefined && <Failure error={users.error} onRetry={users.reload} />}
      {users.value?.length === 0 && <p role="alert">{text.noAccount}</p>}
      <label class="field">
        {text.account}
        <select
          value={chosen}
          onChange={(event) =>
            setUser(event.currentTarget.value)}
        >
          {users.value?.map(({ id, email, acmeProviderCode }) => (
            <option key={String(id)} value={String(id)}>{email} ({acmeProviderCode})</option>
          ))}
        </select>
      </label>
      <label class="field wide">
        {text.names}
        <textarea
          class="mono"
          rows={3}
          value={names}
          onInput={(event) =>
            setNames(event.currentTarget.value)}
        />
        <span class="help">{text.namesHelp}</span>
      </label>
      <label class="field">
        {text.way}
        <select
          value={authType}
          onChange={(event) =>
            setWay(event.currentTarget.value)}
        >
          <option value="dns">{text.byDNS}</option>
          <option value="http">{text.byHTTP}</option>
        </select>
      </label>
      {authType === "dns" && (
        <label class="field">
          {text.domain}
          <input
            value={dnsDomain}
            autocomplete="off"
            onInput={(event) => setDomain(event.currentTarget.value)}
          />
        </label>
      )}
      <label class="field check-field">
        <input
          type="checkbox"
          checked={autoRenew}
          onChange={(event) =>
            setRenew(event.currentTarget.checked)}
        />
        {text.renews}
      </label>
    </ActionDialog>
  );
}

/** Orders now, and shows the words of the provider if that fails. */
export function RunDialog({ task: { id, domains }, onDone, onClose }: TaskProps): JSX.Element {
  const { value: text } = texts;
  async function run(): Promise<void> {
    const { isOk, error } = await callPath("ACMETaskService/runACMETask", { acmeTaskId: id });
    onDone();
    if (isOk !== true) throw new Error(String(error));
  }
  const names = domains.join(", ");
  return (
    <ActionDialog title={fill(text.nowFor, { names })} action={text.now} onAct={run} onClose={onClose}>
      <p>{text.help}</p>
    </ActionDialog>
  );
}

/** The results of a task, with the words of the provider. */
export function HistoryDialog({ task: { id, domains }, onClose }: Omit<TaskProps, "onDone">): JSX.Element {
  const { value: text } = texts;
  const logs = useLoaded(async (signal) => {
    const { acmeTaskLogs } = await callPath("ACMETaskService/listACMETaskLogs", { acmeTaskId: id, size: 100n }, signal);
    return acmeTaskLogs as unknown as readonly TaskLog[];
  }, [id]);
  return (
    <Dialog title={fill(text.historyFor, { names: domains.join(", ") })} onClose={onClose}>
      {logs.error !== undefined && <Failure error={logs.error} onRetry={logs.reload} />}
      {logs.value?.length === 0 && <p class="empty">{text.noHistory}</p>}
      <ul class="plain">
        {logs.value?.map((log) => (
          <li key={String(log.id)}>
            <State kind={log.isOk ? "ok" : "bad"} text={log.isOk ? text.issued : text.failed} /> {time(log.createdAt)}
            {log.error !== "" && <div class="dim">{log.error}</div>}
          </li>
        ))}
      </ul>
      <form method="dialog" class="actions">
        <button type="submit" class="btn">{common.value.close}</button>
      </form>
    </Dialog>
  );
}

export function RemoveDialog({ task: { id, domains }, onDone, onClose }: TaskProps): JSX.Element {
  const { value: text } = texts;
  async function remove(): Promise<void> {
    await callPath("ACMETaskService/deleteACMETask", { acmeTaskId: id });
    onDone();
  }
  return (
    <ActionDialog
      title={fill(text.removeTitle, { names: domains.join(", ") })}
      action={text.remove}
      isDangerous
      onAct={remove}
      onClose={onClose}
    >
      <p>{text.removeHelp}</p>
    </ActionDialog>
  );
}
