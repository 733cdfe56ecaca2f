import { expect, test } from "vitest";
import { machineOutbound } from "../../../core/host/outbound/outbound.ts";

const { signal } = new AbortController();
const resolvedTo = (...addresses: string[]) => machineOutbound({}, () => Promise.resolve(addresses));

test("a host is refused if one of its addresses is internal, with the field that contains it", async () => {
  await resolvedTo("93.184.215.14").requireHost("url", "public.test", signal);
  for (const addresses of [["10.0.0.5"], ["93.184.215.14", "::1"]]) {
    await expect(resolvedTo(...addresses).requireHost("url", "mixed.test", signal))
      .rejects.toThrow(/^url: "mixed\.test" has .*, which outbound\.allow does not contain/);
  }
  await expect(resolvedTo().requireHost("url", "[fe80::1]", signal)).rejects.toThrow(/^url: "fe80::1" has/);
  await machineOutbound({ allow: ["10.0.0.0/8"] }, () => Promise.resolve(["10.0.0.5"]))
    .requireHost("url", "mixed.test", signal);
});

test("a name that has no address yet passes, and one that is not listed does not", async () => {
  const failing = machineOutbound({}, () => Promise.reject(new Error("ENOTFOUND")));
  await failing.requireHost("url", "none.test", signal);
  const listed = machineOutbound({ hosts: ["*.example.com"] }, () => Promise.resolve(["93.184.215.14"]));
  await listed.requireHost("url", "hooks.example.com.", signal);
  await expect(listed.requireHost("url", "example.org", signal)).rejects.toThrow(
    'url: "example.org" is not in outbound',
  );
  await expect(failing.requireHost("smtp", "no host", signal)).rejects.toThrow(/^smtp: must be a host name/);
});
