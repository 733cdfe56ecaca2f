import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { goTo, linkTo } from "../../../shell/route.ts";
import type { AuditFilter } from "./logs.ts";
import { texts } from "./texts.ts";

const CHOICES = {
  userType: ["", "admin", "user"],
  level: ["", "info", "warn", "error"],
  source: ["", "log", "audit"],
} as const;

/** The form that chooses records. The filter is in the address, so that it can be kept and sent. */
export function AuditFilters({ filter }: { filter: AuditFilter }): JSX.Element {
  const [typed, setTyped] = useState(filter);
  const { value: text } = texts;
  useEffect(() => setTyped(filter), [JSON.stringify(filter)]);
  const set = (name: keyof AuditFilter, value: string) => setTyped({ ...typed, [name]: value });
  const isNarrow = Object.values(filter).some((value) => value !== "");
  return (
    <form
      class="log-filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        goTo(linkTo(["audit"], { ...typed, keyword: typed.keyword.trim() }));
      }}
    >
      <div>
        <label for="audit-keyword">{text.keyword}</label>
        <input
          id="audit-keyword"
          type="text"
          autocomplete="off"
          value={typed.keyword}
          onInput={(event) => set("keyword", event.currentTarget.value)}
        />
      </div>
      {(["dayFrom", "dayTo"] as const).map((name) => (
        <div key={name}>
          <label for={`audit-${name}`}>{text[name]}</label>
          <input
            id={`audit-${name}`}
            type="date"
            value={typed[name]}
            onInput={(event) => set(name, event.currentTarget.value)}
          />
        </div>
      ))}
      {(["userType", "level", "source"] as const).map((name) => (
        <div key={name}>
          <label for={`audit-${name}`}>{text[name]}</label>
          <select
            id={`audit-${name}`}
            value={typed[name]}
            onChange={(event) => set(name, event.currentTarget.value)}
          >
            {CHOICES[name].map((choice) => (
              <option key={choice} value={choice}>{choice === "" ? text.any : text.choices[choice]}</option>
            ))}
          </select>
        </div>
      ))}
      <div class="buttons">
        <button type="submit" class="btn primary">{text.search}</button>
        {isNarrow && <a class="btn" href={linkTo(["audit"])}>{text.clear}</a>}
      </div>
    </form>
  );
}
