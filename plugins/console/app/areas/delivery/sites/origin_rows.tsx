import type { JSX } from "preact";
import { State } from "../../../parts/state.tsx";
import { mayCall } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import { count } from "../../../texts/mod.ts";
import type { Origin, OriginGroup } from "./origins.ts";
import { texts } from "./texts.ts";

/** What is being done with the origins of a site. */
export type Doing =
  | { readonly what: "edit"; readonly group: OriginGroup; readonly origin?: Origin }
  | { readonly what: "switch" | "remove"; readonly group: OriginGroup; readonly origin: Origin };

interface RowsProps {
  readonly group: OriginGroup;
  readonly origins: readonly Origin[];
  readonly onDo: (doing: Doing) => void;
}

/** A table of origins, with what the reader may do with each. */
export function OriginRows({ group, origins, onDo }: RowsProps): JSX.Element {
  const { value: text } = texts;
  const mayRemove = mayCall(
    group === "primary"
      ? "ReverseProxyService/updateReverseProxyPrimaryOrigins"
      : "ReverseProxyService/updateReverseProxyBackupOrigins",
  );
  return (
    <table class="list">
      <thead>
        <tr>
          <th>{text.address}</th>
          <th>{text.label}</th>
          <th class="num">{text.weight}</th>
          <th>{text.state}</th>
          <th>
            <span class="hidden">{text.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {origins.map((origin) => {
          const button = (label: string, name: string, doing: Doing) => (
            <button
              type="button"
              class="btn quiet"
              aria-label={fill(name, { name: titleOf(origin) })}
              onClick={() => onDo(doing)}
            >
              {label}
            </button>
          );
          const { isOn = false } = origin;
          return (
            <tr key={origin.id}>
              <td class="first mono">{titleOf(origin)}</td>
              <td>{origin.name}</td>
              <td class="num">{count(origin.weight ?? 0)}</td>
              <td>
                <State kind={isOn ? "ok" : "idle"} text={isOn ? text.on : text.off} />
              </td>
              <td class="row-actions">
                {mayCall("OriginService/updateOriginIsOn") &&
                  button(
                    isOn ? text.turnOff : text.turnOn,
                    isOn ? text.turnOffTitle : text.turnOnTitle,
                    { what: "switch", group, origin },
                  )}
                {origin.addr !== undefined && mayCall("OriginService/updateOrigin") &&
                  button(text.edit, text.editTitle, { what: "edit", group, origin })}
                {mayRemove && button(text.remove, text.removeTitle, { what: "remove", group, origin })}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The address of an origin, or the kind of its object storage. */
export function titleOf({ addr, oss }: Origin): string {
  if (addr === undefined) return oss?.type ?? "";
  const { protocol = "", host = "", portRange = "" } = addr;
  const port = portRange === "" ? "" : `:${portRange}`;
  return `${protocol}://${host.includes(":") ? `[${host}]` : host}${port}`;
}
