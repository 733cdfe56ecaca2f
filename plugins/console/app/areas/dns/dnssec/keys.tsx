import type { JSX } from "preact";
import { fill } from "../../../texts/fill.ts";
import { time } from "../../../texts/mod.ts";
import type { Signing, SigningKey } from "./signing.ts";
import { texts } from "./texts.ts";

/** The keys of a domain, and what each does now. */
export function Keys({ signing: { keys, nextZSKAt } }: { signing: Signing }): JSX.Element {
  const { value: text } = texts;
  return (
    <>
      <div class="wide-table">
        <table>
          <thead>
            <tr>
              <th>{text.keyTag}</th>
              <th>{text.role}</th>
              <th>{text.state}</th>
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <tr key={key.keyTag}>
                <td>
                  <code title={key.dnskey}>{key.keyTag}</code>
                </td>
                <td>
                  {key.role} <span class="dim">{key.role === "KSK" ? text.signsKeys : text.signsZone}</span>
                </td>
                <td>{stateText(key)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {nextZSKAt !== 0n && <p class="pad dim">{fill(text.nextKey, { time: time(nextZSKAt) })}</p>}
    </>
  );
}

function stateText({ activeAt, retireAt, removeAt }: SigningKey): string {
  const { value: text } = texts;
  const now = BigInt(Math.floor(Date.now() / 1000));
  if (activeAt > now) return fill(text.waiting, { time: time(activeAt) });
  if (retireAt === 0n) return text.active;
  if (retireAt > now) return fill(text.retiring, { time: time(retireAt) });
  return fill(text.retired, { time: time(removeAt) });
}
