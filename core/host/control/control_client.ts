import { connect } from "node:net";
import { hasCode } from "../settings/files.ts";
import type { ControlRequest, ControlResponse } from "./control_message.ts";

/** The error codes of a socket on which no server listens. */
const ABSENT = ["ENOENT", "ECONNREFUSED", "ENOTSUP", "EINVAL"];

/** Lets the server that listens on `path` run a command. Returns undefined if there is none. */
export function runOnServer(path: string, request: ControlRequest): Promise<ControlResponse | undefined> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect({ path, allowHalfOpen: true });
    socket.setEncoding("utf8");
    socket.once("error", (error) => {
      if (ABSENT.some((code) => hasCode(error, code))) resolve(undefined);
      else reject(error);
    });
    socket.on("data", (chunk: string) => text += chunk);
    socket.once("end", () => {
      if (text === "") reject(new Error("the server ended before the command did; see its log"));
      else resolve(JSON.parse(text));
    });
    socket.once("connect", () => socket.end(JSON.stringify(request)));
  });
}
