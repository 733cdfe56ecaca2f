import { createMutableRegistry, type DescFile, type Registry } from "@bufbuild/protobuf";
import {
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_field_mask,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
} from "@bufbuild/protobuf/wkt";
import { file_proto_google_rpc_error_details } from "../../../proto/google/rpc/error_details_pb.ts";
import type { Operation } from "../../calls/operation.ts";

const COMMON: readonly DescFile[] = [
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_field_mask,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
  file_proto_google_rpc_error_details,
];

/**
 * Returns the message types that a google.protobuf.Any in JSON may contain: those of the files of the operations, of the
 * files that these import, and the well-known ones.
 */
export function messageTypes(operations: readonly Operation[]): Registry {
  const registry = createMutableRegistry();
  const seen = new Set<DescFile>();
  const files = [...COMMON, ...operations.map(({ method }) => method.parent.file)];
  for (let file = files.pop(); file !== undefined; file = files.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const message of file.messages) addMessage(message);
    files.push(...file.dependencies);
  }
  return registry;

  function addMessage(message: DescFile["messages"][number]): void {
    registry.add(message);
    for (const nested of message.nestedMessages) addMessage(nested);
  }
}
