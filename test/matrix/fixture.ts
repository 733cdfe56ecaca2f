import type { DescMessage, DescMethodUnary, JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { TestCaller } from "edgehelm/testing";
import type { World } from "./world.ts";

/**
 * Values of request fields by proto name: `nsDomainId` for all rpcs, or `findX.name` for one. The value of a JSON field
 * is what the JSON says; arrays of several objects are joined.
 */
export type Fields = Readonly<Record<string, unknown>>;

/** An object that a fixture created. */
export interface FixtureObject {
  /** The request fields that refer to the object; a list field contains its value as the only item. */
  readonly fields: Fields;
  /** The values that responses to other users must not contain. */
  readonly secrets: readonly string[];
  /** The values that responses to users must not contain if the object is shared. */
  readonly credentials?: readonly string[];
}

/** The way an admin shares objects of the installation with users. */
export interface Sharing {
  /** Shares an object with a user. */
  share(world: World, object: FixtureObject, user: TestCaller, marker: string): Promise<void>;
  /** The operation by which an admin reads the whole object. */
  readonly find: DescMethodUnary;
  /** The fields that refer to an object without changing it. */
  readonly references: RegExp;
}

/** Creates objects of a plugin, and describes an object that never existed. */
export interface Fixture {
  readonly plugin: string;
  /** Plugins that the plugin does not require, but without which it has no such objects. */
  readonly needs?: readonly string[];
  /** True if users own the objects. Other objects only have to exist, so that requests are valid. */
  readonly owned: boolean;
  /** False if the installation owns no such objects. */
  readonly ofInstallation?: false;
  /** The operations that tell every user of objects of the installation, as the contract demands. */
  readonly toldBy?: readonly string[];
  readonly sharing?: Sharing;
  /**
   * Creates an object.
   *
   * @param owner a user, or an admin for an object of the installation
   * @param marker a name of letters only, unique to the object
   */
  create(world: World, owner: TestCaller, marker: string): Promise<FixtureObject>;
  /** The fields of an object that never existed. */
  readonly absent: Fields;
  /** Returns all objects of this kind that a user owns, to detect changes. */
  all?(world: World, owner: TestCaller): Promise<JsonValue>;
  /** The values besides ids that make requests valid, by rpc name, in JSON. */
  readonly requests?: Readonly<Record<string, JsonObject>>;
  /** The shapes of JSON fields that refer to no object; undefined for texts. */
  readonly shapes?: Readonly<Record<string, DescMessage | undefined>>;
}

/** An id that never exists. */
export const UNUSED_ID = 999_999_999n;

/** Returns a number as letters, which names of domains and people may contain. */
export function lettersOf(number: number): string {
  return String(number).replace(/\d/g, (digit) => String.fromCharCode(103 + Number(digit)));
}
