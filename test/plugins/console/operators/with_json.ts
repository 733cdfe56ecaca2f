/** Reads the fields of a response that contain JSON. */
// deno-lint-ignore no-explicit-any -- the shape of the object depends on the operation
export function withJson(object: any) {
  if (object === undefined) return undefined;
  const entries = Object.entries(object).map(([name, value]) => {
    const isJson = /JSON$|^params$/.test(name) && typeof value === "string" && value !== "";
    return [name, isJson ? JSON.parse(atob(value)) : value];
  });
  return Object.fromEntries(entries);
}
