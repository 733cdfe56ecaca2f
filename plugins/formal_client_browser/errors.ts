import { defineErrors } from "edgehelm";

export const errors = defineErrors("formal_client_browser", {
  not_found: ["not_found", (id: bigint) => `browser ${id} does not exist`],
  data_id_taken: ["conflict", (dataId: string) => `the dataId "${dataId}" is taken by another browser`],
});
