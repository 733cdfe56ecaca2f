import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { DecodeContext } from "./decode_field.ts";
import { messageDecoder } from "./decode_message.ts";
import type { Decode } from "./decode_scalar.ts";
import type { AppendMessage } from "./encode_field.ts";
import { messageAppender } from "./encode_message.ts";
import { throwTypeError } from "./encode_scalar.ts";
import { joinPath, JsonError, requestError } from "./json_error.ts";
import { memoize } from "./memoize.ts";
import { DEFAULT_MAX_DEPTH } from "./parse.ts";
import { isRecord } from "./value.ts";

export interface JsonCodecOptions {
  /** The treatment of fields that the message type does not have. Ignored by default. */
  readonly unknownFields?: "ignore" | "refuse";
  /** The maximum nesting depth of arrays and objects. 100 by default. */
  readonly maxDepth?: number;
}

/**
 * Converts messages of one type from and to the JSON that clients use. It differs from proto3 JSON: fields have their
 * names in the proto, 64-bit integers are numbers (strings only beyond 2^53-1), enums are numbers, and zero values and
 * empty lists are present.
 */
export interface JsonCodec<Desc extends DescMessage> {
  /**
   * Converts parsed JSON to a message.
   *
   * @param json preferably a result of `parseJson`, which keeps integers that JSON.parse would round
   * @param path the location of the JSON, such as `plugins[3].config`, for errors; empty for the body of a request
   * @throws RpcError invalid, which names the path of the invalid value
   */
  decode(json: unknown, path?: string): MessageShape<Desc>;
  /**
   * Converts a message to JSON text.
   *
   * @throws TypeError if a value does not have the type of its field
   */
  encode(message: MessageInitShape<Desc>): string;
}

const families = new Map<string, (desc: DescMessage) => JsonCodec<DescMessage>>();

/**
 * Returns the JSON codec of a message type. It is compiled on first use and cached.
 *
 * @example
 * ```ts
 * import { jsonCodec } from "edgehelm/wire";
 *
 * const codec = jsonCodec(ZoneSchema);
 * const text = codec.encode({ name: "example.com" });
 * const zone = codec.decode(JSON.parse(text));
 * ```
 */
export function jsonCodec<Desc extends DescMessage>(desc: Desc, options: JsonCodecOptions = {}): JsonCodec<Desc> {
  const { unknownFields = "ignore", maxDepth = DEFAULT_MAX_DEPTH } = options;
  const key = `${unknownFields} ${maxDepth}`;
  let family = families.get(key);
  if (family === undefined) {
    family = codecFamily(unknownFields === "refuse", maxDepth);
    families.set(key, family);
  }
  return family(desc);
}

/** Returns the codecs with the same options, which share the decoders of nested messages. */
function codecFamily(isStrict: boolean, maxDepth: number): (desc: DescMessage) => JsonCodec<DescMessage> {
  const context: DecodeContext = {
    maxDepth,
    message: memoize((desc) => messageDecoder(desc, isStrict, context)),
  };
  return memoize((desc) => compile(desc, context.message(desc), messageAppender(desc)));
}

function compile(desc: DescMessage, decode: Decode, append: AppendMessage): JsonCodec<DescMessage> {
  return {
    decode(json, path = "") {
      try {
        return decode(json, 0) as MessageShape<DescMessage>;
      } catch (error) {
        if (!(error instanceof JsonError)) throw error;
        throw requestError(joinPath(path, error.path), error.message);
      }
    },
    encode(message) {
      return isRecord(message) ? append("{", message) : throwTypeError(desc.typeName, "an object", message);
    },
  };
}
