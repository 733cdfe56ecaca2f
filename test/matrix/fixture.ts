import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { TestCaller } from "edgehelm/testing";
import type { World } from "./world.ts";

/** Values for fields of requests by proto name, as the protobuf type has them: `nsDomainId`, or `findX.name` for one rpc. */
export type Fields = Readonly<Record<string, unknown>>;

/** An object that a fixture made. */
export interface Made {
  /** The request fields that can name the object; a list field gets its value as the only item. */
  readonly fields: Fields;
  /** What may not be in an answer to a stranger. */
  readonly secrets: readonly string[];
}

/** How to make one object of a plugin, and how it is told apart from one that never existed. */
export interface Fixture {
  readonly plugin: string;
  /** Whether a user owns it; what nobody owns only has to exist, so that requests are right. */
  readonly owned: boolean;
  /** @param marker a word of letters, new for each object, to name it by */
  make(world: World, owner: TestCaller, marker: string): Promise<Made>;
  /** The fields of an object that never existed. */
  readonly absent: Fields;
  /** Everything of this kind that belongs to a user, to see whether it changed. */
  all?(world: World, owner: TestCaller): Promise<JsonValue>;
  /** What requests need besides ids to be right, by rpc name, in JSON. */
  readonly requests?: Readonly<Record<string, JsonObject>>;
}

/** An id that no test ever makes. */
export const NEVER = 999_999_999n;
