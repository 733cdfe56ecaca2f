import { type DescField, ScalarType } from "@bufbuild/protobuf";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Resource } from "../../api/resources.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { columnsOf } from "../../parts/fields.ts";
import { textOf, Value } from "../../parts/value.tsx";
import type { Row } from "../../shell/area.ts";
import { nounOf, withNoun, words } from "../../shell/names.ts";
import { linkTo } from "../../shell/route.ts";
import { texts } from "../../texts/mod.ts";
import { Details } from "../details.tsx";
import { isFindable } from "../find_object.ts";

interface RowsProps {
  readonly resource: Resource;
  readonly rows: readonly Row[];
  readonly isFiltered: boolean;
  /** What is known of a new one, such as the domain of records. */
  readonly fixed: Readonly<Record<string, string>>;
}

/** The rows of a list. Each leads to the page of its object, or shows what the list says about it. */
export function Rows({ resource, rows, isFiltered, fixed }: RowsProps): JSX.Element {
  const [opened, open] = useState<Row>();
  if (rows.length === 0) return <Empty resource={resource} isFiltered={isFiltered} fixed={fixed} />;
  const columns = columnsOf(resource.message, rows);
  const main = linkColumn(columns);
  return (
    <div class="scroll">
      <table class="list">
        <thead>
          <tr>
            {columns.map((field) => (
              <th key={field.name} class={isNumeric(field) ? "num" : undefined}>{words(field.name)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={String(row["id"] ?? index)}>
              {columns.map((field, column) => (
                <td
                  key={field.name}
                  class={isNumeric(field) ? "num" : undefined}
                  data-name={needsName(field) ? words(field.name) : undefined}
                >
                  {column === main
                    ? <MainCell resource={resource} row={row} field={field} onOpen={() => open(row)} />
                    : <Value field={field} value={row[field.localName]} isShort />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {opened !== undefined && (
        <Dialog title={titleOf(resource, opened)} onClose={() => open(undefined)}>
          <Details message={resource.message} object={opened} />
        </Dialog>
      )}
    </div>
  );
}

/** True for what says nothing without the name of its column, which phones do not show. */
function needsName(field: DescField): boolean {
  return isNumeric(field) || (field.scalar === ScalarType.BOOL && field.name !== "isOn");
}

function Empty({ resource, isFiltered, fixed }: Omit<RowsProps, "rows">): JSX.Element {
  return (
    <div class="empty">
      <p>{isFiltered ? texts.value.emptyFiltered : texts.value.empty}</p>
      {!isFiltered && resource.create && (
        <a class="btn primary" href={linkTo(["resource", resource.noun, "new"], fixed)}>
          {withNoun(texts.value.add, resource.noun)}
        </a>
      )}
    </div>
  );
}

interface MainCellProps {
  readonly resource: Resource;
  readonly row: Row;
  readonly field: DescField;
  readonly onOpen: () => void;
}

function MainCell({ resource, row, field, onOpen }: MainCellProps): JSX.Element {
  const text = <Value field={field} value={row[field.localName]} isShort />;
  const id = row["id"] as bigint | undefined;
  if (id !== undefined && isFindable(resource)) {
    return <a class="link main" href={linkTo(["resource", resource.noun, id])}>{text}</a>;
  }
  return <button type="button" class="link main" onClick={onOpen}>{text}</button>;
}

function titleOf({ noun }: Resource, row: Row): string {
  const text = textOf(row);
  return text.length > 60 || text.startsWith("{") ? nounOf(noun) : text;
}

/** The column that leads to the object: its name, or else its id. */
function linkColumn(columns: readonly DescField[]): number {
  return Math.max(0, columns.findIndex(({ name, scalar }) => scalar === ScalarType.STRING && name !== "id"));
}

function isNumeric({ name, scalar, fieldKind }: DescField): boolean {
  if (fieldKind !== "scalar" || /(At|Time)$/.test(name)) return false;
  return scalar !== ScalarType.STRING && scalar !== ScalarType.BOOL && scalar !== ScalarType.BYTES;
}
