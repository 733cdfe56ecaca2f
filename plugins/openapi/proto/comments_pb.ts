// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "edgehelm.config.OpenApiConfig": "OpenApiConfig is the configuration of the plugin openapi: what the document says about the installation.",
  "edgehelm.config.OpenApiConfig.contactEmail": "The e-mail address for users of the API.",
  "edgehelm.config.OpenApiConfig.contactName": "The name of whom users of the API may contact.",
  "edgehelm.config.OpenApiConfig.contactUrl": "The address of a web page for users of the API.",
  "edgehelm.config.OpenApiConfig.serverUrl": "The address of the installation for its clients, such as \"https://api.example.com\"; empty means \"/\", the address that the document itself comes from.",
  "edgehelm.config.OpenApiConfig.title": "The title of the document; empty means \"Edgehelm\".",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
