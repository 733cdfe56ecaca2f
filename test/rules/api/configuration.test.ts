import { type DescService, getOption } from "@bufbuild/protobuf";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { kind, type KindField, notConfiguration } from "../../../proto/options_pb.ts";
import { generatedServices, root } from "../generated.ts";

const GUIDE = `${root}core/guides/configuration_files.md`;

let services: readonly DescService[];
beforeAll(async () => {
  services = (await generatedServices()).filter(({ file }) => file.proto.package === "pb")
    .toSorted((one, other) => one.name < other.name ? -1 : 1);
});

test("every service declares its configuration, or why it has none", () => {
  const silent = services.filter((service) => {
    return getOption(service, kind).length === 0 && getOption(service, notConfiguration) === "";
  });
  expect(silent.map(({ name }) => name)).toEqual([]);
});

test("the guide lists every service, with its kinds or why it has none", () => {
  const rows = services.map((service) => {
    const kinds = getOption(service, kind).map(({ name }) => `\`${name}\``).join(", ");
    return [`\`${service.name}\``, kinds, getOption(service, notConfiguration)].join(" | ");
  });
  const listed = readFileSync(GUIDE, "utf8").split("\n").filter((line) => /^\| `\w+Service`/.test(line))
    .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()).join(" | "));
  expect(listed).toEqual(rows);
});

describe("kinds", () => {
  test("have names of their own, and operations of their service", () => {
    const names = services.flatMap((service) => getOption(service, kind).map(({ name }) => name));
    expect(new Set(names).size).toBe(names.length);
    const missing = services.flatMap((service) =>
      getOption(service, kind).flatMap(({ name, list, find, create, change, delete: remove, order }) =>
        [list, find, create, remove, order, ...change.flatMap((part) => [part.operation, part.find])]
          .filter((operation) => operation !== "" && methodOf(service, operation) === undefined)
          .map((operation) => `${name}: ${operation}`)
      )
    );
    expect(missing).toEqual([]);
  });

  test("can be found, created or changed", () => {
    const incomplete = services.flatMap((service) =>
      getOption(service, kind)
        .filter(({ list, find, create, change }) => list === "" && find === "" || create === "" && change.length === 0)
        .map(({ name }) => name)
    );
    expect(incomplete).toEqual([]);
  });

  test("refer to kinds, and their declared fields are those of requests", () => {
    const names = new Set(services.flatMap((service) => getOption(service, kind).map(({ name }) => name)));
    const wrong = services.flatMap((service) =>
      getOption(service, kind).flatMap((declared) => {
        const operations = [declared.create, ...declared.change.map(({ operation }) => operation)];
        const fields = operations.flatMap((name) =>
          methodOf(service, name)?.input.fields.map((field) => field.name) ?? []
        );
        const known = ({ name }: KindField) => {
          const path = operations.reduce((rest, operation) => rest.replace(`${operation}.`, ""), name);
          return fields.includes(path.split(".")[0]!);
        };
        return [
          ...declared.field.filter((field) => !known(field)).map(({ name }) => `${declared.name}: ${name}`),
          ...[declared.each, ...declared.field.map((field) => field.kind)]
            .filter((name) => name !== "" && !names.has(name)).map((name) => `${declared.name}: ${name}`),
        ];
      })
    );
    expect(wrong).toEqual([]);
  });
});

function methodOf({ methods }: DescService, operation: string) {
  return methods.find(({ name }) => name.charAt(0).toLowerCase() + name.slice(1) === operation);
}
