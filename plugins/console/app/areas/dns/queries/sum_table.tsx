import type { JSX } from "preact";
import { fill } from "../../../texts/fill.ts";
import { count } from "../../../texts/mod.ts";
import { texts } from "./texts.ts";

interface Row {
  readonly key: string;
  readonly name: string;
  readonly countRequests: bigint;
  readonly onChoose?: (() => void) | undefined;
}

interface SumTableProps {
  readonly title: string;
  readonly help?: string;
  readonly heading: string;
  readonly rows: readonly Row[];
  /** The number of all queries, of which shares are shown. */
  readonly total: bigint;
}

/** Sums of queries with their shares. */
export function SumTable({ title, help, heading, rows, total }: SumTableProps): JSX.Element | null {
  if (rows.length === 0) return null;
  return (
    <section class="sums">
      <h3>{title}</h3>
      {help !== undefined && <p class="dim">{help}</p>}
      <div class="scroll">
        <table class="list">
          <thead>
            <tr>
              <th>{heading}</th>
              <th class="num">{texts.value.queries}</th>
              <th class="num">{texts.value.share}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, name, countRequests, onChoose }) => (
              <tr key={key}>
                <td>
                  {onChoose === undefined ? name : (
                    <button
                      type="button"
                      class="link"
                      title={fill(texts.value.showRecord, { name })}
                      onClick={onChoose}
                    >
                      {name}
                    </button>
                  )}
                </td>
                <td class="num" data-name={texts.value.queries}>{count(countRequests)}</td>
                <td class="num" data-name={texts.value.share}>{shareText(countRequests, total)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function shareText(part: bigint, total: bigint): string {
  return total === 0n ? "–" : `${(100 * Number(part) / Number(total)).toFixed(1)} %`;
}
