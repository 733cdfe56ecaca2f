// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/FormalClientBrowserService/countFormalClientBrowsers": [],
  "/FormalClientBrowserService/createFormalClientBrowser": ["formal_client_browser.data_id_taken","kernel.invalid_field"],
  "/FormalClientBrowserService/findFormalClientBrowserWithDataId": [],
  "/FormalClientBrowserService/listFormalClientBrowsers": ["kernel.invalid_field"],
  "/FormalClientBrowserService/updateFormalClientBrowser": ["formal_client_browser.data_id_taken","formal_client_browser.not_found","kernel.invalid_field"],
};
