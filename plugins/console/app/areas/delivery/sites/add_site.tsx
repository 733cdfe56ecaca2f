import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { messageOf } from "../../../parts/failure.tsx";
import { IdChooser } from "../../../parts/id_chooser.tsx";
import { TextInput } from "../../../parts/text_input.tsx";
import { goTo, linkTo } from "../../../shell/route.ts";
import { isListed, resources, session } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import { texts as shared } from "../../../texts/mod.ts";
import { AddressFields } from "./address_fields.tsx";
import { addSite, type NewSite, OriginRefused, SITE_TYPES, SiteLeft, type SiteType } from "./new_site.ts";
import { texts } from "./new_site_texts.ts";
import { firstAddress } from "./protocols.ts";

const EMPTY: NewSite = {
  ...{ type: "httpProxy", name: "", names: "", port: "", nodeClusterId: "", userPlanId: "", userId: "" },
  address: firstAddress("httpProxy"),
};

/** The form for a new site: all that it needs to be served. */
export default function AddSite(): JSX.Element {
  const [site, setSite] = useState(EMPTY);
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const { value: text } = texts;
  const change = (changes: Partial<NewSite>) => setSite({ ...site, ...changes });
  async function add(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (needsCluster() && site.nodeClusterId === "") return setError(new Error(`nodeClusterId: ${text.clusterNeeded}`));
    setSending(true);
    setError(undefined);
    try {
      goTo(linkTo(["resource", "Server", await addSite(site)]));
    } catch (caught) {
      setError(caught);
      setSending(false);
    }
  }
  const errors = errorsOf(error);
  return (
    <form class="page-form" onSubmit={add}>
      <div class="head">
        <h1>{text.addSite}</h1>
      </div>
      <p class="sub">{text.intro}</p>
      <div class="panel pad">
        <label class="field">
          {text.type}
          <select
            value={site.type}
            onChange={(event) => {
              const type = event.currentTarget.value as SiteType;
              change({ type, address: { ...firstAddress(type), host: site.address.host } });
            }}
          >
            {SITE_TYPES.map((type) => <option key={type} value={type}>{text.types[type]}</option>)}
          </select>
        </label>
        <Line id="site-name" label={text.name} help={text.nameHelp} error={errors.name}>
          <TextInput
            {...described("site-name", errors.name)}
            isRequired
            value={site.name}
            onInput={(name) => change({ name })}
          />
        </Line>
        {site.type === "httpProxy"
          ? (
            <Line id="site-names" label={text.names} help={text.namesHelp} error={errors.names}>
              <TextInput
                {...described("site-names", errors.names)}
                isRequired
                value={site.names}
                onInput={(names) => change({ names })}
              />
            </Line>
          )
          : (
            <Line id="site-port" label={text.listenPort} help={text.listenPortHelp} error={errors.port}>
              <TextInput
                {...described("site-port", errors.port)}
                isRequired
                value={site.port}
                onInput={(port) => change({ port })}
              />
            </Line>
          )}
        <References site={site} errors={errors} onChange={change} />
      </div>
      <div class="panel pad">
        <h2>{text.origin}</h2>
        <AddressFields
          type={site.type}
          address={site.address}
          error={errors.address}
          onChange={(address) => change({ address })}
        />
        {errors.other !== undefined && <p class="error" role="alert">{errors.other}</p>}
        {error instanceof SiteLeft
          ? <a class="link" href={linkTo(["resource", "Server", error.serverId])}>{text.openSite}</a>
          : (
            <div class="actions start">
              <button type="submit" class="btn primary" disabled={isSending}>{text.addSite}</button>
              <a class="btn" href={linkTo(["resource", "Server"])}>{shared.value.cancel}</a>
            </div>
          )}
      </div>
    </form>
  );
}

/** True if the reader chooses the cluster; that of a customer is known. */
function needsCluster(): boolean {
  return session.value?.type === "admin" && isListed("NodeCluster");
}

interface ReferencesProps {
  readonly site: NewSite;
  readonly errors: Errors;
  readonly onChange: (changes: Partial<NewSite>) => void;
}

/** What serves and owns the site: operators choose the cluster and the owner, customers one of their plans. */
function References({ site, errors, onChange }: ReferencesProps): JSX.Element {
  const { value: text } = texts;
  const isOperator = session.value?.type === "admin";
  const choices = isOperator
    ? [
      { noun: "NodeCluster", field: "nodeClusterId", label: text.cluster, help: text.clusterHelp },
      { noun: "User", field: "userId", label: text.owner, help: text.ownerHelp },
    ] as const
    : [{ noun: "UserPlan", field: "userPlanId", label: text.plan, help: text.planHelp }] as const;
  return (
    <>
      {choices.map(({ noun, field, label, help }) => {
        const resource = resources.value.find((candidate) => candidate.noun === noun);
        if (resource === undefined) return undefined;
        const id = `site-${field}`;
        return (
          <Line key={field} id={id} label={label} help={help} error={errors[field]}>
            <IdChooser
              {...described(id, errors[field])}
              resource={resource}
              value={site[field]}
              emptyText={field === "nodeClusterId" ? text.chooseCluster : shared.value.none}
              onInput={(value) => onChange({ [field]: value })}
            />
          </Line>
        );
      })}
    </>
  );
}

interface LineProps {
  readonly id: string;
  readonly label: string;
  readonly help: string;
  readonly error: string | undefined;
  readonly children: ComponentChildren;
}

function Line({ id, label, help, error, children }: LineProps): JSX.Element {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {error !== undefined && <p class="error" role="alert">{error}</p>}
      <p class="help" id={`${id}-help`}>{help}</p>
    </div>
  );
}

function described(id: string, error: string | undefined) {
  return {
    ...{ id, isSecret: false, autocomplete: "off", isInvalid: error !== undefined },
    describedBy: `${id}-help`,
  };
}

type Errors = Partial<
  Record<"name" | "names" | "port" | "nodeClusterId" | "userPlanId" | "userId" | "address" | "other", string>
>;

/** Puts what the server says beside the input that it is about. */
function errorsOf(error: unknown): Errors {
  if (error === undefined) return {};
  if (error instanceof OriginRefused) return { address: messageOf(error.cause) };
  if (error instanceof SiteLeft) return { other: fill(texts.value.siteLeft, { reason: messageOf(error.cause) }) };
  const message = messageOf(error);
  const [field = ""] = message.split(/[:.[]/);
  if (field === "serverNamesJSON") return { names: message };
  if (field === "tcpJSON" || field === "udpJSON") return { port: message };
  if (["name", "nodeClusterId", "userPlanId", "userId"].includes(field)) return { [field]: message };
  return { other: message };
}
