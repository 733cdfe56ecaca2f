import type { JSX } from "preact";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { count, plural } from "../../../texts/mod.ts";
import { changedFields } from "./changed_fields.ts";
import { loadDetails, type RowChange } from "./logs.ts";
import { texts } from "./texts.ts";

/** What an audit record says: the credential, the request, and the changed fields before and after. */
export function RecordDetails({ logId }: { logId: bigint }): JSX.Element {
  const details = useLoaded((signal) => loadDetails(logId, signal), [logId]);
  const { value: text } = texts;
  if (details.error !== undefined) return <Failure error={details.error} onRetry={details.reload} />;
  if (details.value === undefined) return <Skeleton rows={3} />;
  const { changes, keyId, requestId, callerRequestId, code, reason, countCalls, isErased } = details.value;
  if (isErased) return <p class="dim">{text.erased}</p>;
  const fields = [
    [text.key, keyId],
    [text.requestId, requestId],
    [text.callerRequestId, callerRequestId],
    [text.code, reason === "" ? String(code) : `${code} ${reason}`],
    [text.calls, countCalls > 1n ? count(countCalls) : ""],
  ].filter(([, value]) => value !== "");
  return (
    <>
      <dl class="log-fields">
        {fields.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="mono">{value}</dd>
          </div>
        ))}
      </dl>
      {changes.map((change, index) =>
        change.more === undefined
          ? <Change key={index} change={change} />
          : <p key={index} class="dim">{plural(text.left, change.more)}</p>
      )}
    </>
  );
}

function Change({ change }: { change: RowChange }): JSX.Element | null {
  const { value: text } = texts;
  const fields = changedFields(change);
  if (fields.length === 0) return null;
  return (
    <div class="scroll">
      <table class="list">
        <caption class="mono">{[change.table, change.id].filter((part) => part !== undefined).join("/")}</caption>
        <thead>
          <tr>
            <th>{text.field}</th>
            <th>{text.before}</th>
            <th>{text.after}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, before, after }) => (
            <tr key={name}>
              <td>{name}</td>
              <td class="mono">{before}</td>
              <td class="mono">{after}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
