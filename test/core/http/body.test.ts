import { as } from "edgehelm/testing";
import { expect, test } from "vitest";
import { authorised, edgehelm, send } from "./rig.ts";

test.each([
  ["nothing", "", 200, "ok"],
  ["any letter case and unknown fields", '{"TEXT":"a","more":1}', 200, "ok"],
  ["an array", "[]", 400, "Decode request failed: expected a JSON object, got an array"],
  ["broken JSON", "{", 400, "Decode request failed: not valid JSON"],
  ["a wrong type", '{"text":1}', 400, "text: expected"],
  ["an unsafe number", '{"number":9007199254740993}', 400, "number: 9007199254740993 cannot be kept exactly"],
  ["a fraction", '{"number":1.5}', 400, "number:"],
  ["NUL", '{"text":"a\\u0000b"}', 400, "text: must not contain NUL"],
  ["a deep nest", `{"x":${"[".repeat(200)}${"]".repeat(200)}}`, 400, "nested deeper than 100 levels"],
])("a body with %s is answered as it should be", async (_case, body, code, message) => {
  const answer = await (await send("/ProbeService/look", body, await authorised())).json();
  expect(answer).toMatchObject({ code, message: expect.stringContaining(message) });
});

test("a body must be UTF-8", async () => {
  const init = { method: "POST", body: new Uint8Array([0x7b, 0xff, 0x7d]), headers: await authorised() };
  const answer = await (await edgehelm.fetch(new Request("http://edgehelm.test/ProbeService/look", init))).json();
  expect(answer).toMatchObject({ code: 400, message: expect.stringContaining("not UTF-8") });
});

test("a body that is too large, declared or streamed, is refused with a status of its own", async () => {
  const large = `{"text":"${"x".repeat(2000)}"}`;
  const declared = await send(
    "/ProbeService/look",
    large,
    await authorised({ "content-length": String(large.length) }),
  );
  expect(declared.status).toBe(413);
  let pulled = 0;
  const endless = new ReadableStream({
    pull(controller) {
      pulled++;
      controller.enqueue(new Uint8Array(400));
    },
  });
  const init = { method: "POST", body: endless, headers: await authorised(), duplex: "half" };
  const streamed = await edgehelm.fetch(new Request("http://edgehelm.test/ProbeService/look", init as RequestInit));
  expect([streamed.status, (await streamed.json()).reason]).toEqual([413, "kernel.too_large"]);
  expect(pulled).toBeLessThan(10);
});

test("a body is not read for a caller who may not call", async () => {
  expect(await edgehelm.post("/ProbeService/look", "{", as.dns()))
    .toMatchObject({ code: 403, message: 'permission denied: the role "dns" may not call /ProbeService/look' });
  const wrong = await send("/ProbeService/look", "{", { "x-cloud-access-token": "nonsense" });
  expect(await wrong.json()).toMatchObject({ code: 401, message: "invalid access token" });
});
