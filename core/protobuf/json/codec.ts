import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { DecodeContext } from "./decode_field.ts";
import { messageDecoder } from "./decode_message.ts";
import type { Decode } from "./decode_scalar.ts";
import type { AppendMessage } from "./encode_field.ts";
import { messageAppender } from "./encode_message.ts";
import { refuse } from "./encode_scalar.ts";
import { joinPath, JsonError, refusal } from "./json_error.ts";
import { memoised } from "./memoised.ts";
import { DEFAULT_MAX_DEPTH } from "./parse.ts";
import { isRecord } from "./value.ts";

export interface JsonCodecOptions {
  /** What happens to a field that the message does not have; ignored unless told. */
  readonly unknownFields?: "ignore" | "refuse";
  /** How many arrays and objects may contain one another; 100 unless told. */
  readonly maxDepth?: number;
}

/**
 * The clients' JSON of one message type. It is not proto3 JSON: names are those of the proto, 64-bit integers are
 * numbers (strings only beyond 2^53-1), enums are numbers, zero values and empty lists are present.
 */
export interface JsonCodec<Desc extends DescMessage> {
  /**
   * Makes a message of parsed JSON, best of what parseJson gave; throws `invalid`, naming the path of the fault.
   *
   * @param path where the JSON comes from, such as `plugins[3].config`; nothing for a request's body
   */
  decode(json: unknown, path?: string): MessageShape<Desc>;
  /** Writes what a handler returned as JSON text; throws TypeError for a value that is not of its field's type. */
  encode(message: MessageInitShape<Desc>): string;
}

const families = new Map<string, (desc: DescMessage) => JsonCodec<DescMessage>>();

/** The codec of a message type: compiled on first use and kept. */
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

/** All codecs of the same options; they share the decoders of the messages that they contain. */
function codecFamily(isStrict: boolean, maxDepth: number): (desc: DescMessage) => JsonCodec<DescMessage> {
  const context: DecodeContext = {
    maxDepth,
    message: memoised((desc) => messageDecoder(desc, isStrict, context)),
  };
  return memoised((desc) => compile(desc, context.message(desc), messageAppender(desc)));
}

function compile(desc: DescMessage, decode: Decode, append: AppendMessage): JsonCodec<DescMessage> {
  return {
    decode(json, path = "") {
      try {
        return decode(json, 0) as MessageShape<DescMessage>;
      } catch (error) {
        if (!(error instanceof JsonError)) throw error;
        throw refusal(joinPath(path, error.path), error.message);
      }
    },
    encode(message) {
      return isRecord(message) ? append("{", message) : refuse(desc.typeName, "an object", message);
    },
  };
}
