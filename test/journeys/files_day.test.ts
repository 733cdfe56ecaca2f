import { expect, test } from "vitest";
import { openDay } from "./day_rig.ts";

test(
  "Files: an operator uploads one in chunks, and those who may read it put it together again",
  { timeout: 120_000 },
  async () => {
    await using day = await openDay();
    const { admin } = day;
    const content = Uint8Array.from({ length: 100_000 }, (_, at) => at % 251);
    const chunks = [content.slice(0, 40_000), content.slice(40_000, 80_000), content.slice(80_000)];
    const base64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));

    const file = { filename: "logo.png", size: content.length, mimeType: "image/png", type: "image" };
    const { fileId } = await admin.post("FileService/createFile", file);
    const create = "FileChunkService/createFileChunk";
    expect(await admin.refused(create, { fileId: fileId + 1, data: "AA==" })).toMatchObject({ code: 404 });
    for (const chunk of chunks.slice(0, 2)) await admin.post(create, { fileId, data: base64(chunk) });
    expect(await admin.refused("FileService/updateFileFinished", { fileId })).toMatchObject({ code: 409 });
    await admin.post(create, { fileId, data: base64(chunks[2]!) });
    await admin.post("FileService/updateFileFinished", { fileId });
    expect(await admin.refused(create, { fileId, data: "AA==" })).toMatchObject({ code: 409 });
    expect((await admin.post("FileService/findEnabledFile", { fileId })).file).toMatchObject({ filename: "logo.png" });

    // an edge node reads it; another user does not, since it is not public
    const { nodeClusterId } = await admin.post("NodeClusterService/createNodeCluster", { name: "Frankfurt" });
    const node = await day.edgeNode("fra-1", nodeClusterId);
    const read = async (who: typeof admin) => {
      const { fileChunkIds } = await who.post("FileChunkService/findAllFileChunkIds", { fileId });
      let text = "";
      for (const fileChunkId of fileChunkIds) {
        text += atob((await who.post("FileChunkService/downloadFileChunk", { fileChunkId })).fileChunk.data);
      }
      return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    };
    expect(await read(node)).toEqual(content);
    const ada = await day.user("ada");
    expect(await read(ada)).toEqual(new Uint8Array());
    const { fileChunkIds: [fileChunkId] } = await admin.post("FileChunkService/findAllFileChunkIds", { fileId });
    expect((await ada.post("FileChunkService/downloadFileChunk", { fileChunkId })).fileChunk).toBeUndefined();
  },
);
