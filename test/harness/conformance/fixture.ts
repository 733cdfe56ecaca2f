import type { DescMethodUnary } from "@bufbuild/protobuf";
import { rolesOf } from "../../../core/calls/operation.ts";
import { as, type TestCaller } from "../caller.ts";
import type { TestKernel } from "../kernel.ts";
import { isUnary } from "../outcome.ts";

/** The fields of a request by their names in TypeScript, such as `{ noteId: 7n }`. */
export type RequestFields = Readonly<Record<string, unknown>>;

/**
 * Creates objects of a plugin, with which its conformance is checked.
 *
 * @example
 * ```ts
 * import type { ConformanceFixture } from "edgehelm/testing";
 * import { MyPluginService } from "../proto/service_my_plugin_pb.ts";
 *
 * export const fixture: ConformanceFixture = {
 *   async create(edgehelm, owner, marker) {
 *     const { noteId } = await edgehelm.call(owner, MyPluginService.method.createNote, { text: marker });
 *     return { noteId };
 *   },
 *   requests: { updateNote: { text: "changed" } },
 * };
 * ```
 */
export interface ConformanceFixture {
  /**
   * Creates an object.
   *
   * @param owner a user or, if users may not create objects, an admin
   * @param marker a text of letters that the object must contain, such as in its name
   * @returns the request fields that refer to the object
   */
  create(edgehelm: TestKernel, owner: TestCaller, marker: string): Promise<RequestFields>;
  /** Request fields that look like references and are not, by name. */
  readonly unrelated?: readonly string[];
  /** The other fields that make requests valid, by rpc name. */
  readonly requests?: Readonly<Record<string, RequestFields>>;
}

/** The users of the checks; neither may reach what the other owns. */
export const ADA: TestCaller = as.user(7n);
export const BOB: TestCaller = as.user(8n);

/** Returns the operations that a caller with the role may call. */
export function operationsOf(edgehelm: TestKernel, role: "user" | "admin"): DescMethodUnary[] {
  return edgehelm.kernel.operations.all.map(({ method }) => method)
    .filter((method) => isUnary(method) && rolesOf(method).includes(role)) as DescMethodUnary[];
}

export function titleOf(method: DescMethodUnary): string {
  return `${method.parent.name}.${method.name}`;
}
