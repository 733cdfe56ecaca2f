import type { DescMethodUnary, JsonObject, JsonValue } from "@bufbuild/protobuf";
import { rolesOf } from "../../../core/calls/operation.ts";
import { as } from "../caller.ts";
import type { TestKernel } from "../kernel.ts";
import { outcomeOf } from "../outcome.ts";
import { ADA, type ConformanceFixture, operationsOf, titleOf } from "./fixture.ts";
import type { Findings } from "./roles.ts";

const OBJECTS = 5;
const PAGE = 2n;

/**
 * Reads each list in pages of two: together they must be the whole list, each object once, in the same order. Requests
 * for pages that cannot exist must be refused.
 */
export async function pagingFindings(edgehelm: TestKernel, fixture?: ConformanceFixture): Promise<Findings> {
  const errors: string[] = [];
  let cells = 0;
  const lists = [...new Set([...operationsOf(edgehelm, "user"), ...operationsOf(edgehelm, "admin")])].filter(isList);
  if (lists.length > 0 && fixture === undefined) {
    errors.push(`${lists.map(titleOf).join(", ")}: there is no fixture: export options from test/conformance.ts`);
  }
  if (fixture === undefined) return { cells, errors };
  const owner = operationsOf(edgehelm, "user").length > 0 ? ADA : as.admin();
  for (let at = 0; at < OBJECTS; at++) await fixture.create(edgehelm, owner, `adapage${"abcde"[at]}`);
  for (const method of lists) {
    const token = await edgehelm.token(rolesOf(method).includes("user") ? ADA : as.admin());
    const read = async (offset: bigint, size: bigint) => {
      cells++;
      return await outcomeOf(edgehelm, token, method, { ...fixture.requests?.[method.name], offset, size });
    };
    const all = rowsOf((await read(0n, 100n)).response);
    const paged: JsonValue[] = [];
    for (let offset = 0n; offset < BigInt(all.length) + PAGE; offset += PAGE) {
      paged.push(...rowsOf((await read(offset, PAGE)).response));
    }
    if (all.length === 0) errors.push(`${titleOf(method)} is empty after ${OBJECTS} objects were created`);
    else if (JSON.stringify(all) !== JSON.stringify(paged)) {
      errors.push(
        `${
          titleOf(method)
        }: its pages of ${PAGE} contain ${paged.length} objects, the whole list ${all.length}, or in ` +
          "another order: order by a unique column and pass pageOf(request) on to the statement",
      );
    }
    for (const [offset, size] of [[-1n, 10n], [0n, -1n], [0n, 10n ** 12n]] as const) {
      const { code } = await read(offset, size);
      if (code === 500 || code === 200 && (offset < 0n || size < 0n)) {
        errors.push(`${titleOf(method)} with offset ${offset} and size ${size}: got ${code}: read them with pageOf`);
      }
    }
  }
  return { cells, errors };
}

function isList({ input, output }: DescMethodUnary): boolean {
  const has = (name: string) => input.fields.some((field) => field.name === name);
  return has("offset") && has("size") && output.fields.some(({ fieldKind }) => fieldKind === "list");
}

/** The list in a response, which leaves it out if it is empty. */
function rowsOf(response: JsonValue): readonly JsonValue[] {
  return Object.values(response as JsonObject ?? {}).find(Array.isArray) ?? [];
}
