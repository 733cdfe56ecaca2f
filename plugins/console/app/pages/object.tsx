import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { relatedTo } from "../api/related.ts";
import { idFieldOf, type Resource } from "../api/resources.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Failure, messageOf } from "../parts/failure.tsx";
import { detailsOf, isJson } from "../parts/fields.ts";
import { useLoaded } from "../parts/loaded.ts";
import { isBlank, textOf, Value } from "../parts/value.tsx";
import { call } from "../shell/call.ts";
import { goTo, linkTo } from "../shell/route.ts";
import { nounOf, plural, words } from "../shell/names.ts";
import { model, resources } from "../shell/state.ts";
import { texts } from "../texts/mod.ts";
import { ObjectList } from "./list.tsx";
import { ZoneEditor } from "./zone/zone_editor.tsx";

type Row = Readonly<Record<string, unknown>>;

/** Finds an object by its id; undefined if there is none. */
export async function findObject(
  { find, noun, message }: Resource,
  id: string,
  signal?: AbortSignal,
): Promise<Row | undefined> {
  if (find === undefined) return undefined;
  const field = idFieldOf(find, noun);
  const response = await call(find, { [field?.localName ?? "id"]: BigInt(id) }, signal);
  const output = find.method.output.fields.find((candidate) => candidate.message?.typeName === message.typeName);
  return response[output!.localName] as Row | undefined;
}

/** The page of one object: all its fields, and what can be done with it. */
export function ObjectPage({ resource, id }: { resource: Resource; id: string }): JSX.Element {
  const [isRemoving, setRemoving] = useState(false);
  const found = useLoaded((signal) => findObject(resource, id, signal), [resource.noun, id]);
  if (found.error !== undefined) return <Failure error={found.error} onRetry={found.reload} />;
  if (found.isLoading && found.value === undefined) {
    return (
      <div class="skeleton" aria-label={texts.value.loading}>
        <div />
        <div />
        <div />
      </div>
    );
  }
  const object = found.value;
  if (object === undefined) return <p class="empty">{texts.value.notFound}</p>;
  return (
    <>
      <div class="head">
        <h1>{textOf(object)}</h1>
        <span class="sp" />
        {resource.update && <a class="btn" href={linkTo(["resource", resource.noun, id, "edit"])}>{texts.value.edit}
        </a>}
        {resource.remove && (
          <button type="button" class="btn bad" onClick={() => setRemoving(true)}>{texts.value.remove}</button>
        )}
      </div>
      <p class="sub">{model.value?.comment(resource.message.typeName)}</p>
      <div class="panel">
        <dl>
          {detailsOf(resource.message).filter((field) =>
            field.name !== "isDeleted" && !isBlank(object[field.localName])
          ).map((field) => (
            <div key={field.name} class={isJson(field) ? "wide" : undefined}>
              <dt title={model.value?.comment(`${resource.message.typeName}.${field.name}`)}>{words(field.name)}</dt>
              <dd>
                <Value field={field} value={object[field.localName]} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <RelatedLists resource={resource} object={object} />
      {isRemoving && (
        <RemoveDialog
          resource={resource}
          id={id}
          name={textOf(object)}
          onClose={() => setRemoving(false)}
        />
      )}
    </>
  );
}

/** The lists of what belongs to the object, such as the records of a domain; one is open at a time. */
function RelatedLists({ resource, object }: { resource: Resource; object: Row }): JSX.Element | null {
  const related = relatedTo(resource, resources.value);
  const [chosen, setChosen] = useState(related[0]?.resource.noun);
  const current = related.find((candidate) => candidate.resource.noun === chosen);
  if (current === undefined) return null;
  const { id, name } = object as { readonly id: bigint; readonly name: string };
  const isZone = resource.noun === "NSDomain" && current.resource.noun === "NSRecord";
  return (
    <section class="related">
      <div class="tabs" role="tablist">
        {related.map(({ resource: { noun } }) => (
          <button
            key={noun}
            type="button"
            role="tab"
            aria-selected={noun === chosen}
            onClick={() => setChosen(noun)}
          >
            {plural(noun)}
          </button>
        ))}
      </div>
      {isZone ? <ZoneEditor records={current.resource} domain={{ id, name }} /> : (
        <ObjectList
          key={current.resource.noun}
          resource={current.resource}
          fixed={{ [current.field]: String(id) }}
        />
      )}
    </section>
  );
}

interface RemoveProps {
  readonly resource: Resource;
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
}

function RemoveDialog({ resource, id, name, onClose }: RemoveProps): JSX.Element {
  const [error, setError] = useState<unknown>();
  const remove = resource.remove!;
  async function confirm(): Promise<void> {
    try {
      await call(remove, { [idFieldOf(remove, resource.noun)?.localName ?? "id"]: BigInt(id) });
      goTo(linkTo(["resource", resource.noun]));
    } catch (caught) {
      setError(caught);
    }
  }
  return (
    <Dialog title={`${texts.value.remove}: ${nounOf(resource.noun)} ${name}`} onClose={onClose}>
      <p>{texts.value.confirmRemove}</p>
      {error !== undefined && <p class="error" role="alert">{messageOf(error)}</p>}
      <div class="actions">
        <button type="button" class="btn" onClick={onClose}>{texts.value.cancel}</button>
        <button type="button" class="btn primary bad" onClick={confirm}>{texts.value.remove}</button>
      </div>
    </Dialog>
  );
}

/** The link to the list that an object belongs to, for the path above the page. */
export function crumbsOf(resource: Resource): { readonly text: string; readonly link: string } {
  return { text: plural(resource.noun), link: linkTo(["resource", resource.noun]) };
}
