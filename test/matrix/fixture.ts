import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { TestCaller } from "edgehelm/testing";
import type { World } from "./world.ts";

/** Values of request fields by proto name: `nsDomainId` for all rpcs, or `findX.name` for one. */
export type Fields = Readonly<Record<string, unknown>>;

/** An object that a fixture created. */
export interface FixtureObject {
  /** The request fields that refer to the object; a list field contains its value as the only item. */
  readonly fields: Fields;
  /** The values that responses to other users must not contain. */
  readonly secrets: readonly string[];
}

/** Creates objects of a plugin, and describes an object that never existed. */
export interface Fixture {
  readonly plugin: string;
  /** True if users own the objects. Other objects only have to exist, so that requests are valid. */
  readonly owned: boolean;
  /**
   * Creates an object.
   *
   * @param marker a name of letters only, unique to the object
   */
  create(world: World, owner: TestCaller, marker: string): Promise<FixtureObject>;
  /** The fields of an object that never existed. */
  readonly absent: Fields;
  /** Returns all objects of this kind that a user owns, to detect changes. */
  all?(world: World, owner: TestCaller): Promise<JsonValue>;
  /** The values besides ids that make requests valid, by rpc name, in JSON. */
  readonly requests?: Readonly<Record<string, JsonObject>>;
}

/** An id that never exists. */
export const UNUSED_ID = 999_999_999n;
