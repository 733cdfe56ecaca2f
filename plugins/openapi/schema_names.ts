import type { DescEnum, DescMessage } from "@bufbuild/protobuf";

/** The use of a message: requests may leave out fields and spell numbers as text, which responses never do. */
export type Direction = "request" | "response";

/** The package whose messages have short names. */
const MAIN_PACKAGE = "pb.";

/** Returns the name of a schema, which does not depend on the plugins that are enabled. */
export function schemaName({ typeName }: DescMessage | DescEnum, direction: Direction): string {
  const name = typeName.startsWith(MAIN_PACKAGE) ? typeName.slice(MAIN_PACKAGE.length) : typeName;
  return direction === "request" ? `${name}.Input` : name;
}
