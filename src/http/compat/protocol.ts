// The protocol of RevenueCat's SDKs: the key is a bearer token, entity tags have headers of their own, and every response states its time.
import type { Runtime } from '../../adapters/runtime.js';
import { sendJson } from '../bodies/send-json.js';
import type { Protocol } from '../dispatch/protocol.js';
import { headerOf } from '../dispatch/exchange.js';
import { compatErrorResponse } from './errors.js';
import { RECEIPTS_PATH } from './paths.js';
import type { SdkCalls } from '../../commands/projects/sdk-calls.js';

const BEARER = /^Bearer +(\S{1,300}) *$/i;
/** A request without a key: no key is empty. */
const NO_KEY = '';
const MAX_HEADER = 50;

export function compatProtocol(runtime: Pick<Runtime, 'now'>, sdkCalls: SdkCalls): Protocol {
  return {
    // An SDK takes this time for the date of the request, also of a body that it has in its cache.
    send: (res, requestId, status, body, headers = []) =>
      sendJson(res, requestId, status, body, headers.concat('x-revenuecat-request-time', String(runtime.now()))),
    tags: { request: 'x-revenuecat-etag', response: 'x-revenuecat-etag' },
    credentialsOf: ({ req }) => {
      const [, key = NO_KEY] = BEARER.exec(req.headers.authorization ?? '') ?? [];
      const project = { pathProjectId: undefined, headerProjectId: undefined };
      return { authorization: undefined, apiKey: key, isRegisteredKey: true, ...project };
    },
    errorResponse: compatErrorResponse,
    note: (exchange, { projectId, route, status, reason }) => {
      const value = (name: string) => headerOf(exchange, name)?.slice(0, MAX_HEADER) ?? null;
      const versions = { sdkVersion: value('x-version'), appVersion: value('x-client-version') };
      const named = { platform: value('x-platform'), flavor: value('x-platform-flavor'), ...versions };
      sdkCalls.note({ projectId, isReceipt: route.path === RECEIPTS_PATH, status, reason, ...named });
    },
  };
}
