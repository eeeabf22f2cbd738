// Paths that more than one file of the compatibility API names.
export const RECEIPTS_PATH = '/v1/receipts';
export const SUBSCRIBER_PATH = '/v1/subscribers/:appUserId';
export const ATTRIBUTES_PATH = `${SUBSCRIBER_PATH}/attributes`;
