import { type Handlers, idField, invalid, listField, pageOf, textField } from "edgehelm";
import { containing } from "edgehelm/storage";
import { errors } from "./errors.ts";
import type { FormalClientBrowserService } from "./proto/service_formal_client_browser_pb.ts";
import type { FormalClientBrowserRow, FormalClientBrowserStore } from "./store.ts";

const MAX_CODES = 100;

export function formalClientBrowserHandlers(
  browsers: FormalClientBrowserStore,
): Handlers<typeof FormalClientBrowserService> {
  return {
    async createFormalClientBrowser(request, call) {
      const browser = fieldsOf(request);
      const created = await browsers.insert.first(call, browser);
      if (created === undefined) throw errors.data_id_taken(browser.dataId);
      return { formalClientBrowserId: created.id };
    },

    async updateFormalClientBrowser(request, call) {
      const browser = { id: idField("formalClientBrowserId", request.formalClientBrowserId), ...fieldsOf(request) };
      const other = await browsers.byDataId.first(call, browser);
      if (other !== undefined && other.id !== browser.id) throw errors.data_id_taken(browser.dataId);
      if (await browsers.update.run(call, browser) === 0n) throw errors.not_found(browser.id);
      return {};
    },

    async countFormalClientBrowsers({ keyword }, call) {
      if (keyword.trim() === "") return await browsers.count.one(call, {});
      const [row] = await browsers.countMatching.scan(call, { pattern: containing(keyword.trim()) });
      return { count: row!.count };
    },

    async listFormalClientBrowsers(request, call) {
      const page = pageOf(request);
      const keyword = request.keyword.trim();
      const rows = keyword === ""
        ? await browsers.page.all(call, page)
        : await browsers.pageMatching.scan(call, { ...page, pattern: containing(keyword) });
      return { formalClientBrowsers: rows.map(browserMessage) };
    },

    async findFormalClientBrowserWithDataId({ dataId }, call) {
      const row = await browsers.byDataId.first(call, { dataId: dataId.trim() });
      return row === undefined ? {} : { formalClientBrowser: browserMessage(row) };
    },
  };
}

function fieldsOf({ name, codes, dataId }: { name: string; codes: readonly string[]; dataId: string }) {
  if (codes.length === 0) throw invalid("codes", "must not be empty");
  const checked = listField("codes", codes, codeField, { max: MAX_CODES, unique: true });
  return {
    name: textField("name", name, { min: 1 }),
    codes: checked.join("\n"),
    dataId: textField("dataId", dataId, { min: 1, max: 64 }),
  };
}

function codeField(field: string, value: string): string {
  const code = textField(field, value, { min: 1, max: 100 });
  if (/[\r\n]/.test(code)) throw invalid(field, "must be one line");
  return code;
}

function browserMessage({ id, name, codes, dataId }: FormalClientBrowserRow) {
  return { id, name, codes: codes.split("\n"), dataId, state: 1 };
}
