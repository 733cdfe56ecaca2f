import type { DescField } from "@bufbuild/protobuf";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { relatedTo } from "../api/related.ts";
import { idFieldOf, type Resource } from "../api/resources.ts";
import { ActionDialog } from "../parts/action_dialog.tsx";
import { Failure } from "../parts/failure.tsx";
import { detailsOf, isJson } from "../parts/fields.ts";
import { useLoaded } from "../parts/loaded.ts";
import { Lazy } from "../parts/lazy.tsx";
import { NotFound } from "../parts/not_found.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { isBlank, textOf } from "../parts/value.tsx";
import { actionsOf, type ObjectAction, type ObjectProps, panelsOf } from "../shell/area.ts";
import { call } from "../shell/call.ts";
import { goTo, linkTo } from "../shell/route.ts";
import { nounOf, plural } from "../shell/names.ts";
import { useShownName } from "../shell/shown.ts";
import { commentOf, hasModuleFor, resources } from "../shell/state.ts";
import { language, texts } from "../texts/mod.ts";
import { Details } from "./details.tsx";
import { findObject } from "./find_object.ts";
import { ObjectList } from "./list.tsx";

/** The page of one object: all its fields, and what can be done with it. */
export function ObjectPage({ resource, id }: { resource: Resource; id: string }): JSX.Element {
  const [isRemoving, setRemoving] = useState(false);
  const [doing, setDoing] = useState<ObjectAction>();
  const found = useLoaded((signal) => findObject(resource, id, signal), [resource.noun, id]);
  useShownName(resource.noun, id, found.value && textOf(found.value));
  if (found.error !== undefined) return <Failure error={found.error} onRetry={found.reload} />;
  if (found.isLoading && found.value === undefined) {
    return <Skeleton rows={3} />;
  }
  const object = found.value;
  if (object === undefined) return <NotFound />;
  const fields = detailsOf(resource.message).filter((field) => !isBlank(object[field.localName]));
  // what is long has a tab of its own, so that it does not push panels out of sight
  const hasPanels = panelsOf(resource, object).length > 0;
  const props = { resource, id: BigInt(id), object, reload: found.reload };
  return (
    <>
      <div class="head">
        <h1>{textOf(object)}</h1>
        <span class="sp" />
        {actionsOf(resource, object).map((action) => (
          <button
            key={action.key}
            type="button"
            class="btn"
            onClick={() => setDoing(action)}
          >
            {action.title[language.value]}
          </button>
        ))}
        {resource.update && <a class="btn" href={linkTo(["resource", resource.noun, id, "edit"])}>{texts.value.edit}
        </a>}
        {resource.remove && (
          <button type="button" class="btn bad" onClick={() => setRemoving(true)}>{texts.value.remove}</button>
        )}
      </div>
      <p class="sub">{firstSentence(commentOf(resource.message.typeName))}</p>
      <div class="panel">
        <Details
          message={resource.message}
          object={object}
          fields={hasPanels ? fields.filter((field) => !isJson(field)) : fields}
        />
      </div>
      <Parts {...props} settings={hasPanels ? fields.filter(isJson) : []} />
      {doing && <Lazy key={doing.key} load={doing.load} props={{ ...props, onClose: () => setDoing(undefined) }} />}
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

/** What a kind of object is; the rest of a comment is for programs. */
function firstSentence(comment: string): string {
  return comment.split(/(?<=\.)\s|(?<=。)/)[0]!;
}

const SETTINGS = "settings";

/**
 * The panels of the object, the lists of what belongs to it, such as the groups of a user, and its settings; one is open
 * at a time.
 */
function Parts({ settings, ...props }: ObjectProps & { settings: readonly DescField[] }): JSX.Element | null {
  const panels = panelsOf(props.resource, props.object);
  const related = relatedTo(props.resource, resources.value).filter(({ resource: { noun } }) =>
    hasModuleFor(noun) && !panels.some(({ replaces }) => replaces === noun)
  );
  const [wanted, setChosen] = useState(panels[0]?.key ?? related[0]?.resource.noun);
  const tabs = [
    ...panels.map(({ key, title }) => ({ key, text: title[language.value] })),
    ...related.map(({ resource: { noun } }) => ({ key: noun, text: plural(noun) })),
    ...settings.length === 0 ? [] : [{ key: SETTINGS, text: texts.value.settings }],
  ];
  const chosen = (tabs.find(({ key }) => key === wanted) ?? tabs[0])?.key;
  const panel = panels.find(({ key }) => key === chosen);
  const list = related.find(({ resource: { noun } }) => noun === chosen);
  if (tabs.length === 0) return null;
  return (
    <section class="related">
      <div class="tabs" role="tablist">
        {tabs.map(({ key, text }) => (
          <button
            key={key}
            type="button"
            role="tab"
            aria-selected={key === chosen}
            onClick={() => setChosen(key)}
          >
            {text}
          </button>
        ))}
      </div>
      {panel && <Lazy key={panel.key} load={panel.load} props={props} />}
      {chosen === SETTINGS && (
        <div class="panel">
          <Details message={props.resource.message} object={props.object} fields={settings} />
        </div>
      )}
      {list && <ObjectList key={chosen} resource={list.resource} fixed={{ [list.field]: String(props.id) }} />}
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
  const remove = resource.remove!;
  async function act(): Promise<void> {
    await call(remove, { [idFieldOf(remove, resource.noun)?.localName ?? "id"]: BigInt(id) });
    goTo(linkTo(["resource", resource.noun]));
  }
  return (
    <ActionDialog
      title={`${texts.value.remove}: ${nounOf(resource.noun)} ${name}`}
      action={texts.value.remove}
      isDangerous
      onAct={act}
      onClose={onClose}
    >
      <p>{texts.value.confirmRemove}</p>
    </ActionDialog>
  );
}

/** The link to the list that an object belongs to, for the path above the page. */
export function crumbsOf(resource: Resource): { readonly text: string; readonly link: string } {
  return { text: plural(resource.noun), link: linkTo(["resource", resource.noun]) };
}
