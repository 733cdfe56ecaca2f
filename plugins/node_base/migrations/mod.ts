import * as createNodeStreams from "./0001_create_node_streams.ts";

export const migrations = {
  "0001_create_node_streams": createNodeStreams,
};
