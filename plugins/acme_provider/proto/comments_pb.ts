// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "edgehelm.config.ACMEProviderEntry": "ACMEProviderEntry defines an ACME provider of this installation.",
  "edgehelm.config.ACMEProviderEntry.apiURL": "The URL of the ACME directory; https, or http on a loopback address.",
  "edgehelm.config.ACMEProviderEntry.ca": "The certificates of the authorities that signed the certificate of the directory, in PEM. Empty means those that the system trusts.",
  "edgehelm.config.ACMEProviderEntry.code": "The code that accounts refer to: lower-case letters, digits, _ and -. The codes of built-in providers are taken.",
  "edgehelm.config.ACMEProviderEntry.description": "A description, as free text.",
  "edgehelm.config.ACMEProviderEntry.eabDescription": "Instructions for obtaining an external account binding.",
  "edgehelm.config.ACMEProviderEntry.name": "The name; empty means the code.",
  "edgehelm.config.ACMEProviderEntry.requireEAB": "True if accounts require an external account binding.",
  "edgehelm.config.ACMEProviderSettings": "ACMEProviderSettings is the `config` of acme_provider in the installation manifest.",
  "edgehelm.config.ACMEProviderSettings.providers": "Additional providers, such as a private certificate authority.",
  "pb.ACMEProviderService": "Lists the certificate authorities from which the installation can obtain certificates through ACME.",
  "pb.ACMEProviderService.findACMEProviderWithCode": "Finds one provider by its code.",
  "pb.ACMEProviderService.findAllACMEProviders": "Finds all providers, in one response without pages.",
  "pb.FindACMEProviderWithCodeRequest": "The provider to find.",
  "pb.FindACMEProviderWithCodeRequest.acmeProviderCode": "The code of the provider to find: letsencrypt or zerossl.",
  "pb.FindACMEProviderWithCodeResponse": "The provider.",
  "pb.FindACMEProviderWithCodeResponse.acmeProvider": "The provider; absent if it does not exist.",
  "pb.FindAllACMEProvidersRequest": "An empty request.",
  "pb.FindAllACMEProvidersResponse": "All providers.",
  "pb.FindAllACMEProvidersResponse.acmeProviders": "The built-in providers, then the providers of the installation's configuration.",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
