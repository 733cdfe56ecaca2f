import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { Failure, messageOf } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import type { ObjectProps } from "../../../shell/area.ts";
import { mayCall } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import { addNames, loadNames, plainNames, removeName } from "./names.ts";
import { texts } from "./texts.ts";

/** The domain names that a site serves. */
export default function NamesPanel({ id, reload }: ObjectProps): JSX.Element {
  const [leaving, setLeaving] = useState<string>();
  const { value: text } = texts;
  const loaded = useLoaded(async (signal) => plainNames(await loadNames(id, signal)), [id]);
  const changed = () => {
    loaded.reload();
    reload();
  };
  if (loaded.error !== undefined) return <Failure error={loaded.error} onRetry={loaded.reload} />;
  if (loaded.value === undefined) return <Skeleton rows={4} />;
  const mayChange = mayCall("ServerService/updateServerNames");
  return (
    <div class="panel">
      {mayChange && <AddForm serverId={id} onAdded={changed} />}
      {loaded.value.length === 0 ? <p class="empty">{text.noNames}</p> : (
        <ul class="owned">
          {loaded.value.map((name) => (
            <li key={name}>
              <code>{name}</code>
              <span class="sp" />
              {mayChange && (
                <button
                  type="button"
                  class="btn quiet"
                  aria-label={fill(text.removeTitle, { name })}
                  onClick={() => setLeaving(name)}
                >
                  {text.remove}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {leaving !== undefined && (
        <ActionDialog
          title={fill(text.removeTitle, { name: leaving })}
          action={text.remove}
          isDangerous
          onAct={async () => {
            await removeName(id, leaving);
            changed();
          }}
          onClose={() => setLeaving(undefined)}
        >
          <p>{fill(text.removeNameHelp, { name: leaving })}</p>
        </ActionDialog>
      )}
    </div>
  );
}

function AddForm({ serverId, onAdded }: { serverId: bigint; onAdded: () => void }): JSX.Element {
  const [names, setNames] = useState("");
  const [error, setError] = useState<string>();
  const [isSending, setSending] = useState(false);
  const { value: text } = texts;
  async function add(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setSending(true);
    setError(undefined);
    try {
      await addNames(serverId, names.split(/[\s,]+/).filter((name) => name !== ""));
      setNames("");
      onAdded();
    } catch (caught) {
      setError(messageOf(caught));
    } finally {
      setSending(false);
    }
  }
  return (
    <form class="add-names" onSubmit={add}>
      <label for="site-names">{text.newNames}</label>
      <div class="line">
        <input
          id="site-names"
          required
          autocomplete="off"
          spellcheck={false}
          placeholder="www.example.com"
          value={names}
          aria-invalid={error !== undefined}
          aria-describedby="site-names-help"
          onInput={(event) => setNames(event.currentTarget.value)}
        />
        <button type="submit" class="btn primary" disabled={isSending}>{text.addNames}</button>
      </div>
      {error !== undefined && <p class="error" role="alert">{error}</p>}
      <p class="help" id="site-names-help">{text.newNamesHelp}</p>
    </form>
  );
}
