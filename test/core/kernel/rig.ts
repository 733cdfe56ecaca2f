import { definePlugin, type Plugin } from "edgehelm";

const manifest = { version: "1.0.0", kernel: "^1", services: [] as string[], tables: [] as string[] };

/** Creates an empty plugin, changed by `spec` and by the members `more` of its manifest. */
export function plugin(
  name: string,
  spec: Partial<Parameters<typeof definePlugin>[0]> & { more?: object } = {},
): Plugin {
  const { more, ...rest } = spec;
  return definePlugin({ setup() {}, ...rest, manifest: { ...manifest, name, ...more } } as never);
}
