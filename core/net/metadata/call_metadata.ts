import type { Metadata, MetadataField } from "../../base/metadata.ts";
import { ReceivedFields } from "./received_fields.ts";
import { SentFields } from "./sent_fields.ts";

/** The header fields of a request as its transport has them. */
export interface FieldSource {
  /** Returns all fields, with names in lower case. */
  fields?(): Iterable<MetadataField>;
  /** True for a GET request. */
  readonly isGet?: boolean | undefined;
}

/** The metadata of one request, which is created when a handler first uses it. */
export class CallMetadataFields implements Metadata {
  readonly request: ReceivedFields;
  readonly headers: SentFields = new SentFields("headers");
  readonly trailers: SentFields = new SentFields("trailers");

  constructor(source: FieldSource | undefined) {
    this.request = new ReceivedFields(source?.fields?.() ?? [], source?.isGet === true);
  }
}
