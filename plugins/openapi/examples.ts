import type { DescField, DescMessage, DescMethod } from "@bufbuild/protobuf";
import { getOption, ScalarType } from "@bufbuild/protobuf";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { example, json } from "edgehelm/proto/options_pb.js";
import type { Comments } from "edgehelm/runtime";
import { scalarExample } from "./example_values.ts";
import { jsonContentOf, textValuesOf } from "edgehelm/wire";
import type { Direction } from "./schema_names.ts";

/** An example as JSON. */
export type Example = string | number | boolean | null | readonly Example[] | { readonly [name: string]: Example };

/** Objects contain examples of objects up to this depth: those of responses contain others one level deep. */
const MAX_DEPTH = 3;
/** A comment that lists values, such as `The level: info, warn or error.` */
const LISTED = /(?:^|: )"?([\w.-]+)"?(?:, "?[\w.-]+"?)* or "?[\w.-]+"?(?:[.;,]|$)/;
const QUOTED = /"([^"\s]+)"/;
/** A comment of a field that requests may leave out, such as `Only nodes of this level; 0 means any.` */
const OPTIONAL =
  /\b(?:empty|0|absent|false)\b[^.;]*\b(?:means?|selects?|keeps?|is|counts?|lists?)\b|^Ignored|If true, sorts/i;
const ORDER = /(?:Asc|Desc)$/;
const PAGE = ["offset", "size"];
const TYPE_EXAMPLES: Readonly<Record<string, Example>> = { object: {}, string: "example", number: 1, boolean: true };

/** Makes the examples of requests and responses from what methods declare, and from names, types and comments. */
export class Examples {
  readonly #comments: Comments;

  constructor(comments: Comments) {
    this.#comments = comments;
  }

  /**
   * Returns the example of a request: what the method declares or, without a declaration, a value for each field.
   *
   * @throws Error if the declaration is not JSON
   */
  request(method: DescMethod): Example {
    const declared = getOption(method, example);
    if (declared === "") return this.#message(method.input, "request", []);
    try {
      return JSON.parse(declared);
    } catch (cause) {
      throw new Error(`${method.toString()}: the declared example is not JSON`, { cause });
    }
  }

  /** Returns the example of a response: a value for each field. */
  response(method: DescMethod): Example {
    return this.#message(method.output, "response", []);
  }

  #message(message: DescMessage, direction: Direction, outer: readonly DescMessage[]): Example {
    if (message.typeName === "google.protobuf.ListValue") return [];
    if (message.typeName === "google.protobuf.Struct" || message.typeName === "google.protobuf.Value") return {};
    const path = [...outer, message];
    const shown = message.fields.filter((field) =>
      isChosen(field) && (direction === "response" || this.#isNeeded(field))
    );
    return Object.fromEntries(shown.flatMap((field) => {
      if (!ends(field, path)) return [[field.name, this.#field(field, direction, path)]];
      return field.fieldKind === "list" ? [[field.name, []]] : [];
    }));
  }

  #field(field: DescField, direction: Direction, path: readonly DescMessage[]): Example {
    const value = this.#value(field, direction, path);
    if (field.fieldKind === "map") return { example: value };
    return field.fieldKind === "list" ? [value] : value;
  }

  #value(field: DescField, direction: Direction, path: readonly DescMessage[]): Example {
    if (field.enum !== undefined) return field.enum.values.at(-1)!.number;
    if (field.message === undefined) {
      const isJson = field.scalar === ScalarType.BYTES && getOption(field, json) !== "";
      return isJson ? this.#json(field, direction, path) : this.#scalar(field, field.scalar!);
    }
    const [wrapped] = field.message.fields;
    const isUnwrapped = field.fieldKind === "message" && field.oneof === undefined && isWrapperDesc(field.message);
    return isUnwrapped ? this.#scalar(field, wrapped!.scalar!) : this.#message(field.message, direction, path);
  }

  /** A text is the first value that the comment lists or quotes: `A, AAAA or CNAME`, `such as "DE"`. */
  #scalar(field: DescField, type: ScalarType): Example {
    const chosen = textValuesOf(field).find((value) => value !== "");
    if (chosen !== undefined) return chosen;
    const comment = type === ScalarType.STRING ? this.#commentOf(field) : "";
    return (LISTED.exec(comment) ?? QUOTED.exec(comment))?.[1] ?? scalarExample(field.name, type);
  }

  #commentOf({ parent, name }: DescField): string {
    return this.#comments[`${parent.typeName}.${name}`] ?? "";
  }

  /** Requests show what they need, and which page they want, in the usual order. */
  #isNeeded(field: DescField): boolean {
    const isOrder = ORDER.test(field.name) && field.scalar === ScalarType.BOOL;
    if (isOrder || field.proto.options?.deprecated === true) return false;
    return PAGE.includes(field.name) || !OPTIONAL.test(this.#commentOf(field));
  }

  /** JSON in a bytes field is shown as itself in requests, and in base64 in responses. */
  #json(field: DescField, direction: Direction, path: readonly DescMessage[]): Example {
    const { shapes: [shape], isList } = jsonContentOf(field)!;
    const value = typeof shape === "string" ? TYPE_EXAMPLES[shape]! : this.#message(shape!, "request", path);
    const content = isList ? [value] : value;
    return direction === "request" ? content : base64(JSON.stringify(content));
  }
}

/** Of the alternatives of a oneof the first is shown. */
function isChosen(field: DescField): boolean {
  const { oneof } = field;
  return oneof === undefined || oneof.fields[0] === field;
}

/** Examples of messages end at a depth, and before they repeat. */
function ends({ message }: DescField, path: readonly DescMessage[]): boolean {
  return message !== undefined && (path.length >= MAX_DEPTH || path.includes(message));
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
