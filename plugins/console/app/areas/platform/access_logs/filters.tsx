import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { IdChooser } from "../../../parts/id_chooser.tsx";
import { goTo, linkTo } from "../../../shell/route.ts";
import { resources } from "../../../shell/state.ts";
import { addressOf, isNarrow, PLACES, type Search, trimmed } from "./search.ts";
import { texts } from "./texts.ts";

const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour));
const ONLY = ["errors", "firewall"] as const;

/** The form that chooses requests. The search is in the address, so that it can be kept and sent. */
export function Filters({ search }: { search: Search }): JSX.Element {
  const [typed, setTyped] = useState(search);
  const { value: text } = texts;
  useEffect(() => setTyped(search), [JSON.stringify(search)]);
  const sites = resources.value.find(({ noun }) => noun === "Server");
  const place = PLACES.find((known) => known === typed.place) ?? "any";
  const set = (name: keyof Search) => (value: string) => setTyped({ ...typed, [name]: value });
  const controlOf = (name: keyof Search, placeholder: string) => (
    <input
      id={`log-${name}`}
      type="text"
      autocomplete="off"
      placeholder={placeholder}
      value={typed[name]}
      onInput={(event) => set(name)(event.currentTarget.value)}
    />
  );
  return (
    <form
      class="log-filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        goTo(linkTo(["access-logs"], addressOf(trimmed(typed))));
      }}
    >
      <Labelled name="day" label={text.day}>
        <input
          id="log-day"
          type="date"
          required
          value={typed.day}
          onInput={(event) => set("day")(event.currentTarget.value)}
        />
      </Labelled>
      {(["hourFrom", "hourTo"] as const).map((name) => (
        <Labelled key={name} name={name} label={text[name]}>
          <Choice name={name} value={typed[name]} onChange={set(name)}>
            <option value="">{text.anyHour}</option>
            {HOURS.map((hour) => <option key={hour} value={hour}>{hour.padStart(2, "0")}</option>)}
          </Choice>
        </Labelled>
      ))}
      {sites && (
        <Labelled name="serverId" label={text.site}>
          <IdChooser
            id="log-serverId"
            resource={sites}
            value={typed.serverId}
            isInvalid={false}
            describedBy={undefined}
            emptyText={text.anySite}
            onInput={set("serverId")}
          />
        </Labelled>
      )}
      <Labelled name="domain" label={text.domain}>{controlOf("domain", text.domainHelp)}</Labelled>
      <Labelled name="ip" label={text.ip}>{controlOf("ip", text.ipHelp)}</Labelled>
      <Labelled name="place" label={text.place}>
        <Choice name="place" value={place} onChange={set("place")}>
          {PLACES.map((known) => <option key={known} value={known}>{text.places[known]}</option>)}
        </Choice>
      </Labelled>
      <Labelled name="text" label={text.text}>{controlOf("text", text.textHelp[place])}</Labelled>
      <Labelled name="only" label={text.only}>
        <Choice name="only" value={typed.only} onChange={set("only")}>
          <option value="">{text.onlys.all}</option>
          {ONLY.map((only) => <option key={only} value={only}>{text.onlys[only]}</option>)}
        </Choice>
      </Labelled>
      <div class="buttons">
        <button type="submit" class="btn primary">{text.search}</button>
        {isNarrow(search) && <a class="btn" href={linkTo(["access-logs"], { day: search.day })}>{text.clear}</a>}
      </div>
    </form>
  );
}

function Labelled({ name, label, children }: { name: string; label: string; children: ComponentChildren }) {
  return (
    <div>
      <label for={`log-${name}`}>{label}</label>
      {children}
    </div>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly children: ComponentChildren;
}

function Choice({ name, value, onChange, children }: ChoiceProps): JSX.Element {
  return (
    <select id={`log-${name}`} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {children}
    </select>
  );
}
