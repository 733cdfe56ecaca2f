import { expect, test } from "vitest";
import { openDay } from "./day_rig.ts";

test(
  "Files: an admin uploads a file in chunks, and a node downloads it",
  async () => {
    await using day = await openDay();
    const { admin } = day;
    const content = Uint8Array.from({ length: 100_000 }, (_, at) => at % 251);
    const chunks = [content.slice(0, 40_000), content.slice(40_000, 80_000), content.slice(80_000)];
    const base64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));

    const file = { filename: "logo.png", size: content.length, mimeType: "image/png", type: "image" };
    const { fileId } = await admin.post("FileService/createFile", file);
    const create = "FileChunkService/createFileChunk";
    expect(await admin.error(create, { fileId: fileId + 1, data: "AA==" })).toMatchObject({ code: 404 });
    for (const chunk of chunks.slice(0, 2)) await admin.post(create, { fileId, data: base64(chunk) });
    expect(await admin.error("FileService/updateFileFinished", { fileId })).toMatchObject({ code: 409 });
    await admin.post(create, { fileId, data: base64(chunks[2]!) });
    await admin.post("FileService/updateFileFinished", { fileId });
    expect(await admin.error(create, { fileId, data: "AA==" })).toMatchObject({ code: 409 });
    expect((await admin.post("FileService/findEnabledFile", { fileId })).file).toMatchObject({ filename: "logo.png" });

    // An edge node can read the file; a user cannot, since it is private.
    const { nodeClusterId } = await admin.post("NodeClusterService/createNodeCluster", { name: "Frankfurt" });
    const node = await day.edgeNode("fra-1", nodeClusterId);
    const read = async (client: typeof admin) => {
      const { fileChunkIds } = await client.post("FileChunkService/findAllFileChunkIds", { fileId });
      let text = "";
      for (const fileChunkId of fileChunkIds) {
        text += atob((await client.post("FileChunkService/downloadFileChunk", { fileChunkId })).fileChunk.data);
      }
      return Uint8Array.from(text, (character) => character.charCodeAt(0));
    };
    expect(await read(node)).toEqual(content);
    const ada = await day.user("ada");
    expect(await read(ada)).toEqual(new Uint8Array());
    const { fileChunkIds: [fileChunkId] } = await admin.post("FileChunkService/findAllFileChunkIds", { fileId });
    expect((await ada.post("FileChunkService/downloadFileChunk", { fileChunkId })).fileChunk).toBeUndefined();
  },
);
