/** Puts values into a text: `fill("ends {when}", { when: "today" })`. */
export function fill(text: string, values: Readonly<Record<string, string | number | bigint>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
