import type { DescMethodUnary } from "@bufbuild/protobuf";
import type { TestCaller } from "../caller.ts";
import type { TestKernel } from "../kernel.ts";
import { type Outcome, outcomeOf } from "../outcome.ts";
import { ADA, BOB, type ConformanceFixture, operationsOf, type RequestFields, titleOf } from "./fixture.ts";
import type { Findings } from "./roles.ts";

const REFERENCE = /(?:Id|Ids|^id|^ids)$/;
/** In requests of users these say who calls, not which object is meant. */
const PERSONS = ["userId", "adminId"];
const UNUSED_ID = 999_999_999n;

/**
 * Calls the operations of users with references to their own objects, to those of another user and to what does not
 * exist. The last two must be the same to the caller, and no response may contain what the other user owns.
 */
export async function ownershipFindings(edgehelm: TestKernel, fixture?: ConformanceFixture): Promise<Findings> {
  const errors: string[] = [];
  let cells = 0;
  let objects = 0;
  const create = (owner: TestCaller) => {
    const letters = String(objects++).replace(/\d/g, (digit) => String.fromCharCode(103 + Number(digit)));
    return fixture!.create(edgehelm, owner, `${owner === ADA ? "ada" : "bob"}thing${letters}`);
  };
  const { unrelated = [] } = fixture ?? {};
  const methods = operationsOf(edgehelm, "user");
  const known = fixture === undefined ? {} : await create(BOB);
  for (const method of methods) {
    const references = method.input.fields.map(({ localName }) => localName)
      .filter((name) => REFERENCE.test(name) && !PERSONS.includes(name) && !unrelated.includes(name));
    const missing = references.filter((name) => !(name in known));
    for (const name of missing) {
      errors.push(`${titleOf(method)}: no fixture has the field ${name}: return it from create in test/conformance.ts`);
    }
    if (missing.length > 0 || fixture === undefined) continue;
    const call = async (fields: RequestFields) => {
      cells++;
      return await outcomeOf(edgehelm, await edgehelm.token(ADA), method, requestOf(method, fixture, fields));
    };
    if (references.length === 0) {
      errors.push(...leaks(method, await call({})));
      continue;
    }
    const own = await call(await create(ADA));
    if (own.code !== 200) errors.push(`${titleOf(method)} with the caller's own object: got ${textOf(own)}`);
    const bobs = await create(BOB);
    const foreign = await call(bobs);
    const absent = await call(absentOf(bobs));
    errors.push(...leaks(method, foreign));
    if (comparable(foreign) !== comparable(absent)) {
      errors.push(
        `${titleOf(method)}: another user's object must be as if it did not exist, which is ${textOf(absent)}, ` +
          `got ${textOf(foreign)}: find it with ownedRows, or check it with requireOwned`,
      );
    }
  }
  return { cells, errors };
}

function requestOf(method: DescMethodUnary, { requests }: ConformanceFixture, fields: RequestFields): RequestFields {
  const names = method.input.fields.map(({ localName }) => localName);
  return Object.fromEntries(
    Object.entries({ ...requests?.[method.name], ...fields }).filter(([name]) => names.includes(name)),
  );
}

/** The same references to what never existed. */
function absentOf(fields: RequestFields): RequestFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const one = Array.isArray(value) ? value[0] : value;
      const absent = typeof one === "bigint" ? UNUSED_ID : typeof one === "number" ? Number(UNUSED_ID) : "never";
      return [name, Array.isArray(value) ? [absent] : absent];
    }),
  );
}

function leaks(method: DescMethodUnary, { response, message }: Outcome): string[] {
  if (!/bobthing[a-z]/.test(JSON.stringify(response) + message)) return [];
  return [`${titleOf(method)} tells a user what another user owns: restrict the statement with onlyOwned`];
}

/** An outcome without the numbers and names that differ in every request. */
function comparable({ code, reason, message, response }: Outcome): string {
  return JSON.stringify([code, reason, message, response]).replace(/\b(?:ada|bob)thing[a-z]+|\bnever\b/g, "NAME")
    .replace(/\d+/g, "#");
}

function textOf({ code, message }: Outcome): string {
  return `${code} "${message}"`;
}
