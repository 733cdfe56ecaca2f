/** The reasons with which examples are refused because the objects of the test have another state, by path. */
export const EXPECTED_REASONS: Readonly<Record<string, string>> = {
  // the access key of the example does not exist
  "/APIAccessTokenService/getAPIAccessToken": "access_token.refused",
  // an earlier example removed the node
  "/NodeIPAddressService/disableAllNodeIPAddressesWithNodeId": "node_ip_address.node_missing",
  // the file of the test has no such content
  "/NodeInstallationService/createNodePackage": "kernel.invalid_field",
  // an earlier example ended the tokens of the user
  "/UserEmailVerificationService/sendUserEmailVerification": "kernel.token_invalid",
  // the site of the test serves HTTP
  "/ServerService/updateServerTCP": "kernel.invalid_field",
  "/ServerService/updateServerTLS": "kernel.invalid_field",
  "/ServerService/updateServerUDP": "kernel.invalid_field",
  // the test has no such way of payment
  "/UserOrderService/notifyUserOrderPayment": "kernel.invalid_field",
};

/**
 * The codes of errors that depend on what else is there, with which examples need not be listed: others use the object,
 * an earlier example removed it, or the test has neither files nor SSH.
 */
export const STATE_CODES: readonly number[] = [404, 409, 503];

/** The limit of examples with such errors. */
export const MAX_STATE_ERRORS = 45;
