import { expect, test } from "vitest";
import { openDay } from "./day_rig.ts";

test(
  "Files: an admin uploads files in chunks, and a node downloads a public one",
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

    // A node and a user cannot read the file, since it is private; they can read a public one.
    const { nodeClusterId } = await admin.post("NodeClusterService/createNodeCluster", { name: "Frankfurt" });
    const node = await day.edgeNode("fra-1", nodeClusterId);
    const read = async (client: typeof admin, id: number) => {
      const { fileChunkIds } = await client.post("FileChunkService/findAllFileChunkIds", { fileId: id });
      let text = "";
      for (const fileChunkId of fileChunkIds) {
        text += atob((await client.post("FileChunkService/downloadFileChunk", { fileChunkId })).fileChunk.data);
      }
      return Uint8Array.from(text, (character) => character.charCodeAt(0));
    };
    const ada = await day.user("ada");
    expect(await read(admin, fileId)).toEqual(content);
    for (const client of [node, ada]) expect(await read(client, fileId)).toEqual(new Uint8Array());
    const shared = await admin.post("FileService/createFile", { ...file, isPublic: true });
    for (const chunk of chunks) await admin.post(create, { fileId: shared.fileId, data: base64(chunk) });
    await admin.post("FileService/updateFileFinished", { fileId: shared.fileId });
    for (const client of [node, ada]) expect(await read(client, shared.fileId)).toEqual(content);
    const { fileChunkIds: [fileChunkId] } = await admin.post("FileChunkService/findAllFileChunkIds", { fileId });
    expect((await ada.post("FileChunkService/downloadFileChunk", { fileChunkId })).fileChunk).toBeUndefined();
  },
);
