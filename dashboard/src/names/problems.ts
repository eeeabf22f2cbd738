// Errors of requests to webhook receivers, in words.

const ERRORS: Readonly<Record<string, string>> = {
  blocked: 'address not allowed by this installation',
  dns: 'host name not found',
  connect: 'could not connect',
  tls: 'certificate not accepted',
  timeout: 'no answer within 15 seconds',
  closed: 'connection closed before an answer',
};
const STATUSES: Readonly<Record<number, string>> = {
  400: 'request not understood',
  401: 'signature or authorization not accepted',
  403: 'access denied',
  404: 'address not found',
  405: 'POST not allowed at this address',
  408: 'receiver timed out',
  410: 'receiver no longer wants events',
  413: 'body too large for the receiver',
  429: 'receiver is overloaded',
  502: 'receiver’s server not reachable',
  503: 'receiver not available',
  504: 'receiver’s server did not answer',
};

export type Answer = { readonly status: number | null; readonly errorCode?: string | null };

/** Describes the answer of a receiver: `200, accepted`; `401, signature or authorization not accepted`; `certificate not accepted`. */
export function answerText({ status, errorCode }: Answer): string {
  if (status === null) return (errorCode != null && ERRORS[errorCode]) || 'no answer';
  return `${status}, ${STATUSES[status] ?? classText(status)}`;
}

function classText(status: number): string {
  if (status < 300) return 'accepted';
  if (status < 400) return 'redirects are not followed';
  return status < 500 ? 'refused by the receiver' : 'error in the receiver';
}
