/**
 * Returns the error if it is about one of the fields. Errors of the server begin with the path of the field.
 *
 * @param names the fields, by their names in the proto, such as `maxCNAMEPerServer`
 */
export function errorAbout(names: readonly string[], error: string | undefined): string | undefined {
  return error !== undefined && names.some((name) => isAbout(name, error)) ? error : undefined;
}

/** Returns the error if it is about none of the fields, so that it is shown for the form. */
export function errorBeside(names: readonly string[], error: string | undefined): string | undefined {
  return errorAbout(names, error) === undefined ? error : undefined;
}

function isAbout(name: string, error: string): boolean {
  return error.startsWith(name) && /^[:[.]/.test(error.slice(name.length));
}
