import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Operation } from "../api/model.ts";
import { idFieldOf, type Resource } from "../api/resources.ts";
import { Failure, messageOf } from "../parts/failure.tsx";
import { Conflicts } from "../parts/merge/conflicts.tsx";
import { type Draft, draftOf, requestOf } from "../parts/draft.ts";
import { FormFields } from "../parts/form.tsx";
import { NotFound } from "../parts/not_found.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { useLoaded } from "../parts/loaded.ts";
import { textOf } from "../parts/value.tsx";
import { merged } from "../parts/merge/merge.ts";
import { call } from "../shell/call.ts";
import { goTo, linkTo, route } from "../shell/route.ts";
import { withNoun } from "../shell/names.ts";
import { useShownName } from "../shell/shown.ts";
import { texts } from "../texts/mod.ts";
import { findObject } from "./find_object.ts";

/** The form that creates an object. Parameters of the address are its first values. */
export function CreatePage({ resource }: { resource: Resource }): JSX.Element {
  const operation = resource.create;
  if (operation === undefined) return <NotFound />;
  const done = (response: Record<string, unknown>) => {
    const id = Object.values(response).find((value) => typeof value === "bigint");
    goTo(
      linkTo(
        id === undefined || resource.find === undefined ? ["resource", resource.noun] : ["resource", resource.noun, id],
      ),
    );
  };
  return (
    <FormPage
      key={resource.noun}
      title={withNoun(texts.value.add, resource.noun)}
      operation={operation}
      initial={{ isOn: "true", ...Object.fromEntries(route.value.parameters) }}
      hidden={[]}
      fixed={{}}
      back={linkTo(["resource", resource.noun])}
      onDone={done}
    />
  );
}

/** The form that changes an object, filled with what it is now. */
export function EditPage({ resource, id }: { resource: Resource; id: string }): JSX.Element {
  const found = useLoaded((signal) => findObject(resource, id, signal), [resource.noun, id]);
  const operation = resource.update;
  useShownName(resource.noun, id, found.value && textOf(found.value));
  if (found.error !== undefined) return <Failure error={found.error} onRetry={found.reload} />;
  if (operation === undefined || found.value === undefined) {
    return found.isLoading ? <Skeleton rows={6} /> : <NotFound />;
  }
  const field = idFieldOf(operation, resource.noun)?.localName ?? "id";
  const back = linkTo(["resource", resource.noun, id]);
  const initial = draftOf(operation.method.input, { ...nestedIds(found.value), ...found.value });
  return (
    <FormPage
      key={back}
      title={withNoun(texts.value.edit, resource.noun)}
      operation={operation}
      initial={initial}
      current={async () => {
        const object = await findObject(resource, id);
        return object && draftOf(operation.method.input, { ...nestedIds(object), ...object });
      }}
      hidden={[field]}
      fixed={{ [field]: BigInt(id) }}
      back={back}
      onDone={() => goTo(back)}
    />
  );
}

/** Requests name other objects by id, where responses contain them: `nsCluster` becomes `nsClusterId`. */
function nestedIds(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => {
      const id = typeof value === "object" && value !== null ? (value as { readonly id?: unknown }).id : undefined;
      return id === undefined ? [] : [[`${name}Id`, id]];
    }),
  );
}

interface FormPageProps {
  readonly title: string;
  readonly operation: Operation;
  readonly initial: Draft;
  /** Returns the values as they are now, so that what others changed meanwhile is not overwritten. */
  readonly current?: () => Promise<Draft | undefined>;
  readonly hidden: readonly string[];
  readonly fixed: Record<string, unknown>;
  readonly back: string;
  readonly onDone: (response: Record<string, unknown>) => void;
}

function FormPage({ title, operation, initial, current, hidden, fixed, back, onDone }: FormPageProps): JSX.Element {
  const [draft, setDraft] = useState<Draft>(initial);
  const [error, setError] = useState<string>();
  const [isSending, setSending] = useState(false);
  const [base, setBase] = useState<Draft>(initial);
  const [conflicts, setConflicts] = useState<readonly string[]>([]);
  const { input } = operation.method;
  async function send(event: Event): Promise<void> {
    event.preventDefault();
    setSending(true);
    try {
      const theirs = await current?.() ?? base;
      const { draft: complete, conflicts: found } = merged(base, draft, theirs);
      setDraft(complete);
      setBase(theirs);
      setConflicts(found);
      if (found.length === 0) onDone(await call(operation, { ...requestOf(input, complete), ...fixed }));
    } catch (caught) {
      setError(messageOf(caught));
    } finally {
      setSending(false);
    }
  }
  return (
    <form class="page-form" onSubmit={send}>
      <div class="head">
        <h1>{title}</h1>
      </div>
      {conflicts.length > 0 && (
        <Conflicts
          message={input}
          names={conflicts}
          mine={draft}
          theirs={base}
          onTake={(name) => {
            setDraft({ ...draft, [name]: base[name] ?? "" });
            setConflicts(conflicts.filter((candidate) => candidate !== name));
          }}
        />
      )}
      <div class="panel pad">
        <FormFields message={input} hidden={hidden} draft={draft} onChange={setDraft} error={error} />
      </div>
      <div class="dock">
        {error === undefined
          ? <span class="dim path">{operation.path}</span>
          : <span class="error" role="alert">{error}</span>}
        <span class="sp" />
        <a class="btn quiet" href={back}>{texts.value.cancel}</a>
        <button type="submit" class="btn primary" disabled={isSending}>{texts.value.save}</button>
      </div>
    </form>
  );
}
