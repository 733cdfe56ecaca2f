/** The versions of the packages that a new plugin is developed with, equal to those of this project. */
export const TOOL_VERSIONS: Readonly<Record<string, string>> = {
  "@bufbuild/buf": "1.74.0",
  "@bufbuild/protobuf": "2.17.0",
  "@bufbuild/protoc-gen-es": "2.17.0",
  "@types/node": "24.19.2",
  "kysely": "0.29.9",
  "typescript": "6.0.3",
};
